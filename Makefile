# Two commands do everything: `make run` (a complete simulated table) and `make test`.
# Both install what is missing and are quick the second time.
SHELL := /bin/sh
.DEFAULT_GOAL := help
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip -qq --disable-pip-version-check
RUN_STAMP := .deps/run.stamp
DEV_STAMP := .deps/dev.stamp
WORKERS ?= 2

.PHONY: help deps run test quick bench evaluate compiled campaign campaign-mcr campaign-evenings campaign-kills campaign-link campaign-builds campaign-walls campaign-reset campaign-stops campaign-faults campaign-interlocks campaign-games campaign-api fuzz fmt lint lock train clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 16

$(RUN_STAMP): requirements/run.txt requirements/build.txt pyproject.toml hardware/pi/system-packages.sh
	@mkdir -p .deps
	@sh hardware/pi/system-packages.sh run
	@test -x $(PY) || python3 -m venv $(VENV)
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --require-hashes -r requirements/build.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV_STAMP): $(RUN_STAMP) requirements/dev.txt
	@sh hardware/pi/system-packages.sh test
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

deps: $(DEV_STAMP)  ## install everything that running and testing need

run: $(RUN_STAMP)  ## start a complete simulated table and print its address (ARGS="--speed 5 --port 0")
	@$(VENV)/bin/mahjong-table run --twin $(ARGS)

test: $(DEV_STAMP) lint  ## all checks and tests, the browser and the twin included
	@$(PY) -m pytest -n $(WORKERS) --dist loadgroup -m "not realtime"
	@$(PY) -m pytest -m realtime

quick: $(DEV_STAMP)  ## the tests without twin and browser
	@$(PY) -m pytest -n $(WORKERS) -m "not e2e and not browser"

lint: $(DEV_STAMP)
	@$(VENV)/bin/ruff check --quiet .
	@$(VENV)/bin/ruff format --quiet --check .
	@$(VENV)/bin/mypy --no-error-summary
	@$(VENV)/bin/lint-imports --no-logo > .deps/imports.log || { cat .deps/imports.log; exit 1; }

fmt: $(DEV_STAMP)  ## format and fix what can be fixed
	@$(VENV)/bin/ruff check --quiet --fix .
	@$(VENV)/bin/ruff format --quiet .

bench: $(DEV_STAMP)  ## print every figure of the budgets
	@$(PY) -m tests.bench

evaluate: $(RUN_STAMP)  ## how well the eyes read, on photographs and the twin: .deps/evaluation/report.html (ARGS="--peer")
	@$(VENV)/bin/mahjong-table vision evaluate $(ARGS)

compiled: $(DEV_STAMP)  ## compile the hot modules of the rules into .deps/compiled, if a source changed
	@$(PY) -m tests.compiled

campaign: campaign-mcr campaign-evenings campaign-kills campaign-link campaign-interlocks campaign-reset campaign-stops campaign-faults campaign-walls campaign-builds campaign-games campaign-api  ## every long campaign

campaign-mcr: $(DEV_STAMP)  ## Chinese Official against another scorer on 20,000 fresh hands (ARGS="--seed 1 --json")
	@$(PY) -m tests.campaigns.mcr_differential $(ARGS)
	@$(PY) -m tests.campaigns.mcr_shapes

campaign-evenings: $(DEV_STAMP)  ## 1,000 evenings of 200 hands by chance against a model, through torn writes, half an hour (ARGS="--n 30", "--seed 1 --kept FILE" goes on)
	@$(PY) -m tests.campaigns.evenings $(ARGS)

campaign-kills: $(DEV_STAMP)  ## 1,000 times kill -9 of the service in twin evenings (ARGS="--n 50", "--seed 1 --kept FILE" goes on)
	@$(PY) -m tests.campaigns.kills $(ARGS)

campaign-link: $(DEV_STAMP)  ## 100,000 commands and events through a bad wire (ARGS="--seed 2 --json")
	@$(VENV)/bin/mahjong-table twin campaign link $(ARGS)

campaign-builds: $(DEV_STAMP)  ## 2,000 clean builds on the real binary, a quarter of an hour (ARGS="--n 200")
	@$(VENV)/bin/mahjong-table twin campaign builds $(ARGS)

campaign-walls: $(DEV_STAMP)  ## every programme and uneven wall, with pauses to add tiles: 200 builds
	@$(VENV)/bin/mahjong-table twin campaign walls $(ARGS)

campaign-reset: $(DEV_STAMP)  ## resets at 500 points of a build
	@$(VENV)/bin/mahjong-table twin campaign reset $(ARGS)

campaign-stops: $(DEV_STAMP)  ## stop, flood, e-stop, dead host and hang from every state: how long until all is off
	@$(VENV)/bin/mahjong-table twin campaign stops $(ARGS)

campaign-faults: $(DEV_STAMP)  ## every fault of the table on 50 seeds, minutes (ARGS="--n 5")
	@$(VENV)/bin/mahjong-table twin campaign faults $(ARGS)

campaign-interlocks: $(DEV_STAMP)  ## a million random steps against the rules that protect hands and parts
	@$(VENV)/bin/mahjong-table twin campaign interlocks $(ARGS)

campaign-games: $(DEV_STAMP)  ## four whole games on the twin, from seating to report, against the rules of a match
	@$(PY) -m tests.campaigns.games $(ARGS)

campaign-api: $(DEV_STAMP)  ## schemathesis over every route in each phase of a hand, for each caller (ARGS="--n 20")
	@$(PY) -m tests.campaigns.api $(ARGS)

fuzz: $(DEV_STAMP)  ## 10,000,000 damaged streams into the host's decoder and the board's core, with sanitizers
	@$(VENV)/bin/mahjong-table twin campaign fuzz $(ARGS)

lock:  ## compile the hashed requirement locks anew
	@$(PIP) install uv==0.13.8
	@$(PY) -m uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate --quiet -o requirements/run.txt
	@printf 'hatchling\neditables\n' | $(PY) -m uv pip compile - --universal --generate-hashes --no-header --no-annotate --quiet -c requirements/run.txt -o requirements/build.txt
	@$(PY) -m uv pip compile pyproject.toml --extra dev -c requirements/run.txt -c requirements/build.txt --universal --generate-hashes --no-header --no-annotate --quiet -o requirements/dev.txt

train: $(RUN_STAMP)  ## train the eyes anew, all folds and the final models (DATA="../shared/data")
	@sh vision/training/train.sh $(DATA)

clean:  ## remove what the build made (not the ledger)
	@rm -rf $(VENV) .deps dist build
