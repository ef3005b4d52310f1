# Tablero: `make run` and `make test` are all that a newcomer needs; the rest is for those who change it.
# Needs python3 >= 3.11 with venv (or pip), and make. Nothing is installed outside this folder.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP = $(shell test -x $(VENV)/bin/pip && echo $(PY) -m pip || echo $(PYTHON) -m pip --python $(PY))
INSTALL = $(PIP) install --quiet --disable-pip-version-check --require-hashes -r
BASE := $(VENV)/.base-installed
TEST := $(VENV)/.test-installed
# Only what is said on the command line: some shells export HOST as the machine's name.
HOST_SAID = $(if $(filter command line,$(origin HOST)),--host $(HOST))
PORT_SAID = $(if $(PORT),--port $(PORT))
WORKERS ?= auto
SHELL := /bin/sh

.PHONY: run test test-postgres axe test-fast check check-python check-django check-security check-messages check-js lock messages bench-rules bench-play bench-wall dice-report seed-large bench-pages bench-bots fuzz-formats fuzz-frames fuzz-forms fuzz-api fuzz-desk faults bench-report bench-gnubg clean help
.DEFAULT_GOAL := help

help:
	@echo "make run        run the club on this machine (HOST=..., PORT=... if you like)"
	@echo "make test       all tests: SQLite, then PostgreSQL; real browsers and processes"
	@echo "make test-fast  the tests that start neither browsers nor processes"
	@echo "make check      lint, types, layers, migrations, deployment settings, translations, JavaScript"
	@echo "make lock       lock the requirements again; make messages: collect the texts to translate"
	@echo "make bench-rules, make bench-play, make bench-wall: the benchmarks; make fuzz-formats: broken match files for five minutes"
	@echo "make seed-large fills var/large (or DATABASE_URL) with 100,000 matches; make bench-pages measures the pages there"
	@echo "make bench-bots the computer's five strengths against each other, and what each gives away (an hour)"
	@echo "make dice-report  a million rolls, and how they fall (some minutes)"
	@echo "make fuzz-frames, make fuzz-forms: bad frames on every socket, bad input to every form (FRAMES=1000000, INPUTS=100000)"
	@echo "make fuzz-api   the API against its own schema, by schemathesis (CASES_OF_API=5000)"
	@echo "make fuzz-desk  ten thousand tournaments mended at random: results, corrections, undos and redos"
	@echo "make bench-report  how long a report card takes; make bench-gnubg  our analysis against GNU Backgammon's"
	@echo "make faults     play of bots with a hundred faults under it, then a tournament of 64 with processes killed"

run: $(BASE)
	@exec $(PY) manage.py demo --with-parent $(HOST_SAID) $(PORT_SAID)

# Whole sites and browsers wait more than they compute: two at a time on two cores, the tests of a file at one site,
# and first what takes long.
SLOW := browser or processes
AT_SITES := -m "$(SLOW)" tests/faults tests/live tests/running tests/ops tests/fuzz tests/e2e
FILES := --dist loadfile --no-loadscope-reorder
SITES ?= 2
# Whoever is done early takes from the others: the longest tests come last.
EVEN := --dist worksteal
test: $(TEST) axe
	@echo "== the tests on SQLite"
	@$(PY) -m pytest -n $(WORKERS) $(EVEN) -m "not ($(SLOW))"
	@echo "== whole sites and browsers"
	@$(PY) -m pytest -n $(SITES) $(FILES) $(AT_SITES)
	@$(PY) -m tests.services.postgres $(MAKE) --no-print-directory test-postgres

# On one server, which has the empty tables once. DATABASE_URL names it.
test-postgres: $(TEST)
	@echo "== what touches the database, on PostgreSQL"
	@$(PY) -m pytest -n $(WORKERS) $(EVEN) --database-only -m "not ($(SLOW))"
	@echo "== whole sites and browsers on PostgreSQL"
	@$(PY) -m pytest -n $(SITES) $(FILES) --database-only $(AT_SITES)

