# The two commands a newcomer needs are `make run` and `make test`; both install whatever is missing first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WEB := client_web
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help run test test-python test-others test-web setup lint style types-python types-web format bench bench-load proof soak blind oracles screenshots goldens lock audit sbom fuzz clean

help:            ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run:             ## install what running needs, start Postgres, migrate, and serve the demo study on http://127.0.0.1:8000
	@$(MAKE) --no-print-directory -j 2 $(VENV)/.installed $(WEB)/dist/manifest.json
	$(BIN)/grintu serve --demo --port $(PORT)

# Compiled modules are kept even where the environment says not to: the tests start many processes.
unexport PYTHONDONTWRITEBYTECODE

# Many tests wait for other processes, so one more than there are cores run at a time, but each brings a browser or a server
# along; long files begin first. Linters and the tests in Node run beside them; what measures times runs alone, at the end.
# The few that fail beside all the others run once more alone (tests/again.py); what fails again fails the run.
TEST_PROCESSES ?= $(shell n=$$(nproc 2>/dev/null || echo 2); expr $$([ $$n -lt 8 ] && echo $$n || echo 8) + 1)
test:            ## install, lint, check types and run every test
	$(MAKE) --no-print-directory -j 2 setup $(VENV)/.browser
	$(MAKE) --no-print-directory -j 2 test-python test-others
	$(BIN)/pytest -m alone $$(grep -rl --include='test_*.py' 'mark\.alone' tests) || $(BIN)/python -m tests.again

test-python: setup $(VENV)/.browser
	rm -f .pytest_cache/v/cache/lastfailed
	$(BIN)/pytest -n $(TEST_PROCESSES) --dist loadfile --no-loadscope-reorder -m "not alone" || $(BIN)/python -m tests.again

test-others:
	$(MAKE) --no-print-directory --output-sync lint test-web

test-web: $(WEB)/node_modules/.installed
	cd $(WEB) && npm test --silent

setup: $(VENV)/.developing $(WEB)/dist/manifest.json  ## install everything into the checkout, the tools of the tests too

lint: types-python style types-web  ## ruff, mypy and tsc, all strict

style: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types-python: $(VENV)/.developing
	$(BIN)/mypy

types-web: $(WEB)/node_modules/.installed
	cd $(WEB) && npm run --silent check

format: $(VENV)/.developing  ## put every Python file into the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup     ## measure; prints tables, never fails on a slow machine
	$(BIN)/python -m benchmarks._beside
	$(BIN)/python -m benchmarks

proof: setup     ## do the statistics find planted truths, and refinement the planted factor? Prints the tables of the docs; hours
	$(BIN)/python -m benchmarks.statistics
	$(BIN)/python -m benchmarks.refinement

bench-load: setup  ## whole matches by simulated probands, with one server process and with two; about five minutes
	$(BIN)/python -m benchmarks.load

soak: setup      ## an hour of continuous play: does anything pile up? Samples and picture go into soak/
	$(BIN)/python -m benchmarks.soak

blind: setup     ## how well persons can be told from programs: by times, on a real server, by the wait in the lobby; an hour
	$(BIN)/python -m tests.blind

R_PACKAGES := r-base-core r-cran-erm r-cran-lme4 r-cran-metafor r-cran-proc
oracles: setup   ## ask R itself whether it still says what the tests hold our statistics against; fails where R or a package is missing
	@test "$$(id -u)" != 0 || { apt-get update -q && apt-get install -qy --no-install-recommends $(R_PACKAGES); } >/dev/null
	$(BIN)/python -m tests.lab.oracles

screenshots: setup $(VENV)/.browser  ## pictures of every page, light and dark, wide and narrow, into screenshots/
	$(BIN)/python -m tests.browser.screenshots screenshots

goldens: $(VENV)/.developing  ## write the golden playthroughs of all games anew
	$(BIN)/python -m tests.games.playthrough

lock: $(VENV)/.developing  ## compile both lock files anew from pyproject.toml: all of it, and the part that running needs
	$(BIN)/pip-compile --quiet --strip-extras --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
	    --no-header --generate-hashes --extra dev --allow-unsafe --output-file requirements-dev.lock pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python deploy/runtime_lock.py > requirements.lock.new
	mv requirements.lock.new requirements.lock

# Both audits run, and either fails the whole. Neither says plainly that it could not ask; but then it lists no holes, so we say it.
UNKNOWN = the service did not answer for all of them, so nothing is known, neither good nor bad. Try again where it can be reached.
audit: $(VENV)/.developing $(WEB)/node_modules/.installed  ## known holes in what we depend on; fails as well if nobody can be asked
	@failed=0; \
	holes=$$($(BIN)/pip-audit --strict --disable-pip --require-hashes --requirement requirements-dev.lock) || { failed=1; \
	    test -n "$$holes" || holes="Python packages: $(UNKNOWN)"; }; \
	echo "$${holes:-Python packages: no known holes}"; \
	holes=$$(cd $(WEB) && npm audit) || { failed=1; \
	    case "$$holes" in *"npm audit report"*) ;; *) holes="npm packages: $(UNKNOWN)" ;; esac; }; \
	echo "$$holes"; \
	exit $$failed

sbom: $(VENV)/.installed  ## what is shipped, as sbom.json (CycloneDX)
	$(BIN)/python deploy/sbom.py > sbom.json

MINUTES ?= 60
fuzz: setup      ## fuzz parsers, pages and sockets for MINUTES (60); what breaks something is kept and tested from then on
	$(BIN)/python -m tests.fuzz --keep --minutes $(MINUTES)

# A Debian without python3-venv has no ensurepip; as root we can mend that, otherwise we say what is missing.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed (PYTHON=...)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy python3-venv; } \
	    || { echo "python3-venv is needed: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# What running needs; the tools of the tests come on top of it, when somebody asks for them.
$(VENV)/.installed: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.developing: requirements-dev.lock $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

$(WEB)/node_modules/.installed: $(WEB)/package.json $(WEB)/package-lock.json
	@command -v npm >/dev/null || { echo "Node 20 with npm is needed"; exit 1; }
	cd $(WEB) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# Rebuilt whenever a source of the bundles or of the Python archive changes; building takes seconds.
BUNDLE_SOURCES := $(shell find $(WEB)/src $(WEB)/styles $(WEB)/locales $(WEB)/tools $(WEB)/images kernels games npc -type f \
    -not -name '*.pyc' 2>/dev/null) $(WEB)/build.mjs

$(WEB)/dist/manifest.json: $(WEB)/node_modules/.installed $(BUNDLE_SOURCES)
	cd $(WEB) && npm run --silent build
	@touch $@

# The tests drive Debian's chromium. An ordinary user needs it installed already.
$(VENV)/.browser: | $(VENV)/.developing
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy --no-install-recommends chromium fonts-dejavu-core; } \
	    || { echo "chromium is needed: apt-get install chromium"; exit 1; }
	@touch $@

clean:           ## remove everything that make has built, but not the data folder
	rm -rf $(VENV) $(WEB)/node_modules $(WEB)/dist grintu.egg-info
