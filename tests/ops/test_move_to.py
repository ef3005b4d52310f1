"""`manage.py move_to`: the same site in another database, and the old one as it was."""

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
from backgammon.ops import move, restore, running
from games.models import Alive
from tests.conftest import ON_POSTGRES
from tests.ops.houses import House, database_at, last_numbers, seals, standing
from tests.ops.test_backup import said


@pytest.fixture(autouse=True)
def quiet(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The heartbeat has stopped, and nobody is connected."""
    monkeypatch.setattr(running, "HANGS_UP", 0.5)
    Alive.objects.update(at=timezone.now() - timedelta(hours=1))
    connections["default"].close()


def url_of(database: dict[str, Any]) -> str:
    if "sqlite3" in database["ENGINE"]:
        return f"sqlite:///{database['NAME']}"
    where = "{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
    return f"postgres://{where}"


def test_to_the_other_kind_of_database_and_back_every_row_is_the_same(
    house: House, bare: dict[str, Any], tmp_path: Path
) -> None:
    before, numbers = seals(), last_numbers()
    connections["default"].close()
    other = database_at(str(tmp_path / "other.sqlite3"))

    lines = said("move_to", url_of(other)).splitlines()

    assert seals() == before
    rows = {words[0]: words[1:] for words in (line.split() for line in lines) if words and words[0] in before}
    for name, (count, sha256) in before.items():
        assert rows[name] == [str(count), str(count), sha256[:12], sha256[:12]]
    with standing(other):
        assert (seals(), last_numbers()) == (before, numbers)
        connections["default"].close()
        said("move_to", url_of(bare))
    with standing(bare):
        assert (seals(), last_numbers()) == (before, numbers)
        assert User.objects.create_user("carlos").pk == numbers["accounts_user"] + 1


def test_a_database_in_use_is_never_written_over(house: House, bare: dict[str, Any]) -> None:
    said("move_to", url_of(bare))
    with standing(bare):
        User.objects.create_user("theirs")
        there = seals()
        connections["default"].close()

    with pytest.raises(CommandError, match="nothing is written over"):
        said("move_to", url_of(bare))

    with standing(bare):
        assert seals() == there


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
def test_an_address_that_is_none_is_said(house: House, url: str) -> None:
    with pytest.raises(CommandError, match="This is no address of a database"):
        said("move_to", url)


def test_a_socket_is_written_as_in_the_settings() -> None:
    found = move.settings_of("postgres://tablero@%2Fvar%2Frun%2Fpostgresql/club")
    assert (found["HOST"], found["USER"], found["NAME"]) == ("/var/run/postgresql", "tablero", "club")


def test_a_server_that_does_not_answer_is_said_in_one_line(house: House) -> None:
    with pytest.raises(CommandError, match=r"The database says: [^\n]*127.0.0.1[^\n]*$"):
        said("move_to", "postgres://nobody:nothing@127.0.0.1:1/club")


def test_it_does_not_move_to_where_it_is(house: House) -> None:
    with pytest.raises(CommandError, match="the database of this site already"):
        said("move_to", url_of(house.database))


def test_a_running_site_does_not_move(house: House, bare: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(running, "check_unconnected", lambda alias: None)

    def beat() -> None:
        with standing(house.database):
            while not over.wait(0.1):
                Alive.objects.update(at=timezone.now())

    thread = threading.Thread(target=beat)
    thread.start()
    try:
        with pytest.raises(CommandError, match="The site is running"):
            said("move_to", url_of(bare))
    finally:
        over.set()
        thread.join()


def test_a_write_while_it_moves_makes_it_fail(
    house: House, bare: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def put_together(*args: Any) -> Any:
        found = restore.put_together(*args)

        def write() -> None:
            with standing(house.database):
                User.objects.create_user("meanwhile")
                stays.set()
                over.wait(60)

        threads.append(threading.Thread(target=write))
        threads[0].start()
        stays.wait(60)
        return found

    threads: list[threading.Thread] = []
    stays, over = threading.Event(), threading.Event()
    monkeypatch.setattr(move, "put_together", put_together)
    try:
        with pytest.raises(CommandError, match="are connected" if ON_POSTGRES else "The site is running"):
            said("move_to", url_of(bare))
    finally:
        over.set()
        threads[0].join()
    if ON_POSTGRES:
        with standing(bare), connection.cursor() as cursor:
            assert connection.introspection.table_names(cursor) == []
    else:
        assert list(Path(bare["NAME"]).parent.iterdir()) == []


@pytest.mark.postgres
def test_tables_of_others_are_left_alone(house: House, bare: dict[str, Any]) -> None:
    with standing(bare):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE library_book (title text); INSERT INTO library_book VALUES ('Magriel')")
        connections["default"].close()
    said("move_to", url_of(bare))
    with standing(bare), connection.cursor() as cursor:
        cursor.execute("SELECT title FROM library_book")
        assert cursor.fetchall() == [("Magriel",)]
        assert User.objects.filter(username="ana").exists()
