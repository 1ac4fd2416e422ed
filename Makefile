# Every target sets up what it needs; `make` alone lists them.

PYTHON ?= python3
VENV := .venv
INSTALLED := $(VENV)/.installed
SEEDS := 5
SEED_BASE := 0
CHECK_PYTHON := $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
	|| { echo "Python 3.11 to 3.14 is needed: set PYTHON=/path/to/python3.11" >&2; exit 1; }
RUN := $(VENV)/bin/python -m autograder
PIP := $(VENV)/bin/python -m pip
INSTALL_HASHED := install --quiet --require-hashes --only-binary :all:
# Where it is set, pytest would rewrite the tests' assertions anew each time: ten seconds a worker.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(VENV)/bin/python -m pytest --numprocesses=auto --dist=worksteal
# A test that hangs is ended after 20 minutes, with a traceback, and fails.
NO_HANGING := --override-ini faulthandler_timeout=1200 --override-ini faulthandler_exit_on_timeout=true

# requirements.lock has the hashes of all that is installed but torch: its builds are of one version, and
# which of them a machine takes, CPU or CUDA, from disk or an index, is for its owner to choose. constraints.txt
# has the same pins and torch's, for what pip installs without hashes.
PINS := pyproject.toml --extra dev --universal --python-version 3.11 --fork-strategy fewest --quiet \
	--no-annotate --custom-compile-command "make lock"

# nbgrader looks for its own programs on the PATH.
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help course demo release grade check feedback report desk serve formgrader test fast exhaustive \
	mutants withheld hostile bench screenshots lint lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

course: ## Make a course of your own: make course DIR=../my-course
	@[ -n "$(DIR)" ] || { echo "Name a new folder: make course DIR=../my-course" >&2; exit 1; }
	@! ls -A "$(DIR)" 2> /dev/null | grep -qvxE '\.git|\.venv' \
		|| { echo "$(DIR) isn't empty: name a new folder, or an empty one." >&2; exit 1; }
	@[ -w . ] || { echo "pip writes into this folder: make it writable, or copy it." >&2; exit 1; }
	@$(CHECK_PYTHON)
	@echo "Installing the engine into $(DIR)/$(VENV): a few minutes, fewer where uv is installed."
	$(PYTHON) -m venv "$(DIR)/$(VENV)"
	@# The engine alone: the new course needs no torch. pip takes hashes from no constraints, nor for a folder.
	uv pip install --quiet --python "$(DIR)/$(VENV)/bin/python" --compile-bytecode \
		--constraint constraints.txt --editable . 2> /dev/null \
		|| "$(DIR)/$(VENV)/bin/python" -m pip install --quiet --no-warn-script-location \
			--constraint constraints.txt --editable .
	@"$(DIR)/$(VENV)/bin/python" -m autograder init "$(DIR)"
	@touch "$(DIR)/$(INSTALLED)"

demo: $(INSTALLED) ## Take an invented class from release to feedback
	@$(RUN) demo

release: $(INSTALLED) ## Make the students' notebooks from the solutions
	@$(RUN) release

grade: $(INSTALLED) ## Grade everything under submitted/
	@$(RUN) grade

check: $(INSTALLED) ## Grade one notebook alone: make check NOTEBOOK=path/to.ipynb
	@[ -n "$(NOTEBOOK)" ] || { echo "Name a notebook: make check NOTEBOOK=path/to.ipynb" >&2; exit 1; }
	@$(RUN) check "$(NOTEBOOK)"

feedback: $(INSTALLED) ## Write the pages that students get back
	@$(RUN) feedback

report: $(INSTALLED) ## Write what the class understood, a page an assignment
	@$(RUN) report

desk: $(INSTALLED) ## Grade written answers question by question, and decide appeals
	@$(RUN) desk $(if $(DEMO),--demo)

serve: $(INSTALLED) ## Let students hand in, and get feedback at once; DEMO=1 serves an invented class
	@$(RUN) serve $(if $(DEMO),--demo)

formgrader: $(INSTALLED) ## Open nbgrader's own pages for grading
	@$(RUN) formgrader

fast: $(INSTALLED) ## Run the tests that take under a minute
	$(PYTEST) -m "not slow and not exhaustive"

test: $(INSTALLED) ## Run all tests but the exhaustive ones
	$(PYTEST) $(NO_HANGING) -m "not exhaustive"

exhaustive: SEEDS = 200
exhaustive: $(INSTALLED) mutants withheld hostile ## Run what `make test` leaves out; it takes hours
	$(PYTEST) -m exhaustive

mutants: $(INSTALLED) ## Try wrong answers of all kinds on the hidden tests, right ones under SEEDS
	$(VENV)/bin/python -m tests.mutants --seeds $(SEEDS) --seed-base $(SEED_BASE)

withheld: $(INSTALLED) ## Withhold each known mistake, and see what its answers are told instead
	$(VENV)/bin/python -m tests.mutants.withheld

hostile: $(INSTALLED) ## Try the catalogue of hostile notebooks on every level of isolation
	$(VENV)/bin/python -m tests.hostile

bench: $(INSTALLED) ## Time grading beside stock nbgrader
	@$(RUN) release
	$(VENV)/bin/python -m tests.benchmarks

screenshots: $(INSTALLED) ## Take the README's pictures, after `make demo`, with Chromium
	$(VENV)/bin/python -m tests.screenshots

lint: $(INSTALLED) ## Check style, types and imports between rooms
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-logo

lock: ## Pin what pyproject.toml names, by uv; newer releases: make lock UPGRADE=--upgrade
	uv pip compile $(PINS) $(UPGRADE) --output-file constraints.txt
	uv pip compile $(PINS) --constraint constraints.txt --generate-hashes --no-emit-package torch \
		--output-file requirements.lock

clean: ## Remove what the targets made, but never submissions, grades or feedback
	rm -rf $(VENV) .demo .course .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info

$(INSTALLED): requirements.lock constraints.txt
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv $(VENV_OPTIONS) $(VENV)
	@$(PIP) show --quiet torch 2> /dev/null || $(PIP) index versions torch 2> /dev/null | grep -q +cpu \
		|| echo "torch comes with CUDA: 2.7 GB to download. To do without, stop this, and set PIP_EXTRA_INDEX_URL" \
			"to PyTorch's index of CPU packages, or use the torch of a Python that has version 2.13.0:" \
			"make PYTHON=/path/to/python3 VENV_OPTIONS=--system-site-packages"
	@awk '/^uv==/ { found = 1 } found { print; if (!/\\$$/) exit }' requirements.lock > $(VENV)/uv.lock
	$(PIP) $(INSTALL_HASHED) --requirement $(VENV)/uv.lock
	@# Where uv doesn't find an index that pip is told of in its own way, pip does it, in minutes.
	$(VENV)/bin/uv pip $(INSTALL_HASHED) --python $(VENV)/bin/python --compile-bytecode \
		--requirement requirements.lock 2> /dev/null \
		|| $(PIP) $(INSTALL_HASHED) --requirement requirements.lock
	$(PIP) install --quiet --only-binary :all: --constraint constraints.txt torch
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
