# Everything a newcomer needs: `make run` plays, `make test` proves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test test-long lint bench golden mutants clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/installed-test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@ $(VENV)/installed

## run: install, then open the table
run: $(VENV)/installed
	$(BIN)/hashmark play

## test: install what tests need, then lint and run all of them
test: lint
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not long"

## test-long: the heavy sweeps as well
test-long: $(VENV)/installed-test
	$(BIN)/python -m pytest

## lint: style and types
lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

## bench: speed and memory as ratios in one run
bench: $(VENV)/installed-test
	$(BIN)/python benchmarks/run.py

## golden: write the golden playthroughs anew (read the difference before you commit it)
golden: $(VENV)/installed-test
	UPDATE_GOLDEN=1 $(BIN)/python -m pytest tests/test_golden.py tests/games/test_data_driven_files.py

## mutants: faults put into the games on purpose; which would no test notice?
mutants: $(VENV)/installed-test
	PYTHONPATH=tests $(BIN)/python -m mutants

clean:
	rm -rf $(VENV) build dist *.egg-info src/*.egg-info
