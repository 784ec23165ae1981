# make setup   creates .venv with everything that development needs
# make demo    runs one good example and leaves a page to open
# make test    all tests          make test-long   the long fuzzing campaigns
# make lint    style, types, layers
# make labs    measures the paper's claims and writes docs/labs and docs/exercises
# make docs    the documentation site, in build/site
# make bench   benchmarks: a table and build/bench.json
# make editors grammars and syntax files, written from the registries; with npm, the extension of VS Code in dist/
# make dist    a wheel and a source archive, in dist/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test test-long lint labs docs bench dist editors clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml requirements-dev.lock tools/install-browser.sh
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	sh tools/install-browser.sh
	touch $@

demo: setup
	$(BIN)/chainlist run --example peaucellier-lipkin --html --show

test: setup
	$(BIN)/python -m pytest -n 2 -m "not long"

test-long: setup
	$(BIN)/python -m pytest -n 2 -m long

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

labs: setup
	$(BIN)/python -m chainlist.labs.book docs

docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
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
