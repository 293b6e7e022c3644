# Two commands do all the set-up: `make demo` shows the engine at work, `make check` runs every test.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo check format lint types test slow fuzz sanitize benchmark clean

demo: .venv/installed
	$(BIN)/thrive analyze --board

check: lint types test

format: .venv/developing
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: .venv/developing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/developing
	$(BIN)/mypy

test: .venv/developing
	$(BIN)/pytest -n auto

slow: .venv/developing
	THRIVE_KILLS=50 THRIVE_GAMES=1000 $(BIN)/pytest tests/arena/test_kill.py
	THRIVE_PROOFS=10 $(BIN)/pytest tests/test_kernel_proof.py

fuzz: .venv/developing
	$(BIN)/python tests/fuzz_engine.py

sanitize: .venv/developing
	tools/sanitize.sh $(BIN)/python

benchmark: .venv/developing
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -f thrive_engine/search/kernel/*.so thrive_engine/search/kernel/*.c

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/developing: .venv/installed
	$(BIN)/pip install --quiet --group dev
	touch $@
