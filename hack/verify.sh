#!/usr/bin/env bash
# Fails, with the difference and the mend, when a generated file is not what the models give.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=${PYTHON:-$root/.venv/bin/python}
exec "$python" "$root/hack/generate.py" --check