# The accessibility tests read axe-core from node_modules; without npm they say what to install.
axe:
	@if command -v npm >/dev/null && [ ! -d node_modules/axe-core ]; then npm ci --no-audit --no-fund --loglevel=error; fi

test-fast: $(TEST)
	@$(PY) -m pytest -n $(WORKERS) $(EVEN) -m "not browser and not processes and not slow"

check: check-python check-django check-security check-messages check-js

check-python: $(TEST)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

# A folder of its own, so that no check depends on what is in var/.
CHECKED = env TABLERO_VAR="$$var" SECRET_KEY="$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(60))')" \
	HTTPS=1 TRUST_PROXY=1 ALLOWED_HOSTS=club.example CSRF_TRUSTED_ORIGINS=https://club.example \
	$(PY) manage.py
check-django: $(TEST)
	@var=$$(mktemp -d) && trap 'rm -rf "$$var"' EXIT && set -ex && \
	$(CHECKED) makemigrations --check --dry-run && \
	$(CHECKED) spectacular --validate --fail-on-warn --file "$$var/schema.yml" && \
	$(CHECKED) check --deploy --fail-level WARNING

check-security: $(TEST)
	$(VENV)/bin/bandit -q -c pyproject.toml -r accounts analysis backgammon draughts games hooks notices talk tournaments manage.py

check-messages: $(TEST)
	$(PY) manage.py messages --check

check-js:
	@if command -v npm >/dev/null; then set -e; npm ci --no-audit --no-fund --loglevel=error; \
	log=$$(mktemp); npm test >"$$log" 2>&1 || { cat "$$log"; exit 1; }; grep -E '^. (tests|pass|fail) ' "$$log"; rm "$$log"; \
	npm run --silent types; \
	elif [ "$$CI" = true ]; then echo "npm is missing: apt install npm" >&2; exit 1; \
	else echo "JavaScript is not checked: npm is missing (apt install npm)"; fi

