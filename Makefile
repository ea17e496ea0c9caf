# Every target sets itself up in .venv; a fresh machine needs Python 3.11 or newer, make and a C compiler.

PYTHON ?= $(shell python3.11 -c '' >/dev/null 2>&1 && echo python3.11 || echo python3)
WORKERS ?= 2
PYTEST_ARGS ?=
FUZZ_ARGS ?= --minutes 60
OF ?= gridarium

VENV := .venv
BIN := $(VENV)/bin
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --durations=15
READY := $(VENV)/.ready
OLDEST := .venv-oldest
OLDEST_PACKAGES := numba==0.62.0 numpy==2.0.2 gymnasium==1.2.2
OLDEST_TESTS := tests/env tests/episodes tests/compiled tests/engine/test_determinism.py tests/engine/test_failures.py
# Further extras: make setup EXTRAS=sb3,notebook
EXTRAS :=
INSTALLED := dev,arena,pictures,multiagent,plots,storage,video,web,window$(EXTRAS:%=,%)
COMPILED := src/gridarium/episodes/_loops.c src/gridarium/compiled/_compiled_program.c
CODE := $(wildcard src tests benchmarks examples docs hatch_build.py)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PYTHONUNBUFFERED := 1
# Tests start many processes, each of which would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup again demo test not-exhaustive test-all test-oldest fuzz bench lint style formatting types imports format graph clean

help:
	@echo "make setup    create $(VENV) and install Gridarium in it, with its development tools; EXTRAS=sb3 adds to them"
	@echo "make demo     a short tour in the terminal"
	@echo "make test     lint and the tests"
	@echo "make test-all lint, then all tests, also those that repeat them for every case"
	@echo "make test-oldest   tests with the oldest numba, numpy and Gymnasium that are supported"
	@echo "make fuzz     an hour of random rules, interpreted against compiled"
	@echo "make bench    measure the speed of this machine"
	@echo "make lint     style, formatting, types, imports between rooms"
	@echo "make format   rewrite the code in the house style"
	@echo "make graph    draw which rooms import which, to build/; OF=gridarium.engine draws the inside of a room"
	@echo "make clean    remove $(VENV), caches and build products"

setup: $(READY)

$(READY): $(EXTRAS:%=again)

$(READY) $(OLDEST)/.ready: pyproject.toml Makefile hatch_build.py $(COMPILED)
	@echo "==> Creating $(@D) with $(PYTHON)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Gridarium needs Python 3.11 or newer")'
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@echo "==> Installing Gridarium and its development tools (a few minutes the first time)"
	@$(call installed,uv) && $(@D)/bin/uv pip install -q --python $(@D)/bin/python $(WANTED) || $(call installed,$(WANTED))
	@touch $@

$(OLDEST)/.ready: PINNED := $(OLDEST_PACKAGES)

# uv takes a third of pip's time; where it cannot reach the packages, pip may, by its own settings.
WANTED = --editable '.[$(INSTALLED)]' $(PINNED)
installed = $(@D)/bin/python -m pip install -qq --no-compile $(1)

demo: setup
	@$(BIN)/gridarium demo

bench: setup
	@$(BIN)/gridarium bench

# Lint runs beside the tests.
test: setup
	@$(MAKE) --no-print-directory -j5 style formatting types imports not-exhaustive

not-exhaustive:
	@echo "==> Tests"
	@$(PYTEST) -m "not exhaustive" $(PYTEST_ARGS)

test-all: lint
	@echo "==> All tests"
	@$(PYTEST) --hypothesis-profile=thorough $(PYTEST_ARGS)

test-oldest: $(OLDEST)/.ready
	@echo "==> Tests with $(OLDEST_PACKAGES)"
	@$(OLDEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal $(PYTEST_ARGS) $(OLDEST_TESTS)

fuzz: setup
	@echo "==> The rules of an audit, then random ones, interpreted against compiled"
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -q tests/compiled/audit/second_audit.py
	@$(BIN)/python -m tests.compiled.fuzz --workers $(WORKERS) $(FUZZ_ARGS)

lint: setup
	@$(MAKE) --no-print-directory -j4 style formatting types imports

# They run at once, and each shows what it says when it is done.
style:
	$(call checked,Style,$(BIN)/ruff check $(CODE))
formatting:
	$(call checked,Formatting,$(BIN)/ruff format --check $(CODE))
types:
	$(call checked,Types,$(BIN)/mypy)
imports:
	$(call checked,Imports between rooms,$(BIN)/lint-imports)

checked = @said=$$($(2) 2>&1); status=$$?; printf '==> %s\n%s\n' '$(1)' "$$said"; exit $$status

format: setup
	@$(BIN)/ruff check --fix-only $(CODE)
	@$(BIN)/ruff format $(CODE)

graph: setup
	@mkdir -p build
	@$(BIN)/import-linter drawgraph $(OF) > build/$(OF).dot
	@if command -v dot >/dev/null; then dot -Tsvg build/$(OF).dot -o build/$(OF).svg; fi
	@ls build/$(OF).*
	@command -v dot >/dev/null || echo "Graphviz (its command dot) would draw it as SVG."

clean:
	rm -rf $(VENV) $(OLDEST) build dist .coverage .coverage.* htmlcov
	rm -rf .hypothesis .import_linter_cache src/.import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	rm -f $(COMPILED:.c=.*.so) $(COMPILED:.c=.*.pyd)
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
