"""The one exception that a person is meant to read."""


class LocalClusterError(Exception):
    """Says what went wrong and what to do about it; the command line prints it without a traceback."""