lock: $(BASE)
	$(PIP) install --quiet uv
	cd requirements && for name in base test rivals; do \
	../$(PY) -m uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate $$(test $$name = rivals && echo --no-deps) $$name.in -o $$name.txt || exit 1; done
	@! grep -n '://' requirements/*.txt || { echo "a lock names an address" >&2; exit 1; }

messages: $(TEST)
	$(PY) manage.py messages

bench-rules: $(TEST)
	@test -d var/rivals || $(INSTALL) requirements/rivals.txt --no-deps --target var/rivals \
	|| echo "Other generators cannot be fetched now: ours is measured alone" >&2
	$(PY) -m tests.bench.rules_bench $$(test -d var/rivals && echo --rivals var/rivals)

# Matches, spectators, everybody back at once, a flood: on two web processes with PostgreSQL and a broker of its own.
# `make bench-play ONLY=analysis MATCHES=100`: matches beside three report cards in the making.
MATCHES ?= 100 200 300 500
bench-play: $(TEST)
	$(PY) -m tests.bench.play --matches $(MATCHES) $(if $(ONLY),--only $(ONLY))

# Sixteen live boards on one page: frames, memory, what the server says.
WALL_SECONDS ?= 20
bench-wall: $(TEST)
	@$(PY) -m tests.bench.wall_bench --seconds $(WALL_SECONDS)

# The five strengths against each other and against a deeper judge; docs/bots.md has the tables (an hour on one core).
GAMES ?= 200
POSITIONS ?= 300
bench-bots: $(TEST)
	@$(PY) -m tests.bench.bot_bench --games $(GAMES) --positions $(POSITIONS)

# Report cards of matches to 7 at every depth; and against GNU Backgammon's own analysis of the same matches.
REPORT_MATCHES ?= 5
bench-report: $(TEST)
	@$(PY) -m tests.bench.report_bench --matches $(REPORT_MATCHES)

GNUBG_MATCHES ?= 10
bench-gnubg: $(TEST)
	@$(PY) -m tests.bench.gnubg_compare --matches $(GNUBG_MATCHES)

# A large site in a folder of its own; look at it with `TABLERO_VAR=var/large .venv/bin/python manage.py demo`.
LARGE = TABLERO_VAR=$${TABLERO_VAR:-var/large}
seed-large: $(TEST)
	@mkdir -p var/large
	$(LARGE) $(PY) manage.py migrate --verbosity 0
	$(LARGE) $(PY) manage.py seed_large

bench-pages: $(TEST)
	$(LARGE) $(PY) -m tests.bench.pages_bench --plans

# A million rolls through chains and proof, as play rolls them: chi-square, serial test, doubles.
ROLLS ?= 1000000
dice-report: $(TEST)
	@$(PY) -m tests.bench.dice_report --rolls $(ROLLS)

# Broken and hostile match files for five minutes: no crash, no hang above a second, bounded memory.
SECONDS_OF_FUZZ ?= 300
fuzz-formats: $(TEST)
	$(PY) -m tests.fuzz.formats --seconds $(SECONDS_OF_FUZZ)

# Who may do what: every route, method and frame x everybody who may come (docs/access.md); and bad input to all of it.
FRAMES ?= 1000000
fuzz-frames: $(TEST)
	@$(PY) -m tests.fuzz.frames --frames $(FRAMES)

INPUTS ?= 100000
fuzz-forms: $(TEST)
	@$(PY) -m tests.fuzz.forms --inputs $(INPUTS)

# Schemathesis with all its checks, as nobody, a player, a director, the staff and a bot (SEED_OF_API repeats a run).
CASES_OF_API ?= 5000
fuzz-api: $(TEST)
	$(PY) -m tests.fuzz.api --cases $(CASES_OF_API) $(if $(SEED_OF_API),--seed $(SEED_OF_API))

# Tournaments that are mended at random, in every format; each has to be what its acts say.
SEQUENCES ?= 10000
DESK_SEEDS ?= 50
fuzz-desk: $(TEST)
	$(PY) -m tests.tournaments.forgiving --sequences $(SEQUENCES)
	@echo "== with rows, boards and ratings: $(DESK_SEEDS) tournaments of each shape twice"
	@DESK_SEEDS=$(DESK_SEEDS) $(PY) -m pytest -q -n $(WORKERS) -o timeout=3600 tests/tournaments/test_forgiving.py -k rows_boards
	@echo "== every format with every number of players"
	@EVERY_SIZE=1 $(PY) -m pytest -q -n $(WORKERS) tests/tournaments/test_every_size.py

# Play: everything between the bots and their matches is broken in turn; nothing acknowledged may be lost or doubled
# (SEED_OF_FAULTS repeats the same choices). Then a tournament, whose worker, beat and broker are killed.
FAULTS_OF_PLAY ?= 100
ACTS_OF_PLAY ?= 10000
PLAYERS_OF_FAULTS ?= 64
faults: $(TEST)
	$(PY) -m tests.faults.play --faults $(FAULTS_OF_PLAY) --acts $(ACTS_OF_PLAY) $(if $(SEED_OF_FAULTS),--seed $(SEED_OF_FAULTS))
	$(PY) -m tests.faults.tournament_of_bots --players $(PLAYERS_OF_FAULTS)

clean:
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Debian without python3-venv has no ensurepip; its python3-pip can then fill a .venv that has no pip of its own.
$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Tablero needs Python 3.11 or newer, for example: make run PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 \
	|| { rm -rf $(VENV); $(PYTHON) -m pip --version >/dev/null 2>&1 && $(PYTHON) -m venv --without-pip $(VENV) 2>/dev/null; } \
	|| { rm -rf $(VENV); echo "Python's venv is incomplete here: apt install python3-venv" >&2; exit 1; }

$(BASE): requirements/base.txt | $(PY)
	@echo "Installing what Tablero needs into $(VENV) (once) ..."
	@$(INSTALL) requirements/base.txt >&2
	@touch $@

$(TEST): requirements/test.txt | $(PY)
	@echo "Installing what the tests need into $(VENV) (once) ..."
	@$(INSTALL) requirements/test.txt >&2
	@touch $@
