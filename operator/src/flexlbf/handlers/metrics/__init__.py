"""What the operator tells Prometheus: declarations, what counts, and what is read when somebody asks."""
