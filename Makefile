# The two commands: `make train` and `make test`. Each sets up .venv first where that is due.

# The first Python that runs and is new enough; another one: make PYTHON=/path/to/python3 ...
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $$name && break; done)
BIN := .venv/bin
READY := .venv/.solwaris-ready
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null | awk '{print ($$1 > 4 ? 4 : $$1)}')
PYTEST := $(BIN)/python -m pytest -n $(WORKERS)

.DEFAULT_GOAL := help
.PHONY: help setup train test test-all bench lint page clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## make .venv and install the project in it

$(READY): pyproject.toml .ci/setup.py
	@test -n "$(PYTHON)" || { echo "solwaris: no Python 3.11 or newer was found; install one or name it with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) .ci/setup.py

train: $(READY) ## train by self-play, export to ONNX, evaluate against random
	@$(BIN)/python -m training.main_job

test: $(READY) ## run the tests, the slow ones left out
	@$(PYTEST) -m "not slow"

test-all: $(READY) ## run all tests
	@$(PYTEST)

bench: $(READY) ## measure speed on one core beside the peers installed
	@$(BIN)/solwaris bench

lint: $(READY) ## check the code's style
	@$(BIN)/python -m ruff check .

page: ## rebuild the page of `solwaris serve` (needs Node 20 with npm)
	@cd solwaris_env/server/page && npm ci --no-audit --no-fund && npm run build

clean: ## remove .venv, build folders and caches; checkpoints stay
	rm -rf .venv build dist .pytest_cache .ruff_cache .hypothesis *.egg-info
	rm -rf solwaris_env/server/page/node_modules
	find solwaris_env training tests -name __pycache__ -type d -prune -exec rm -rf {} +
