"""What several tests share: builders, strategies and the oracle that the scheduler is held to."""
