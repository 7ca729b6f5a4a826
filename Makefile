# Needs Python 3.11 or newer and make; everything else is fetched into .venv on the first run.
# `make demo PYTHON=python3.12` takes another Python.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
PEERS := $(VENV)/peers

.PHONY: help demo test check bench soak map clean

help:
	@echo "make demo    fight the example of play, each number explained by its cases"
	@echo "make test    lint, types, unit tests, and the tests of every package"
	@echo "make check   check every package"
	@echo "make bench   measure side by side with other engines"
	@echo "make soak    long random games"
	@echo "make map     the Pacific made anew from geography; docs/map.md says what it needs"
	@echo "make clean   remove .venv and what was built"

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Casebook needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1 | tail -1)." >&2; \
		echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@echo "Setting up $(VENV) (once) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) || { \
		echo "$(PYTHON) cannot set up $(VENV): it lacks its venv module (on Debian: apt install python3-venv)." >&2; exit 2; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	@$(BIN)/casebook demo

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q -n 2
	$(BIN)/casebook test
	$(BIN)/casebook cover content/pto --check

check: $(READY)
	@$(BIN)/casebook check

$(PEERS): $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]' || \
		echo "Some engines to measure against cannot be installed; their rows stay empty." >&2
	@touch $@

bench: $(PEERS)
	$(BIN)/python -m tools.bench

soak: $(READY)
	$(BIN)/python -m pytest -q -m soak

map: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mapgen]'
	@$(BIN)/python -m tools.mapgen
	@$(BIN)/casebook test content/pto content/pto/tests/map/*.rules

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis
