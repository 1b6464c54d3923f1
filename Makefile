# `make` alone lists the targets. Every target works on a fresh checkout and installs what it needs into
# .venv, and what is built once (Kubernetes, kind's node image) into $FLEXLBF_CACHE or ~/.cache/flexlbf.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready
HACK := PYTHONPATH=hack $(BIN)/python
SOURCES := operator/src hack tests
PYTEST := $(BIN)/python -m pytest
# Two processes: the tests wait for clusters more than they compute.
PARALLEL ?= -n 2
ARGS ?=

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes

$(READY): requirements/dev.txt pyproject.toml $(wildcard operator/native/*)
	@$(PYTHON) hack/require_python.py
	@echo "Setting up $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(READY) ## Create the virtual environment from the pinned dependencies

.PHONY: demo
demo: $(READY) ## Plan and run a backup session on a local cluster (KEEP=1 leaves it; USE_KUBECONFIG=1 uses yours)
	@$(HACK) -m demo $(if $(KEEP),--keep) $(if $(USE_KUBECONFIG),--kubeconfig "$${KUBECONFIG:?set KUBECONFIG}") $(ARGS)

.PHONY: test
test: $(READY) browser cluster-bare cluster-kind chart-tools gitops-tools ## Run all tests: units, a browser, a real control plane, pods on kind
	$(PYTEST) tests/e2e $(ARGS)
	$(PYTEST) $(PARALLEL) tests/unit tests/pages tests/performance tests/integration -m "not scale" $(ARGS)

.PHONY: test-scale
test-scale: $(READY) cluster-bare ## Time plans and sessions of up to 10,000 objects against their limits, on a machine that does nothing else
	$(PYTEST) tests/integration -m scale -s $(ARGS)

.PHONY: test-unit
test-unit: $(READY) ## Run the unit tests but those that take seconds each (about a minute, needs nothing)
	$(PYTEST) -n 2 tests/unit -m "not slow" --hypothesis-profile everyday $(ARGS)

.PHONY: test-browser
test-browser: $(READY) browser ## Look at pages in a headless browser; screenshots go to build/screenshots
	$(PYTEST) tests/pages $(ARGS)

.PHONY: test-integration
test-integration: $(READY) cluster-bare chart-tools gitops-tools ## Run the tests on a real control plane
	$(PYTEST) $(PARALLEL) tests/integration -m "not scale" $(ARGS)

.PHONY: test-e2e
test-e2e: $(READY) cluster-kind chart-tools ## Run the tests with real pods on kind
	$(PYTEST) tests/e2e $(ARGS)

# Built before the tests and not within them, where the first build would run into their time limits.
.PHONY: cluster-bare
cluster-bare: $(READY)
	@$(HACK) -m localcluster build bare

.PHONY: chart-tools
chart-tools: $(READY)
	@$(HACK) -m localcluster build chart >/dev/null
	@$(HACK) -m localcluster build prometheus >/dev/null

.PHONY: gitops-tools
gitops-tools: $(READY)
	@$(HACK) -m localcluster build gitops >/dev/null

# Where there is no browser and none can be installed, its tests say so and are skipped; in CI that is a failure.
.PHONY: browser
browser: $(READY)
	@$(HACK) -m browser >/dev/null || echo "The tests in a browser will be skipped (or fail, in CI)." >&2

# Where kind can't run, the end-to-end tests say why and are skipped; in CI that is a failure.
.PHONY: cluster-kind
cluster-kind: $(READY)
	@$(HACK) -m localcluster node-image >/dev/null || echo "The end-to-end tests will be skipped (or fail, in CI)." >&2

.PHONY: lint
lint: $(READY) ## Check style, types and the layers
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports

.PHONY: format
format: $(READY) ## Put the sources into form
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

.PHONY: generate
generate: $(READY) ## Write CRDs, chart, references, samples, evaluation and the docs' drawings anew
	$(BIN)/python hack/generate.py

# mkdocs-material tells of its own future on standard error; a build that is strict about ours needs that not.
.PHONY: docs
docs: $(READY) ## Build the documentation into build/site; a warning is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open build/site/index.html"

.PHONY: docs-serve
docs-serve: $(READY) ## Show the documentation on http://127.0.0.1:8000 while you write it
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --livereload --dev-addr 127.0.0.1:8000

.PHONY: verify
verify: lint docs ## Check that everything generated is up to date, build the docs, and lint
	@PYTHON=$(BIN)/python hack/verify.sh

.PHONY: bench
bench: $(READY) ## Measure speed and closeness to the lower bound, in one to two minutes (ARGS=--help)
	@$(HACK) -m bench $(ARGS)

# OR-Tools is for this only, so nobody else gets it.
$(BENCH_READY): requirements/bench.txt $(READY)
	@$(PIP_INSTALL) -r requirements/bench.txt
	@touch $@

.PHONY: bench-cp-sat
bench-cp-sat: $(BENCH_READY) ## The same, and run OR-Tools' CP-SAT anew with 40 s a case (ARGS=--record keeps it)
	@$(HACK) -m bench --cp-sat $(ARGS)

.PHONY: image
image: $(READY) ## Build the image flexlbf-operator:dev
	@$(HACK) hack/image.py

.PHONY: chart
chart: $(READY) chart-tools ## Package the Helm chart into dist/
	@"$$($(HACK) -m localcluster build chart)/helm" package charts/flexlbf-operator --destination dist

.PHONY: krew
krew: $(READY) ## Pack kubectl's plugin for Krew into dist/ (URL=https://… of the release, HOMEPAGE=https://…)
	@$(HACK) -m krew --url "$${URL:?set it to where the archive will be}" --homepage "$${HOMEPAGE:?set it to the page of the project}"

.PHONY: cluster-clean
cluster-clean: $(READY) ## Stop what the demo or the tests may have left: the demo's cluster, and a Docker started here
	@$(HACK) -m localcluster kind-down --name flexlbf-demo
	@$(HACK) -m localcluster docker-stop

.PHONY: lock
lock: $(READY) ## Pin the dependencies anew, with hashes
	@hack/lock.sh

.PHONY: clean
clean: ## Remove what the targets made in this checkout
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
