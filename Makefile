# make run   set up, build the sample library's knowledge base, serve it     make demo   the same, then exit
# make test  set up and test                                                make check  linters and types
# make w3c   the W3C's SPARQL suites over HTTP                              make check-all  these and the long tests
# make docs  the documentation's site, in build/site                        make reference  docs/reference, from the code
# make bench the benchmarks                                                  make soak  hours of readers and writers, in steps
# make wheel the wheel, tried out where no checkout is                      make audit, make sbom  what is installed
# Settings: PORT=8000 (run), PYTHON=python3 (3.11 or newer), PIP_ARGS=… (handed to pip), TEST_WORKERS=2

PYTHON ?= python3
PORT ?= 8000
PIP_ARGS ?=
TEST_WORKERS ?= 2
export PYTHONDONTWRITEBYTECODE := # what the tests' many processes import is compiled once

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SAMPLE := corpus

.DEFAULT_GOAL := help
.PHONY: help install run demo test test-long check check-all w3c hostile bench soak docs reference wheel audit sbom clean

help:
	@sed -n 's/^# //p' Makefile

install: $(INSTALLED)

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=…")'
	@test -x $(BIN)/python || { echo "Making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "Installing (minutes the first time)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check $(PIP_ARGS) -c constraints.txt -e '.[dev]'
	@$(BIN)/python -m kg.indexes.export_model > /dev/null
	@touch $@

run: install
	@$(BIN)/kg build $(SAMPLE)
	@exec $(BIN)/python -m kg.demo --port $(PORT)

demo: install
	@$(BIN)/kg build $(SAMPLE)
	@$(BIN)/python -m kg.demo --port 0 --once

test test-long: export OPENBLAS_NUM_THREADS := 1# the workers are what runs side by side

test: install
	@$(BIN)/python -m tests.browser.install
	@$(BIN)/python -m pytest -r s -n $(TEST_WORKERS)

check: install
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy src/kg api

test-long: install
	@$(BIN)/python -m pytest -r s -n $(TEST_WORKERS) -m long

check-all: check test test-long w3c hostile docs wheel audit sbom

w3c: install
	@$(BIN)/python -m tests.w3c

hostile: install
	@$(BIN)/python -m tests.hostile 10000

reference: install
	@$(BIN)/python docs/tools/reference.py

docs: reference
	@$(BIN)/mkdocs build --quiet
	@echo "The site: build/site/index.html"

wheel: install
	@$(BIN)/python -m tests.docs.wheel

audit: install
	@$(BIN)/python -m tests.docs.supply audit

sbom: install
	@$(BIN)/python -m tests.docs.supply sbom

bench: install
	@for file in $(filter-out benchmarks/soak.py,$(wildcard benchmarks/*.py)); do echo "== $$file"; $(BIN)/python "$$file" || exit 1; done

soak: install
	@$(BIN)/python benchmarks/soak.py

clean:
	@rm -rf $(VENV) kb build dist *.egg-info src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
