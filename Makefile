# Tablero. `make run` and `make test` are all that a newcomer needs; CONTRIBUTING.md explains the rest.
# Needs python3 >= 3.11 with venv (or pip), and make. Nothing is installed outside this folder.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP = $(shell test -x $(VENV)/bin/pip && echo $(PY) -m pip || echo $(PYTHON) -m pip --python $(PY))
INSTALL = $(PIP) install --quiet --disable-pip-version-check --require-hashes -r
# uv installs in two seconds what takes pip twenty. It knows nothing of pip's settings but the index that is given here.
# Where uv or the index is not to be had, `$(call install,LOCK)` installs with pip.
INDEX = $(or $(PIP_INDEX_URL),$(shell $(PIP) config get global.index-url 2>/dev/null))
UV = UV_HTTP_TIMEOUT=15 $(PY) -m uv
UV_INSTALL = $(UV) pip install --quiet --python $(PY) $(if $(INDEX),--default-index '$(INDEX)') --require-hashes -r
install = { $(INSTALL) requirements/uv.txt && $(UV_INSTALL) $(1); } >/dev/null 2>&1 || $(INSTALL) $(1) >&2
BASE := $(VENV)/.base-installed
TEST := $(VENV)/.test-installed
APPS := accounts analysis backgammon chat draughts eventlog games ladders notifications tournaments
# HOST counts only on the command line: some shells export it as the machine's name.
HOST_OPTION = $(if $(filter command line,$(origin HOST)),--host $(HOST))
PORT_OPTION = $(if $(PORT),--port $(PORT))
WORKERS ?= auto
SHELL := /bin/sh
# Some images set it: then each of many processes compiles the whole site anew, which takes longer than to start it.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run dev test test-code test-sites wheel packages release docs chart axe test-fast slow-tests pictures check check-python check-django check-security \
	check-messages check-js hooks lock messages bench-rules bench-play bench-limit bench-live-boards bench-bots bench-report bench-gnubg bench-weekend \
	bench-rematches seed-large bench-pages bench-weight bench-next-paint bench-lighthouse bench-restarts bench-start dice-report fuzz-formats fuzz-frames fuzz-forms fuzz-api \
	fuzz-tournaments faults faults-upgrade test-hosts mutants clean
.DEFAULT_GOAL := help

help:
	@echo "make run        run the club on this machine (HOST=..., PORT=...)"
	@echo "make dev        the same for development: autoreload and debug pages, on this machine only"
	@echo "make test       all tests: test-code beside test-sites (real browsers and processes); SQLite, then PostgreSQL"
	@echo "make test-fast  the tests of code but for the slow ones (make slow-tests lists those anew)"
	@echo "make check      lint, types, layers, migrations, deployment settings, translations, JavaScript"
	@echo "make hooks      check the changed files before each commit"
	@echo "make messages   collect and compile the texts to translate;  make lock: lock the requirements again"
	@echo "make pictures   pictures of fourteen pages for translators, in var/pictures"
	@echo "make docs       the documentation as a site, in var/site;  make chart: render the Helm chart again for its tests"
	@echo "make wheel      build the wheel into dist/;  make release: check, build, tag, with checksums and SBOM"
	@echo
	@echo "Benchmarks"
	@echo "make bench-rules        plays a second, beside other generators"
	@echo "make bench-play         matches, spectators and reconnects under load (MATCHES, ONLY)"
	@echo "make bench-limit        raises the rate of acts until the p95 of the answers passes 50 ms (LIMIT=--sqlite)"
	@echo "make bench-restarts     what a killed web process costs the player on the clock (KILLS, RESTARTS=--drain)"
	@echo "make bench-start        from a fresh clone to the first page, in parts"
	@echo "make bench-live-boards  sixteen live boards on one page (LIVE_BOARDS_SECONDS)"
	@echo "make seed-large         fill var/large (or DATABASE_URL) with 100,000 matches"
	@echo "make bench-pages        the pages that grow with a site, on the data of seed-large"
	@echo "make bench-weight       requests, bytes and time to ready of pages in a browser"
	@echo "make bench-next-paint   milliseconds from a press at the board to the next paint, on a slow phone (PRESSES)"
	@echo "make bench-lighthouse   Lighthouse's scores of ten pages, as on a phone and on a desktop"
	@echo "make bench-bots         the bots' five strengths against each other (an hour; GAMES, POSITIONS)"
	@echo "make bench-report       how long a match analysis takes;  make bench-gnubg: ours against GNU Backgammon's"
	@echo "make bench-rematches    rematches to be expected in double elimination (DRAWS)"
	@echo "make dice-report        statistics of a million rolls (ROLLS)"
	@echo
	@echo "Fuzzers and fault injection"
	@echo "make fuzz-formats       damaged match files (SECONDS_OF_FUZZ)"
	@echo "make fuzz-frames        bad frames on every socket (FRAMES);  make fuzz-forms: bad input to every form (INPUTS)"
	@echo "make fuzz-api           the API against its own schema, by schemathesis (CASES_OF_API)"
	@echo "make fuzz-tournaments   random results, corrections, undos and redos in every tournament format (SEQUENCES)"
	@echo "make mutants            changes of the pure modules that no test notices (MODULES, SAMPLE)"
	@echo "make faults-upgrade     bots play while an older version is upgraded under them (FROM: its commit or tag)"
	@echo "make faults             bots play while processes, network and clocks fail (FAULTS_OF_PLAY, PLAYERS_OF_FAULTS)"
	@echo "make test-hosts         three hosts in network namespaces are killed and cut off while bots play (root; MATCHES_AT_HOSTS)"

