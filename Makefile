# Everything a person or CI does here is a target below; `make` alone lists them.
# Every step prints one line on stderr, and its whole output only when it fails. stdout belongs to the command that was asked for.

PYTHON ?= python3
ARGS ?=

SHELL := /bin/sh
.SHELLFLAGS := -euc
.ONESHELL:
.NOTPARALLEL:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# What a caller's shell may carry and must not change what happens here (PYTHONDONTWRITEBYTECODE would make every start compile everything anew).
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONOPTIMIZE PYTHONWARNINGS PYTHONDONTWRITEBYTECODE VIRTUAL_ENV CONDA_PREFIX
unexport PIP_USER PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIRE_VIRTUALENV PIP_CONSTRAINT PIP_NO_BINARY PIP_DRY_RUN
unexport UV_SYSTEM_PYTHON UV_PYTHON UV_TARGET UV_PREFIX UV_CONSTRAINT UV_OVERRIDE UV_NO_BINARY UV_EXCLUDE_NEWER

# In CI a missing system package is an error, not a reason to skip tests.
ifneq ($(filter-out 0 no false,$(CI)),)
export GOLDEN_REQUIRE_SYSTEM := 1
endif

# The shell functions that the recipes share.
define FUNCTIONS
fail() { printf '%s\n' "$$1" >&2; exit 1; }

# step LINE COMMAND...: say LINE, run COMMAND, and show what it printed only when it fails.
step() {
    printf '%s\n' "$$1" >&2; shift
    log=$$(mktemp); trap 'rm -f "$$log"' EXIT
    "$$@" >"$$log" 2>&1 </dev/null || { code=$$?; cat "$$log" >&2; printf 'failed with code %s: %s\n' "$$code" "$$*" >&2; exit "$$code"; }
    rm -f "$$log"
}

# Two makes in one folder take turns, where the system has flock.
take_turns() { exec 9>.venv.lock; if command -v flock >/dev/null 2>&1; then flock 9; fi; }

# Stamps are named after what they were made from, and written last: no stamp, no trust.
checksum() { cat "$$@" | cksum | tr ' ' -; }
stamped() { [ -e ".venv/.stamps/$$1" ]; }
stamp() { mkdir -p .venv/.stamps; : >".venv/.stamps/$$1"; }

# uv reads neither pip's settings nor its certificates: pass on a mirror that pip was told to use.
uv_install() {
    if [ -z "$${UV_DEFAULT_INDEX:-}$${UV_INDEX_URL:-}" ]; then
        mirror=$$(.venv/bin/python -m pip config get global.index-url 2>/dev/null || true)
        mirror=$${PIP_INDEX_URL:-$$mirror}
        [ -z "$$mirror" ] || export UV_DEFAULT_INDEX="$$mirror"
    fi
    [ -z "$${PIP_CERT:-}" ] || export SSL_CERT_FILE="$${SSL_CERT_FILE:-$$PIP_CERT}"
    case " $$* " in *" --python "*) ;; *) set -- --python .venv/bin/python "$$@" ;; esac
    .venv/bin/uv pip install --no-deps "$$@"
}
endef

.PHONY: help
help: ## List the targets (what `make` alone does)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' Makefile
	printf '%s\n' '' 'PYTHON=/path/to/python3 chooses the interpreter that .venv is made from (3.11 or newer).'

.PHONY: env
env: ## Make .venv from the lock files; does nothing when it is up to date
	@$(FUNCTIONS)
	take_turns
	key=env-$$(checksum requirements-bootstrap.lock requirements.lock)-$$(pwd -P | checksum)
	if ! stamped "$$key" || ! .venv/bin/python -c '' 2>/dev/null; then
	    command -v "$(PYTHON)" >/dev/null 2>&1 || fail "goldenlib needs Python 3.11 or newer, and there is no '$(PYTHON)' here: install it, or say where it is with make PYTHON=/path/to/python3."
	    version=$$("$(PYTHON)" -c 'import platform; print(platform.python_version())')
	    "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "goldenlib needs Python 3.11 or newer, and '$(PYTHON)' is $$version: install a newer one, or say where it is with make PYTHON=/path/to/python3."
	    "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || fail "'$(PYTHON)' ($$version) cannot make virtual environments: install its venv module (Debian and Ubuntu: apt-get install python3-venv)."
	    base=$$("$(PYTHON)" -c 'import sys; print(sys._base_executable)')
	    rm -rf .venv
	    step "env: .venv with Python $$version" "$$base" -m venv .venv
	    step 'env: uv' .venv/bin/python -m pip install --disable-pip-version-check --no-input --no-deps --require-hashes -r requirements-bootstrap.lock
	    step "env: $$(grep -c == requirements.lock) packages of requirements.lock" uv_install --require-hashes --compile-bytecode -r requirements.lock
	    stamp "$$key"
	fi
	key=project-$$(checksum pyproject.toml)
	if ! stamped "$$key"; then
	    step 'env: goldenlib itself, editable' uv_install --no-build-isolation --editable .
	    stamp "$$key"
	fi

