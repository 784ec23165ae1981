# make demo    sets up what a user needs, runs one good example and leaves a page to open
# make setup   creates .venv with everything that development needs
# make test    all tests          make test-long   the long campaigns, with what they counted
# make lint    style, types, layers
# make labs    measures the paper's claims and writes docs/labs and docs/exercises
# make docs    the documentation site, in build/site
# make bench   benchmarks: a table and build/bench.json
# make editors grammars and syntax files, written from the registries; with npm, the extension of VS Code in dist/
# make dist    a wheel and a source archive, in dist/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test test-long lint labs tables docs bench dist editors clean

setup: $(VENV)/.ready

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# What a user needs, in the versions that the tests have seen.
$(VENV)/.usable: pyproject.toml requirements-dev.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --constraint requirements-dev.lock setuptools wheel
	$(PIP) --constraint requirements-dev.lock --no-build-isolation --editable '.[gui,jupyter,sweep,video]'
	touch $@

$(VENV)/.ready: $(VENV)/.usable
	$(PIP) --requirement requirements-dev.lock
	touch $@

# Browsers are for tests alone.
$(VENV)/.browser: $(VENV)/.ready tools/install-browser.sh
	sh tools/install-browser.sh
	touch $@

demo: $(VENV)/.usable
	$(BIN)/chainlist run --example peaucellier-lipkin --html --show

# Python keeps what it has made of the sources, also where it is told not to: every worker, and every process that a test
# starts, would do it again.
test test-long: export PYTHONDONTWRITEBYTECODE :=

# Three workers for two cores: one of them often waits for a page, or for a kernel that another one compiles; more of them only
# wait for one another. What goes to one as a whole, and in which order, is said in tests/conftest.py.
test: $(VENV)/.browser
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not long"

test-long: $(VENV)/.browser
	$(BIN)/python -m pytest -n 2 -m long -rP --no-header

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

labs: setup
	$(BIN)/python -m chainlist.labs.book docs

tables: setup
	$(BIN)/python tools/write_tables.py

docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo open build/site/index.html

bench: setup
	$(BIN)/python benchmarks/run.py

dist: setup
	rm -rf dist build/lib build/bdist.*
	$(BIN)/python -m build --no-isolation --outdir dist .

editors: setup
	$(BIN)/python -m chainlist.language.grammar editors
	cd editors/vscode && npm install --no-audit --no-fund --silent && npx --no-install vsce package --out ../../dist/

clean:
	rm -rf $(VENV) build dist editors/vscode/node_modules .pytest_cache .mypy_cache .ruff_cache
