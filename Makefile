# `make help` lists the targets. Every knob below can be given on the command line: `make demo PYTHON=python3.12`.

PYTHON ?= python3
# PostgreSQL version that the tests of the store run on besides the embedded 18: Debian's 15 where it is installed.
OTHER_POSTGRES ?= $(if $(wildcard /usr/lib/postgresql/15/bin/initdb),15,16)
# Test processes side by side.
WORKERS ?= 3
# More words for pytest: `make test-fast PYTEST="-k identity"`.
PYTEST ?=
# Words of an airflow command: `make airflow COMMAND="dags list"`.
COMMAND ?= version
# The example runs again, though it has run before: `make demo AGAIN=1`.
AGAIN ?=

VENV := .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.run-time-packages
DEV := $(VENV)/.development-packages
AIRFLOW_TESTS := $(VENV)/.airflow-tests.log
# As pip does for what it installs: where Python may write no bytecode itself, each process would compile all it imports.
COMPILE := $(BIN)/python -m compileall -q dags plugins spark_jobs src

.DEFAULT_GOAL := help
.PHONY: help setup demo down airflow secrets test test-slow test-fast test-long lint format wheel pages screenshots lock

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(DEV) ## Make .venv with all packages, those for development too

demo: $(RUN) ## Start Postgres and Airflow here, run the example pipeline, normalize its lineage, show the result
	@$(COMPILE)
	@$(BIN)/python -m lineage_core.local up $(if $(AGAIN),--again)

down: ## Stop what `make demo` started; what was stored stays
	@if [ -x $(BIN)/python ]; then $(BIN)/python -m lineage_core.local down; else echo "Nothing was running."; fi

airflow: $(RUN) ## Run an airflow command against the demo's Airflow: COMMAND="dags list"
	@$(BIN)/python -m lineage_core.local airflow $(COMMAND)

secrets: ## Write .env for docker compose, with a secret for each part; one that is there stays
	@$(PYTHON) docker/make_secrets.py

test: $(DEV) lint ## Run lint, then all tests but the slow and the long ones
	@$(COMPILE) tests
	# Side by side, as Airflow's tests wait for Airflow most of the time.
	@$(BIN)/pytest -m "airflow and not slow and not long" $(PYTEST) > $(AIRFLOW_TESTS) 2>&1 & airflow=$$!; \
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not airflow and not slow and not long and not other_server" $(PYTEST); \
	others=$$?; wait $$airflow; airflow=$$?; cat $(AIRFLOW_TESTS); exit $$((others || airflow))

test-slow: $(DEV) ## Run the slow tests, and on a second PostgreSQL version what depends on the server
	@$(COMPILE) tests
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "slow and not long and not both_servers" $(PYTEST)
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "(both_servers or other_server) and postgres and not shared_data and not long" --postgres $(OTHER_POSTGRES) $(PYTEST)

test-long: $(DEV) ## Run the tests that take minutes each: mutants of the laws, large events, every kill
	@$(COMPILE) tests
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "long and not airflow" $(PYTEST)
	$(BIN)/pytest -m "long and airflow" $(PYTEST) || [ $$? -eq 5 ] # as PYTEST may choose none of these

test-fast: $(DEV) ## Run the tests that need no server, no Java and no Airflow
	$(BIN)/pytest -m "not postgres and not spark and not airflow and not long" $(PYTEST)

lint: $(DEV) ## Check style, types and import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV) ## Format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

wheel: $(DEV) ## Build the wheel into dist/
	$(BIN)/pip wheel --quiet --no-build-isolation --no-deps --no-index --wheel-dir dist .

pages: ## Build the script of the pages from src/lineage_core/pages/script, with npm
	cd src/lineage_core/pages/script && npm ci --no-audit --no-fund && npm run --silent build && rm -r node_modules

screenshots: $(DEV) ## Take the pictures of the docs again, in Chromium
	$(BIN)/python -m tests.pages.screenshots

lock: ## Resolve what pyproject.toml and requirements-dev.in require again, into requirements*.txt
	$(PYTHON) -m venv --clear $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet '.[airflow,s3,iceberg,mcp,pages,receiver]'
	$(VENV)-lock/bin/pip freeze --exclude lineage-core > requirements.txt
	$(VENV)-lock/bin/pip freeze --exclude lineage-core | sort > $(VENV)-lock/run-time
	$(VENV)-lock/bin/pip install --quiet --requirement requirements-dev.in
	(echo "-r requirements.txt"; $(VENV)-lock/bin/pip freeze --exclude lineage-core | sort | comm -13 $(VENV)-lock/run-time -) > requirements-dev.txt
	rm -r $(VENV)-lock

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; give one: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(RUN): $(VENV)/pyvenv.cfg requirements.txt pyproject.toml
	@echo "Installing the packages of requirements.txt into $(VENV); this takes a minute or two ..."
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	@touch $@

$(DEV): $(RUN) requirements-dev.txt
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	@touch $@
