# Everything runs in .venv, which is made when it is missing: `make demo` and `make test` need only Python 3.11 and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
WHEELS := .cache/wheelhouse
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup model demo test check lint format types contracts golden docs bench clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "skillc needs Python 3.11 or newer; name one with make PYTHON=...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --only-binary :all: --dest $(WHEELS) '.[openai,snapshot]' 2>/dev/null || \
	  $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --wheel-dir $(WHEELS) '.[openai,snapshot]'
	@rm -f $(WHEELS)/skillc-*.whl
	@touch $@

demo: setup
	$(BIN)/skillc check --strict
	$(BIN)/skillc build
	$(BIN)/skillc run weird-rules-short --script skills/novel/weird-rules-short/scripts/demo.yaml

# A real model for one test, which is skipped where it cannot be fetched or run.
model: setup
	@$(BIN)/python tests/real_model.py || true

test: setup
	$(BIN)/python -m pytest -n auto

check: lint types contracts test

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports

golden: setup
	$(BIN)/python -m pytest --snapshot-update

docs: setup
	$(BIN)/python docs/generate.py

bench: setup
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m compileall -q compiler
	$(BIN)/python tests/benchmarks/bench.py $(BENCH)
	$(BIN)/python tests/benchmarks/sessions.py
	SKILLC_KILLS=150 $(BIN)/python -m pytest -q tests/crash

clean:
	rm -rf $(VENV) .cache build/index.json build/novel build/dialogue