.PHONY: env-llm
env-llm: env
	@$(FUNCTIONS)
	take_turns
	key=llm-$$(checksum requirements-llm.lock)
	if ! stamped "$$key"; then
	    step 'env: the small model server of requirements-llm.lock' uv_install --require-hashes --compile-bytecode -r requirements-llm.lock
	    stamp "$$key"
	fi

.PHONY: run
run: env ## Run the example set against the demo chatbot, write out/; DEGRADED=1 makes the chatbot worse
	@mkdir -p out
	exec .venv/bin/golden run golden/example.yaml --allow-unverified --notebook out/run.ipynb --html out/report.html \
	    --json out/report.json --junit out/junit.xml --markdown out/summary.md $(if $(filter-out 0 no false,$(DEGRADED)),--demo-degraded)

.PHONY: test
test: env-llm ## Check style and types, then run all tests; ARGS="-k word" goes to pytest
	@$(FUNCTIONS)
	sh tests/system_packages.sh
	step 'test: ruff' .venv/bin/ruff check
	$(TYPES)
	$(if $(GOLDEN_REQUIRE_SYSTEM),$(MAKE) --no-print-directory floors)
	exec .venv/bin/pytest $(ARGS)

# Runs after the first, and each has its cache: a cache of another platform would be made anew every time.
define TYPES
step 'types: mypy' .venv/bin/mypy
step 'types: mypy for macOS and Python 3.13' .venv/bin/mypy --platform darwin --python-version 3.13 --cache-dir .mypy_cache/darwin
step 'types: mypy for Windows and Python 3.14' .venv/bin/mypy --platform win32 --no-warn-unreachable --python-version 3.14 --cache-dir .mypy_cache/win32
endef

# What the lowest versions could break: reading and writing what others define, and the engines.
FLOOR_TESTS = tests/files/test_loading.py tests/config/test_settings.py tests/test_running.py tests/driving tests/storage/test_store.py tests/matching \
    tests/warehouse/test_legitimate.py tests/exchange tests/reporting

.PHONY: floors
floors: env ## Test with the lowest versions of dependencies that pyproject.toml declares (in CI part of make test)
	@$(FUNCTIONS)
	take_turns
	key=floors-$$(checksum requirements.lock requirements-floors.lock)
	if ! stamped "$$key" || ! .venv-floors/bin/python -c '' 2>/dev/null; then
	    rm -rf .venv-floors
	    step 'floors: .venv-floors' .venv/bin/uv venv --python .venv/bin/python .venv-floors
	    step 'floors: packages of requirements.lock' uv_install --python .venv-floors/bin/python --require-hashes -r requirements.lock
	    step 'floors: lower ones of requirements-floors.lock' uv_install --python .venv-floors/bin/python --require-hashes -r requirements-floors.lock
	    step 'floors: goldenlib itself, editable' uv_install --python .venv-floors/bin/python --no-build-isolation --editable .
	    stamp "$$key"
	fi
	step 'floors: tests' .venv-floors/bin/python -m pytest -q -p no:cacheprovider -m 'not postgres and not browser and not notebook' $(FLOOR_TESTS)

.PHONY: lint
lint: env ## Check style and types only
	@$(FUNCTIONS)
	step 'lint: ruff' .venv/bin/ruff check
	$(TYPES)

.PHONY: demo
demo: env ## Serve the demo chatbot and the demo judge
	@exec .venv/bin/golden demo serve $(ARGS)

.PHONY: author
author: env ## Serve the authoring workbench as a web page; SET=golden/mine.yaml CONFIG=golden.yaml LANGUAGE=en PORT=8866
	@exec .venv/bin/python -P -m goldenlib.workbench.serving '$(or $(SET),golden/example.yaml)' $(if $(CONFIG),--config '$(CONFIG)') \
	    --language '$(or $(LANGUAGE),id)' $(if $(PORT),--port '$(PORT)') $(ARGS)

.PHONY: bench
bench: env ## Measure speed and memory
	@exec .venv/bin/python -m tests.bench $(ARGS)

.PHONY: lock
lock: env ## Remake the lock files from pyproject.toml; UPGRADE=1 takes newer versions
	@$(FUNCTIONS)
	lock() {
	    .venv/bin/uv pip compile --python .venv/bin/python --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	        --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade) "$$@"
	}
	step 'lock: requirements-bootstrap.lock' lock --group bootstrap -o requirements-bootstrap.lock
	step 'lock: requirements-llm.lock' lock --group llm --no-deps -o requirements-llm.lock
	step 'lock: requirements.lock' lock pyproject.toml --all-extras --group dev -o requirements.lock
	step 'lock: requirements-floors.lock' lock pyproject.toml --all-extras --resolution lowest-direct -o requirements-floors.lock
	! grep -nE '://|index-url|find-links|^torch' requirements*.lock || fail 'lock: these lines must not be in a lock file: no address of an index, and no torch.'

.PHONY: clean
clean: ## Remove .venv, out/ and caches; stores (*.db, .golden/) stay
	@rm -rf .venv .venv-floors .venv.lock out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
