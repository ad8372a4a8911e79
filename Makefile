# The three commands of the README: make ask, make test, make lab. Each installs what it needs first.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
Q ?= Who founded the observatory on Skarrow Fell?
DOCS ?= data
MODEL ?= qwen2.5-coder-1.5b
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# As they were typed: a question about $$5 is not one about a variable named 5.
override Q := $(value Q)
override DOCS := $(value DOCS)
override MODEL := $(value MODEL)
export Q DOCS MODEL
# A model that is fetched by its name; a file, a recording or a server is there already.
FETCH = case "$$MODEL" in *@*|*/*|*.gguf|*.jsonl) ;; *) $(BIN)/deepread models fetch "$$MODEL";; esac

.PHONY: help ask test lab install install-dev gate record runs bench clean-outputs hooks

help:
	@echo 'make ask                         ask a question about the documents in data/, with a local model'
	@echo 'make ask Q="..." DOCS=folder     ask anything about any folder'
	@echo 'make ask MODEL=name              with another model: a name that .venv/bin/deepread models lists, a GGUF file, or NAME@http://server/v1'
	@echo 'make test                        run every test, as CI does'
	@echo 'make lab                         open JupyterLab on the quickstart'
	@echo 'make record                      record again what the notebooks replay (needs the model)'
	@echo 'make runs                        ask every system the questions that all_systems and reading_pays count (needs the model)'
	@echo 'make bench                       measure answers on data/questions.jsonl (needs the model)'
	@echo 'make hooks                       git hooks for clean notebooks, and readable notebook diffs'

# --- installation ------------------------------------------------------------------------------------
# A stamp file records that the environment fits settings.ini; a change there installs again.
# llama.cpp is compiled for this machine, which takes longer than all the rest; everything else is fetched and unpacked beside it.
# What only llama.cpp's own programs need is left out: it would be a third of the compilation and is not part of what Python loads.

LLAMA = $$(grep -o 'llama-cpp-python==[0-9.]*' settings.ini)
OTHERS = import configparser, shlex; p = configparser.ConfigParser(delimiters="="); p.read("settings.ini"); \
	print(*[r for r in shlex.split(p["DEFAULT"]["requirements"], comments=True) if not r.startswith("llama-cpp-python")], sep="\n")

.venv/.venv:
	@command -v $(PYTHON) >/dev/null || { echo 'python3 is missing: install Python 3.10 or newer with its venv module (on Debian: apt-get install python3-venv)'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "$$($(PYTHON) --version) is too old: install Python 3.10 or newer, or name another one with PYTHON=python3.11"; exit 1; }
	@echo '[1/3] creating .venv'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --upgrade pip setuptools wheel
	@touch $@

.venv/.llama: .venv/.venv settings.ini
	@command -v $${CXX:-c++} >/dev/null || { echo 'a C++ compiler is missing, which llama.cpp needs: install gcc and g++ (on Debian: apt-get install build-essential)'; exit 1; }
	@echo '[2/3] llama.cpp: compiling it for this machine takes 4 to 8 minutes on 2 cores the first time, seconds from then on'
	@echo 'set(LLAMA_BUILD_COMMON OFF)' > .venv/lean.cmake
	@SKBUILD_CMAKE_DEFINE="CMAKE_PROJECT_llama.cpp_INCLUDE=$(CURDIR)/.venv/lean.cmake" $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir .venv/wheels $(LLAMA)
	@touch $@

.venv/.others: .venv/.venv settings.ini
	@echo '      and meanwhile the packages it works with'
	@$(BIN)/python -m pip install --quiet -r <($(BIN)/python -c '$(OTHERS)')
	@touch $@

.venv/.package: .venv/.venv settings.ini setup.py
	@$(MAKE) --no-print-directory -j2 .venv/.llama .venv/.others
	@echo '[3/3] the package itself'
	@$(BIN)/python -m pip install --quiet --find-links .venv/wheels -e .
	@touch $@

.venv/.dev: .venv/.package
	@echo '      and the tools of development: about 1 minute'
	@$(BIN)/python -m pip install --quiet -e '.[dev]'
	@touch $@

# The browser tests drive Debian's Chromium; where it cannot be installed they are skipped and say so.
.venv/.browser: .venv/.dev
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
		{ echo '      and Chromium for the browser tests'; apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
		echo '      Chromium could not be installed: the browser tests will be skipped'
	@touch $@

install: .venv/.package
install-dev: .venv/.dev

# --- use ---------------------------------------------------------------------------------------------

ask: .venv/.package
	@$(FETCH)
	@$(BIN)/deepread ask "$$Q" "$$DOCS" --model "$$MODEL"

lab: .venv/.dev
	@$(BIN)/jupyter lab $$([ $$(id -u) -ne 0 ] || echo --allow-root) nbs/tutorials/quickstart.ipynb

# --- tests -------------------------------------------------------------------------------------------
# The gate: the exported package is what the notebooks say, the notebooks are clean, the README is made from its notebook,
# and the code is formatted, has no likely bug and no wrong type.

CODE = nbs tests data conftest.py setup.py

gate: .venv/.dev
	$(BIN)/nbdev_export
	$(BIN)/nbdev_clean
	$(BIN)/python tests/readme.py
	git diff --exit-code -- nbs deepread_nb README.md
	$(BIN)/ruff format --check --quiet $(CODE)
	$(BIN)/ruff check --quiet $(CODE) deepread_nb
	$(BIN)/basedpyright

test: gate .venv/.browser
	$(BIN)/deepread models fetch smollm2-135m
	$(BIN)/python -m pytest -q nbs tests

record: .venv/.dev
	@$(FETCH)
	$(BIN)/python tests/bench/record.py --model "$$MODEL"

runs: .venv/.dev
	@$(FETCH)
	$(BIN)/python tests/bench/systems.py --model "$$MODEL" --out data/runs

bench: .venv/.dev
	@$(FETCH)
	$(BIN)/python tests/bench/answers.py --questions data/questions.jsonl --documents data --limit 10 --model "$$MODEL"

# With full paths: git is also called where .venv is not activated.
hooks: .venv/.dev
	@install -m 755 .ci/pre-commit "$$(git rev-parse --git-path hooks)/pre-commit"
	@git config diff.jupyternotebook.command "'$(CURDIR)/$(BIN)/git-nbdiffdriver' diff"
	@git config merge.jupyternotebook.name 'notebooks, cell by cell'
	@git config merge.jupyternotebook.driver "'$(CURDIR)/$(BIN)/git-nbmergedriver' merge %O %A %B %L %P"
	@echo 'Notebooks are cleaned before each commit, and compared cell by cell.'
