"""Planning, pure: from a snapshot of what was read to the plan that is to be carried out."""
