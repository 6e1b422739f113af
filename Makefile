# Everything a newcomer needs: `make run` plays, `make test` proves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run fast league cluster envs web plot all docs pictures browser postgres test test-quick test-long lint bench golden mutants clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/installed-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	touch $@ $(VENV)/installed

## run: install what a game needs, and no more, then open the tables in the browser
run: $(VENV)/installed-web
	@echo "More, when you want it: make fast (simulation by the million), make league (charts and"
	@echo "plans from play-by-play), make cluster (many machines), or make all. At the terminal:"
	@echo "$(BIN)/hashmark play"
	$(BIN)/hashmark serve

## fast, league, cluster, envs, web, plot, all: install what these commands need besides
fast league cluster envs web plot all: %: $(VENV)/installed-%

## browser: the system's Chromium, or else one for the tests, or else the one of the system's packages
browser: $(VENV)/installed-test
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
		command -v google-chrome >/dev/null || \
		$(BIN)/python -m playwright install chromium || \
		{ apt-get update -q && apt-get install -q -y chromium; }

## postgres: the system's PostgreSQL, or else the one of the system's packages; tests start it
postgres:
	@command -v postgres >/dev/null || command -v pg_config >/dev/null || \
		ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || \
		{ command -v apt-get >/dev/null && apt-get update -q && apt-get install -q -y postgresql; } || \
		echo "There is no PostgreSQL, and none could be installed: its tests will be skipped."

## pictures: those of the web page in docs/ renewed (look at them before you commit)
pictures: browser
	HASHMARK_PICTURES=$(CURDIR)/docs $(BIN)/python -m pytest -q tests/web/pages/test_screenshots.py

## test: install what tests need, then lint and run all of them
test: lint browser postgres
	$(BIN)/python -m pytest -n auto -m "not long"

## test-quick: the tests of the inner loop, without what compiles or takes long: under a minute
test-quick: $(VENV)/installed-test
	$(BIN)/python -m pytest -n auto -m "not long and not heavy"

## test-long: the heavy sweeps as well
test-long: $(VENV)/installed-test browser postgres
	$(BIN)/python -m pytest

## lint: style and types
lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

## bench: speed and memory as ratios in one run
bench: $(VENV)/installed-test
	$(BIN)/python benchmarks/run.py

## golden: write the golden playthroughs again (read the difference before you commit it)
golden: $(VENV)/installed-test
	UPDATE_GOLDEN=1 $(BIN)/python -m pytest tests/conformance/test_golden.py tests/games/data_driven/charts/test_files.py

## mutants: faults put into the games on purpose; which would no test notice?
mutants: $(VENV)/installed-test
	PYTHONPATH=tests $(BIN)/python -m mutants

## docs: the docs as a site with search, in site/; a broken link is an error
docs: $(VENV)/installed-docs
	$(BIN)/python tools/docs_site.py

clean:
	rm -rf $(VENV) build dist site *.egg-info src/*.egg-info
