"""Refuse, in words, a Python that is too old to run the project (run by every make target)."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the point is to run on an interpreter that is too old
    sys.exit(f"Python 3.11 or later is needed, this is {sys.version.split()[0]}: make PYTHON=python3.12 …")
