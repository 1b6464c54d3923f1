#!/usr/bin/env bash
# Pins all dependencies, with hashes and without addresses, for every supported Python.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
uv=${UV:-.venv/bin/uv}
compile() {
  "$uv" pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet "$@"
}
compile pyproject.toml --extra tracing -o requirements/runtime.txt
compile pyproject.toml --extra tracing --group dev -c requirements/runtime.txt -o requirements/dev.txt
compile --group pyproject.toml:bench -c requirements/dev.txt -o requirements/bench.txt
