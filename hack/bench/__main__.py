"""``PYTHONPATH=hack python -m bench``: one table of figures; exit status 1 if one left its range."""

import sys

from bench.cli import main

sys.exit(main())
