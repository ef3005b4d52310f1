"""`manage.py move_to`: the same site in another database, and the old one unchanged."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import connection, connections
from django.utils import timezone

from accounts.models import User
from backgammon.ops import database_move, ensure_stopped, restore
from games.models import SiteHeartbeat
from tests.conftest import ON_POSTGRES
from tests.ops.prepared_sites import PreparedSite, as_default_database, checksums, database_at, last_numbers
from tests.ops.test_backup import output_of


@pytest.fixture(autouse=True)
def quiet(prepared_site: PreparedSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the heartbeat and close all connections."""
    monkeypatch.setattr(ensure_stopped, "CLOSE_DELAY", 0.5)
    SiteHeartbeat.objects.update(at=timezone.now() - timedelta(hours=1))
    connections["default"].close()


def url_of(database: dict[str, Any]) -> str:
    if "sqlite3" in database["ENGINE"]:
        return f"sqlite:///{database['NAME']}"
    address = "{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
    return f"postgres://{address}"


def test_every_row_is_the_same_in_the_other_database_and_back(
    prepared_site: PreparedSite, empty_database: dict[str, Any], tmp_path: Path
) -> None:
    before, numbers = checksums(), last_numbers()
    connections["default"].close()
    other = database_at(str(tmp_path / "other.sqlite3"))

    lines = output_of("move_to", url_of(other)).splitlines()

    assert checksums() == before
    rows = {words[0]: words[1:] for words in (line.split() for line in lines) if words and words[0] in before}
    for name, (count, sha256) in before.items():
        assert rows[name] == [str(count), str(count), sha256[:12], sha256[:12]]
    with as_default_database(other):
        assert (checksums(), last_numbers()) == (before, numbers)
        connections["default"].close()
        output_of("move_to", url_of(empty_database))
    with as_default_database(empty_database):
        assert (checksums(), last_numbers()) == (before, numbers)
        assert User.objects.create_user("carlos").pk == numbers["accounts_user"] + 1


def test_a_target_with_data_is_refused(prepared_site: PreparedSite, empty_database: dict[str, Any]) -> None:
    output_of("move_to", url_of(empty_database))
    with as_default_database(empty_database):
        User.objects.create_user("theirs")
        there = checksums()
        connections["default"].close()

    with pytest.raises(CommandError, match="existing data is never overwritten"):
        output_of("move_to", url_of(empty_database))

    with as_default_database(empty_database):
        assert checksums() == there


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "mysql://root@127.0.0.1/club",
        "sqlite://:memory:",
        "sqlite://",
        "postgres://",
        "redis://127.0.0.1",
    ],
)
def test_an_invalid_url_is_refused(prepared_site: PreparedSite, url: str) -> None:
    with pytest.raises(CommandError, match="Not a valid database URL"):
        output_of("move_to", url)


def test_a_socket_path_is_read_as_in_the_settings() -> None:
    found = database_move.database_settings("postgres://tablero@%2Fvar%2Frun%2Fpostgresql/club")
    assert (found["HOST"], found["USER"], found["NAME"]) == ("/var/run/postgresql", "tablero", "club")


def test_an_unreachable_server_is_reported_in_one_line(prepared_site: PreparedSite) -> None:
    with pytest.raises(CommandError, match=r"Database error: [^\n]*127.0.0.1[^\n]*$"):
        output_of("move_to", "postgres://nobody:nothing@127.0.0.1:1/club")


def test_a_site_does_not_move_to_its_own_database(prepared_site: PreparedSite) -> None:
    with pytest.raises(CommandError, match="already this site's database"):
        output_of("move_to", url_of(prepared_site.database))


def test_a_running_site_does_not_move(
    prepared_site: PreparedSite, empty_database: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    monkeypatch.setattr(ensure_stopped, "check_unconnected", lambda alias: None)

    def beat() -> None:
        with as_default_database(prepared_site.database):
            while not over.wait(0.1):
                SiteHeartbeat.objects.update(at=timezone.now())

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        with pytest.raises(CommandError, match="The site is running"):
            output_of("move_to", url_of(empty_database))
    finally:
        over.set()
        thread.join()


def test_a_write_during_the_move_makes_it_fail(
    prepared_site: PreparedSite, empty_database: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_together(*args: Any) -> Any:
        found = restore.build_database(*args)

        def write() -> None:
            with as_default_database(prepared_site.database):
                User.objects.create_user("meanwhile")
                stays.set()
                over.wait(60)

        threads.append(threading.Thread(target=write))
        threads[0].start()
        stays.wait(60)
        return found

    threads: list[threading.Thread] = []
    stays, over = threading.Event(), threading.Event()
    monkeypatch.setattr(database_move, "build_database", put_together)
    try:
        with pytest.raises(
            CommandError, match="Other connections to the database" if ON_POSTGRES else "The site is running"
        ):
            output_of("move_to", url_of(empty_database))
    finally:
        over.set()
        threads[0].join()
    if ON_POSTGRES:
        with as_default_database(empty_database), connection.cursor() as cursor:
            assert connection.introspection.table_names(cursor) == []
    else:
        assert list(Path(empty_database["NAME"]).parent.iterdir()) == []


@pytest.mark.postgres
def test_tables_of_other_programs_are_left_alone(prepared_site: PreparedSite, empty_database: dict[str, Any]) -> None:
    with as_default_database(empty_database):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE library_book (title text); INSERT INTO library_book VALUES ('Magriel')")
        connections["default"].close()
    output_of("move_to", url_of(empty_database))
    with as_default_database(empty_database), connection.cursor() as cursor:
        cursor.execute("SELECT title FROM library_book")
        assert cursor.fetchall() == [("Magriel",)]
        assert User.objects.filter(username="ana").exists()
