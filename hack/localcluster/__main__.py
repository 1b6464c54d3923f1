"""``PYTHONPATH=hack python3 -m localcluster VERB``."""

import sys

from localcluster.cli import main

sys.exit(main())
