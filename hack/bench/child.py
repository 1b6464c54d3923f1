"""What a child process needs to find the same code."""

import os
import sys


def environment() -> dict[str, str]:
    """This process' environment, with its search path."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
