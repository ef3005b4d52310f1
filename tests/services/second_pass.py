"""What `make test` runs again on PostgreSQL: tests whose outcome may depend on the database.

These are all tests of several connections (they commit), of whole sites, and those of the modules below: writers that
lock rows, sweeps that skip locked ones, queries with aggregates, JSON or text search, constraints, backup and restore.
Pages, forms, the API and permissions ask the same services and selectors: they run on SQLite only, and
tests/access/test_every_page.py renders each page and each GET response of the API on PostgreSQL.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from tools.services.environment import ROOT

MAKE = (ROOT / "Makefile").read_text("utf-8").splitlines()
AT_SITES = frozenset(re.findall(r"tests/(\w+)", next(line for line in MAKE if line.startswith("AT_SITES"))))
"""The folders of tests of whole sites and browsers in `make test`."""

MODULES = (
    # services: what locks rows and writes in one transaction
    "*/test_service.py",
    "*/test_services.py",
    "accounts/support/test_merging.py",
    "accounts/sso/test_linking.py",
    "accounts/test_clubs.py",
    "accounts/test_recovery_codes.py",
    "accounts/test_relationships.py",
    "chat/test_messages.py",
    "chat/test_moderation.py",
    "eventlog/test_deliveries.py",
    "games/arranged/test_arranging.py",
    "games/correspondence/test_carried_out.py",
    "games/test_absence.py",
    "games/test_correspondence.py",
    "games/test_match_endings.py",
    "games/test_rated_matches.py",
    "notifications/push/test_deliver.py",
    "notifications/test_causes.py",
    "test_account_deletion.py",
    "test_emptied_tables.py",
    "tournaments/test_absences.py",
    "tournaments/test_arena.py",
    "tournaments/test_bot_fill.py",
    "tournaments/test_corrections.py",
    "tournaments/test_entries.py",
    "tournaments/test_late_entries.py",
    "tournaments/test_penalties.py",
    "tournaments/test_recurring.py",
    "tournaments/test_results_sync.py",
    "tournaments/test_substitutes.py",
    "tournaments/test_team_entries.py",
    "tournaments/test_teams.py",
    "tournaments/test_undone_entries.py",
    "tournaments/venue/test_venue.py",
    "tournaments/venue/test_venue_files.py",
    "tournaments/test_weekend_people.py",
    "tournaments/test_weekend_records.py",
    # sweeps and outages: what finds due rows by the database's clock
    "*_outage.py",
    "*_outages.py",
    "*_sweeps.py",
    "games/live/test_group_commit.py",
    "games/live/test_guarded_write.py",
    "games/live/test_loop_connection.py",
    "games/test_heartbeat_batch.py",
    "games/test_web_processes.py",
    "notifications/test_mail.py",
    # queries with aggregates, JSON, arrays of rows or text search
    "*_selectors.py",
    "*_sql.py",
    "*_statistics.py",
    "accounts/test_data_exports.py",
    "analysis/test_daily_puzzles.py",
    "analysis/test_error_rates.py",
    "analysis/test_position_cache.py",
    "analysis/test_tallies.py",
    "analysis/test_training.py",
    "eventlog/test_event_log.py",
    "eventlog/test_visibility.py",
    "games/test_dice_reports.py",
    "games/test_history.py",
    "tournaments/test_seasons.py",
    # the database itself: backup, restore, upgrades, health, the first owner
    "ops/*",
)


COMMITTING = (
    "*_connections.py",
    "*_consumers.py",
    "games/test_match_frames.py",
    "*races.py",
    "*_registry.py",
    "*_sockets.py",
    "access/test_every_page.py",
    "accounts/test_unwritable.py",
    "eventlog/test_streams.py",
    "games/test_blocks.py",
)
"""Further modules with tests of several connections: of these only the tests that commit, or need PostgreSQL."""


@cache  # asked for each test of a module
def is_in_second_pass(path: Path) -> bool:
    """Whether the tests of a module run on both databases."""
    return any(matches(path, entry) for entry in MODULES)


@cache
def is_collected(path: Path) -> bool:
    """Whether a module may have tests of the second pass: others are not even imported there."""
    if path.relative_to(ROOT / "tests").parts[0] in AT_SITES:
        return True
    return is_in_second_pass(path) or any(matches(path, entry) for entry in COMMITTING)


def depends_on_database(item: pytest.Item) -> bool:
    """Whether a test runs on both databases."""
    if item.get_closest_marker("looks") or is_of_pages(item.path):
        return False
    fixtures = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("postgres") or "site" in fixtures or commits(item):
        return True
    if not (item.get_closest_marker("django_db") or fixtures & {"db", "django_db_setup"}):
        return False
    at_site = item.get_closest_marker("browser") or item.get_closest_marker("processes")
    return bool(at_site) or is_in_second_pass(item.path)


def is_of_pages(path: Path) -> bool:
    """Whether a module tests the content of pages; tests/access/test_every_page.py renders all on both databases."""
    return path.stem.endswith(("pages", "views")) or path.parent.name.endswith("_pages")


def matches(path: Path, entry: str) -> bool:
    """Whether an entry of the list names a module."""
    return fnmatch(path.relative_to(ROOT / "tests").as_posix(), entry)


def commits(item: pytest.Item) -> bool:
    """Whether a test has several connections, which see what others committed."""
    from django.test import TestCase, TransactionTestCase

    owner = getattr(item, "cls", None)
    if owner is not None and issubclass(owner, TransactionTestCase):
        return not issubclass(owner, TestCase)
    marker = item.get_closest_marker("django_db")
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool((marker and marker.kwargs.get("transaction")) or fixtures & {"transactional_db", "live_server"})