run: $(BASE)
	@exec $(PY) manage.py demo --with-parent $(HOST_OPTION) $(PORT_OPTION)

dev: $(TEST)
	@exec $(PY) manage.py dev --with-parent $(HOST_OPTION) $(PORT_OPTION)

# Whole sites and browsers wait as much as they compute, so the tests of code run beside them and take what they leave of
# two processors. Both run on SQLite and then, what touches the database, on PostgreSQL: on the server of DATABASE_URL,
# else on a temporary one. Results are printed when a part is done.
SLOW := browser or processes
AT_SITES := -m "$(SLOW)" tests/faults tests/live tests/running tests/ops tests/fuzz tests/e2e
ON_SQLITE = env -u DATABASE_URL $(PY)
ON_POSTGRES = $(PY) -m tools.services.postgres $(PY)
# An idle worker takes tests from the others: the longest ones come last.
EVEN := --dist worksteal
OF_CODE = -m pytest -n $(WORKERS) $(EVEN) -m "not ($(SLOW))"
# The tests of one file at one site, and the slowest first.
SITES ?= 3
OF_SITES = -m pytest -n $(SITES) --dist loadfile --no-loadscope-reorder $(AT_SITES)
test: $(TEST) axe
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),-Oline) test-code test-sites

test-code: $(TEST)
	@echo "== the tests of code on SQLite" && nice $(ON_SQLITE) $(OF_CODE)
	@echo "== the tests of code on PostgreSQL" && nice $(ON_POSTGRES) $(OF_CODE) --database-only

test-sites: $(TEST) axe
	@echo "== whole sites and browsers on SQLite" && $(ON_SQLITE) $(OF_SITES)
	@echo "== whole sites on PostgreSQL" && $(ON_POSTGRES) $(OF_SITES) --database-only

# The accessibility tests read axe-core from node_modules; without npm they say what to install.
axe:
	@if command -v npm >/dev/null && [ ! -d node_modules/axe-core ]; then npm ci --no-audit --no-fund --loglevel=error; fi

test-fast: $(TEST)
	@$(PY) $(OF_CODE) --quick

# For translators and reviewers: every page of the layout test in five languages, in longer texts, from right to left.
pictures: $(TEST)
	@$(PY) -m pytest -n $(SITES) tests/e2e/test_page_layout.py --pictures var/pictures && echo "The pictures are in var/pictures"

slow-tests: $(TEST)
	@$(PY) $(OF_CODE) --write-slow-tests

# .pre-commit-config.yaml runs the same for the files of a commit: change both.
check: check-python check-django check-security check-messages check-js docs

check-python: $(TEST)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

# In a folder of their own, so that the checks do not depend on what is in var/.
CHECKED = env TABLERO_VAR="$$var" SECRET_KEY="$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(60))')" \
	HTTPS=1 TRUST_PROXY=1 ALLOWED_HOSTS=club.example CSRF_TRUSTED_ORIGINS=https://club.example \
	$(PY) manage.py
