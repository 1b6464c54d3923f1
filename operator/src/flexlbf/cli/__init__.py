"""The command line: `flexlbf` and its commands."""
