# Every target bootstraps .venv from Python's own venv; nothing else is needed.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: install demo test e2e check format bench screenshots clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(STAMP)

demo: install
	$(BIN)/ppgp-tui demo

# One worker more than there are cores, for many tests wait; whoever is done first takes from others.
test: install
	$(BIN)/python -m pytest -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist worksteal

# The real agents, offline; PPGP_E2E_AGENTS=DIR names a folder in which npm has put them.
e2e: install
	$(BIN)/python -m tests.e2e.real

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: install
	$(BIN)/python -m tests.bench

screenshots: install
	$(BIN)/python -m tests.screenshots

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