check-django: $(TEST)
	@var=$$(mktemp -d) && trap 'rm -rf "$$var"' EXIT && set -ex && \
	$(CHECKED) makemigrations --check --dry-run && \
	$(PY) -m tools.migration_safety && \
	$(CHECKED) spectacular --validate --fail-on-warn --file "$$var/schema.yml" && \
	$(CHECKED) check --deploy --fail-level WARNING

check-security: $(TEST)
	$(VENV)/bin/bandit -q -c pyproject.toml -r $(APPS) manage.py

check-messages: $(TEST)
	$(PY) manage.py messages --check

check-js:
	@if command -v npm >/dev/null; then set -e; npm ci --no-audit --no-fund --loglevel=error; \
	log=$$(mktemp); npm test >"$$log" 2>&1 || { cat "$$log"; exit 1; }; grep -E '^. (tests|pass|fail) ' "$$log"; rm "$$log"; \
	npm run --silent types; \
	elif [ "$$CI" = true ]; then echo "npm is missing: apt install npm" >&2; exit 1; \
	else echo "JavaScript is not checked: npm is missing (apt install npm)"; fi

hooks: $(TEST)
	$(VENV)/bin/pre-commit install

# bench.txt and mutation.txt hold programs that are installed beside ours and without their own dependencies.
lock: $(BASE)
	$(PIP) install --quiet --upgrade uv
	cd requirements && for name in uv base traces test bench mutation release docs; do \
	../$(PY) -m uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate $$(case $$name in (bench | mutation) echo --no-deps;; esac) $$name.in -o $$name.txt || exit 1; done
	@! grep -n '://' requirements/*.txt || { echo "a lock names an address" >&2; exit 1; }

messages: $(TEST)
	$(PY) manage.py messages

# The wheel and what is published with it, in DIST. `make release` checks, builds and tags (tools/release.py).
RELEASE_TOOLS := $(CURDIR)/var/release-tools
DIST ?= dist
BUILD = env PYTHONPATH=$(RELEASE_TOOLS) $(PY) -m build --no-isolation --outdir $(DIST)
$(RELEASE_TOOLS): requirements/release.txt | $(PY)
	@$(call install,requirements/release.txt --target $(RELEASE_TOOLS))
	@touch $@

wheel: $(RELEASE_TOOLS)
	@$(BUILD) --wheel

# The source archive, and the wheel that is made from it.
packages: $(RELEASE_TOOLS)
	@rm -rf $(DIST) && $(BUILD)

release: $(TEST) $(RELEASE_TOOLS)
	@$(PY) -m tools.release ready
	@$(MAKE) --no-print-directory check test
	@$(MAKE) --no-print-directory packages
	@PYTHONPATH=$(RELEASE_TOOLS) $(PY) -m tools.release publish $(DIST)

# The documentation as a site, in var/site; REPOSITORY_URL makes its links to the code work.
DOCS_TOOLS := var/docs-tools
$(DOCS_TOOLS): requirements/docs.txt | $(PY)
	@$(call install,requirements/docs.txt --target $(DOCS_TOOLS))
	@touch $@

chart: $(TEST)
	@$(PY) -m tools.render_chart

# Not --quiet: MkDocs counts only the warnings that it would print, and --strict then passes whatever is wrong.
docs: $(DOCS_TOOLS)
	@log=$$(mktemp); PYTHONPATH=$(DOCS_TOOLS) NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict --clean >"$$log" 2>&1 \
	|| { grep -v '^INFO' "$$log"; rm "$$log"; exit 1; }; rm "$$log"
	@echo "The documentation is in var/site/index.html"

OTHERS := var/other-generators
bench-rules: $(TEST)
	@test -d $(OTHERS) || $(INSTALL) requirements/bench.txt --no-deps --target $(OTHERS) \
	|| echo "Other generators cannot be fetched now: ours is measured alone" >&2
	$(PY) -m tools.bench.rules $$(test -d $(OTHERS) && echo --others $(OTHERS))

# Matches, spectators, mass reconnects, a flood: on two web processes with a PostgreSQL and a broker of their own.
# `make bench-play ONLY=analysis MATCHES=100`: matches beside three analyses at work.
MATCHES ?= 100 200 300 500
bench-play: $(TEST)
	$(PY) -m tools.bench.play --matches $(MATCHES) $(if $(ONLY),--only $(ONLY))

# The rate of acts at which the p95 of the answers passes 50 ms, with one web process; LIMIT=--sqlite: on SQLite.
LIMIT_MATCHES ?= 200
bench-limit: $(TEST)
	$(PY) -m tools.bench.play --matches $(LIMIT_MATCHES) --seconds 10 --webs 1 --only limit $(LIMIT)

# Clocks while the only web process is killed and started again; RESTARTS=--drain stops it, RESTARTS=--beside runs two.
KILLS ?= 20
bench-restarts: $(TEST)
	@$(PY) -m tools.faults.restarts --kills $(KILLS) $(RESTARTS)

# A fresh clone in a temporary folder: the parts of its first `make run`, and its second one.
bench-start: $(TEST)
	@$(PY) -m tools.bench.start

# Frame rate, memory, and what the server sends.
LIVE_BOARDS_SECONDS ?= 20
bench-live-boards: $(TEST)
	@$(PY) -m tools.bench.live_boards --seconds $(LIVE_BOARDS_SECONDS)

# A weekend open in browsers: two desks, phones, shared boards, a network that is cut for CUT seconds, reports.
CUT ?= 120
bench-weekend: $(TEST)
	@$(PY) -m tools.bench.weekend_open --cut $(CUT)

# Lighthouse is a program of its own: `npm install --global lighthouse`, or LIGHTHOUSE=... names it.
bench-lighthouse: $(TEST)
	@$(PY) -m tools.bench.lighthouse

# The five strengths against each other and against a deeper search; docs/bots.md has the tables (an hour on one core).
GAMES ?= 200
POSITIONS ?= 300
bench-bots: $(TEST)
	@$(PY) -m tools.bench.bots --games $(GAMES) --positions $(POSITIONS)

# Analyses of matches to 7 at every depth; and against GNU Backgammon's analysis of the same matches.
REPORT_MATCHES ?= 5
bench-report: $(TEST)
	@$(PY) -m tools.bench.analysis_speed --matches $(REPORT_MATCHES)

GNUBG_MATCHES ?= 10
bench-gnubg: $(TEST)
	@$(PY) -m tools.bench.gnubg --matches $(GNUBG_MATCHES)

# Rematches in the losers' bracket for each size, exact and simulated. `-m tools.bench.rematches --search 64` searches.
DRAWS ?= 20000
bench-rematches: $(TEST)
	@$(PY) -m tools.bench.rematches --draws $(DRAWS)

# A large site in a folder of its own; see it with `TABLERO_VAR=var/large .venv/bin/python manage.py demo`.
LARGE = TABLERO_VAR=$${TABLERO_VAR:-var/large}
seed-large: $(TEST)
	@mkdir -p var/large
	$(LARGE) $(PY) manage.py migrate --verbosity 0
	$(LARGE) $(PY) manage.py seed_large

# Requests, bytes and milliseconds of a dozen pages in a browser, cold on a slow processor and warm.
bench-weight: $(TEST)
	@$(PY) -m tools.bench.weight

# Presses at the board on a phone with a slow processor: milliseconds until the page has answered.
PRESSES ?= 100
bench-next-paint: $(TEST)
	@$(PY) -m tools.bench.next_paint --presses $(PRESSES)

bench-pages: $(TEST)
	$(LARGE) $(PY) -m tools.bench.pages --plans

# A million rolls through hash chains and proof, as live play rolls them: chi-square, serial test, doubles.
ROLLS ?= 1000000
dice-report: $(TEST)
	@$(PY) -m tools.bench.dice_report --rolls $(ROLLS)

# Damaged and hostile match files for five minutes: no crash, no input over a second, bounded memory.
SECONDS_OF_FUZZ ?= 300
fuzz-formats: $(TEST)
	$(PY) -m tools.fuzz.formats --seconds $(SECONDS_OF_FUZZ)

# Bad input to every route, method and frame of the access table, by everybody in it (docs/access.md).
FRAMES ?= 1000000
fuzz-frames: $(TEST)
	@$(PY) -m tools.fuzz.frames --frames $(FRAMES)

INPUTS ?= 100000
fuzz-forms: $(TEST)
	@$(PY) -m tools.fuzz.forms --inputs $(INPUTS)

# Schemathesis with all its checks, as an anonymous visitor, a player, a director, the staff and a bot.
# SEED_OF_API repeats a run.
CASES_OF_API ?= 5000
fuzz-api: $(TEST)
	$(PY) -m tools.fuzz.api --cases $(CASES_OF_API) $(if $(SEED_OF_API),--seed $(SEED_OF_API))

# Tournaments with random corrections, in every format; the result has to be what their events say.
SEQUENCES ?= 10000
DESK_SEEDS ?= 50
RANDOM_ACTS ?= 200
fuzz-tournaments: $(TEST)
	$(PY) -m tools.fuzz.tournaments --sequences $(SEQUENCES)
	@echo "== with rows, boards and ratings: $(DESK_SEEDS) tournaments of each shape twice"
	@DESK_SEEDS=$(DESK_SEEDS) $(PY) -m pytest -q -n $(WORKERS) -o timeout=3600 tests/tournaments/test_undo_properties.py -k follow_many_times
	@echo "== every format with every number of players"
	@EVERY_SIZE=1 $(PY) -m pytest -q -n $(WORKERS) tests/tournaments/test_every_size.py
	@echo "== random acts of all roles at $(RANDOM_ACTS) weekends"
	@RANDOM_ACTS=$(RANDOM_ACTS) $(PY) -m pytest -q -n $(WORKERS) -o timeout=3600 tests/tournaments/test_random_acts.py

# Play between bots while everything around them fails in turn; nothing acknowledged may be lost or doubled.
# SEED_OF_FAULTS repeats the choices. Then a tournament whose worker, beat and broker are killed.
FAULTS_OF_PLAY ?= 100
ACTS_OF_PLAY ?= 10000
PLAYERS_OF_FAULTS ?= 64
faults: $(TEST)
	$(PY) -m tools.faults.play --faults $(FAULTS_OF_PLAY) --acts $(ACTS_OF_PLAY) $(if $(SEED_OF_FAULTS),--seed $(SEED_OF_FAULTS))
	$(PY) -m tools.faults.bot_tournament --players $(PLAYERS_OF_FAULTS)

# A rolling upgrade from the version of a commit or tag to the present one, while bots play.
FROM ?= HEAD~1
faults-upgrade: $(TEST)
	$(PY) -m tools.faults.play --upgrade-from $(FROM) --acts 1500 --tables 10

# Three hosts on this machine (docs/scaling.md): PostgreSQL under Patroni, Redis with sentinels, a site on each. Skipped
# with the reason without root or one of the programs. HOSTS_OPTIONS="--only killed --host 1 --seed 7 --log FOLDER"
MATCHES_AT_HOSTS ?= 100
test-hosts: $(TEST)
	@$(PY) -m tools.faults.hosts --matches $(MATCHES_AT_HOSTS) $(HOSTS_OPTIONS)

# Which changes of rules, clocks, ratings, replay, dice and formats does no test notice? (docs/adr/0023)
# SAMPLE=10 takes every tenth; an hour on one core for all of them.
MUTATION := var/mutation
MODULES ?= rules draughts clocks ratings replay dice formats
SAMPLE ?= 1
mutants: $(TEST)
	@test -d $(MUTATION) || $(INSTALL) requirements/mutation.txt --no-deps --target $(MUTATION)
	@PYTHONPATH=$(MUTATION) $(PY) -m tools.mutation $(MODULES) --sample $(SAMPLE)

clean:
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# A .venv without a pip of its own is made in no time, and the system's pip fills it. Where that is missing or too old,
# venv has to bring one: Debian's python3-venv.
$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Tablero needs Python 3.11 or newer, for example: make run PYTHON=python3.12" >&2; exit 1; }
	@{ $(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(PY) --version; } >/dev/null 2>&1 \
	|| { rm -rf $(VENV); $(PYTHON) -m venv $(VENV) >/dev/null 2>&1; } \
	|| { rm -rf $(VENV); echo "Python's venv is incomplete here: apt install python3-venv" >&2; exit 1; }

$(BASE): requirements/base.txt | $(PY)
	@echo "Installing what Tablero needs into $(VENV) (once) ..."
	@$(call install,requirements/base.txt)
	@touch $@

$(TEST): requirements/test.txt | $(PY)
	@echo "Installing what the tests need into $(VENV) (once) ..."
	@$(call install,requirements/test.txt)
	@touch $@
