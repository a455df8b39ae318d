# Every target is one command; `make help` lists them. Settings: TOWBENCH_* variables, .env, or
# NAME=value here for the names below (make score LIMIT=20 JUDGES=openai/gpt-4o).
SETTINGS := DB LEDGER LANDING RELEASE BENCHMARK SYSTEMS ITEMS LIMIT SOURCES SINCE REVISIT_DAYS CONTACT JUDGES \
	NEGOTIATOR CLASSIFIER FILTER CONSTRUCTOR MARKER WRITERS PERTURBATIONS PERTURBED PERTURBATION_SEED PERTURBER METRICS EMBEDDER LEARNED_METRIC TREES PRESENTATIONS REFERENCES REPEATS \
	NEGOTIATOR_REPEATS SAMPLES JUDGE_TEMPERATURE JUDGE_SAMPLING NEGOTIATOR_SAMPLING \
	CLASSIFIER_SAMPLING FILTER_SAMPLING CONSTRUCTOR_SAMPLING MARKER_SAMPLING WRITER_SAMPLING PERTURBER_SAMPLING CONTEXT TRANSPORT \
	BATCH_POLL BUDGET PRICES BASE_URL CONCURRENCY \
	REQUEST_TIMEOUT RETRY THREADS
$(foreach name,$(SETTINGS),$(if $(filter command line,$(origin $(name))),$(eval export TOWBENCH_$(name) := $($(name)))))

# Every command is a process: it must not compile its modules anew.
unexport PYTHONDONTWRITEBYTECODE

UNKNOWN := $(strip $(foreach name,$(.VARIABLES),$(if $(filter command line,$(origin $(name))),$(filter-out $(SETTINGS) DATA TAG PYTHON,$(name)))))
ifneq ($(UNKNOWN),)
$(error $(UNKNOWN) is no setting here; known: $(SETTINGS); keys and TOWBENCH_<PROVIDER>_... go into the environment or .env)
endif

VENV := .venv
PYTHON ?= $(shell command -v python3.11 || command -v python3)
TOWBENCH := $(VENV)/bin/towbench
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev

.DEFAULT_GOAL := help
.PHONY: help setup corpus score generate import plan reparse status check analyse sql fake-endpoint release test test-slow test-shared lint format bench lock freeze

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(RUNTIME) ## make the environment in .venv (with uv; with pip where uv cannot be had)

corpus: $(RUNTIME) ## crawl, extract, label and filter; build items (SOURCES=, LIMIT=; default: sample sites)
	@$(TOWBENCH) corpus

score: $(RUNTIME) ## score all there is and print the leaderboards; builds the sample corpus first if there is none
	@$(TOWBENCH) score

generate: $(RUNTIME) ## let models write: make generate WRITERS=openai/gpt-4o (SAMPLES=, BENCHMARK=, LIMIT=)
	@$(TOWBENCH) generate

import: $(RUNTIME) ## load a released benchmark: make import DATA=folder
	@test -n "$(DATA)" || { echo "usage: make import DATA=<folder>" >&2; exit 2; }
	@$(TOWBENCH) import "$(DATA)"

plan: $(RUNTIME) ## what a run would ask and cost, before paying
	@$(TOWBENCH) plan

reparse: $(RUNTIME) ## read stored replies again with the current parser; costs no call
	@$(TOWBENCH) reparse

status: $(RUNTIME) ## what is done, pending, retryable and final
	@$(TOWBENCH) status

check: $(RUNTIME) ## run the data checks
	@$(TOWBENCH) check

analyse: $(RUNTIME) ## compute the heavy views (bootstraps) once; they are read until their inputs change
	@$(TOWBENCH) analyse

sql: $(RUNTIME) ## read-only SQL shell
	@$(TOWBENCH) sql

fake-endpoint: $(RUNTIME) ## serve the offline models as an endpoint that misbehaves (ARGS="--faults mixed=0.3")
	@$(TOWBENCH) fake-endpoint $(ARGS)

release: $(RUNTIME) ## write tables and views as Parquet: make release TAG=v1
	@test -n "$(TAG)" || { echo "usage: make release TAG=<name>" >&2; exit 2; }
	@$(TOWBENCH) release "$(TAG)"

test: $(DEV) ## run the tests (no network, no key)
	@$(VENV)/bin/pytest -q -n 2 --dist worksteal -m "not shared and not slow"

test-slow: $(DEV) ## run the tests that take longer: kills, chaos, whole releases
	@$(VENV)/bin/pytest -q -n 2 --dist worksteal -m "slow and not shared"

test-shared: $(DEV) ## run the tests that need ../shared
	@$(VENV)/bin/pytest -q -n 2 --dist worksteal -m shared

lint: $(DEV) ## ruff, mypy and sqlfluff
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/sqlfluff lint --disable-progress-bar -p 2 -q sql schemas

format: $(DEV) ## put code and SQL into the house style
	@$(VENV)/bin/ruff check --fix -q . ; $(VENV)/bin/ruff format -q .
	@$(VENV)/bin/sqlfluff fix --disable-progress-bar -p 2 -q sql schemas

bench: $(DEV) ## measure against the limits and write tests/bench/results.md
	@$(VENV)/bin/python tests/bench/run.py

freeze: $(DEV) ## record the hashes of everything named _vN (before a release tag)
	@$(VENV)/bin/python tests/freeze.py

lock: $(DEV) ## resolve the dependencies anew into requirements.lock and requirements-dev.lock
	@$(PIP) install -q uv
	@$(VENV)/bin/uv pip compile -q --no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml -o requirements.lock
	@$(VENV)/bin/uv pip compile -q --no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml --extra dev -c requirements.lock -o requirements-dev.lock

$(VENV)/bin/python:
	@if command -v uv >/dev/null; then uv venv -q --seed --python "$(PYTHON)" $(VENV); else "$(PYTHON)" -m venv $(VENV); fi

# The package itself is installed editable; a changed lock or pyproject installs again. uv takes seconds
# where pip takes a minute and a half, so it is fetched if there is none; pip stands in where it fails.
# Modules are compiled here, once: a command would else take two seconds longer each time.
PIP := $(VENV)/bin/pip --disable-pip-version-check
define install
	@echo "installing $(1) into $(VENV) ..."
	@UV=$$(command -v uv || echo $(VENV)/bin/uv); \
	test -x "$$UV" || $(PIP) install -q --no-compile uv 2>/dev/null || true; \
	"$$UV" pip install -q --python $(VENV)/bin/python --no-deps --compile-bytecode -r $(1) -e . \
	|| { $(PIP) install -q --no-deps -r $(1) && $(PIP) install -q --no-deps -e .; }
	@touch $(2)
endef

$(RUNTIME): $(VENV)/bin/python requirements.lock pyproject.toml
	$(call install,requirements.lock,$(RUNTIME))

# The development lock holds the runtime one.
$(DEV): $(VENV)/bin/python requirements-dev.lock pyproject.toml
	$(call install,requirements-dev.lock,$(DEV))
	@touch $(RUNTIME)
