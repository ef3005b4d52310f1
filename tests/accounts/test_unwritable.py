"""Which errors say that nothing can be written: those of real databases and of the system."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from accounts.models import User
from accounts.web.unwritable import is_unwritable
from tests.conftest import PASSWORD


def full(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA max_page_count = 4")
    database.execute("INSERT INTO moves VALUES (zeroblob(100000))")


def read_only(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA query_only = 1")
    database.execute("INSERT INTO moves VALUES ('8/5 6/5')")


def wrong(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO nothing VALUES (1)")


@pytest.mark.parametrize(("write", "unwritable"), [(full, True), (read_only, True), (wrong, False)])
def test_errors_of_sqlite(tmp_path: Path, write: Callable[[sqlite3.Connection], None], unwritable: bool) -> None:
    database = sqlite3.connect(tmp_path / "moves.sqlite3", isolation_level=None)
    database.execute("CREATE TABLE moves (text)")
    with pytest.raises(sqlite3.OperationalError) as raised:
        write(database)
    database.close()
    assert is_unwritable(raised.value) is unwritable


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_read_only_transaction_of_postgresql(ana: User) -> None:
    with transaction.atomic():
        connection.cursor().execute("SET TRANSACTION READ ONLY")
        with pytest.raises(DatabaseError) as raised:
            User.objects.update(language="es")
        transaction.set_rollback(True)
    assert is_unwritable(raised.value)


@pytest.mark.django_db
def test_a_broken_rule_of_the_database_is_a_bug(ana: User) -> None:
    with pytest.raises(DatabaseError) as raised, transaction.atomic():
        connection.cursor().execute("INSERT INTO nothing VALUES (1)")
    assert not is_unwritable(raised.value)


def test_errors_of_the_system() -> None:
    codes = [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.ENOENT, errno.ECONNREFUSED, errno.EPIPE]
    assert [is_unwritable(OSError(code, os.strerror(code))) for code in codes] == [True] * 3 + [False] * 3
    assert not is_unwritable(None)
    assert not is_unwritable(ValueError("full"))


def test_an_error_that_follows_from_a_full_disk() -> None:
    error = DatabaseError("Could not save the session")
    error.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    assert is_unwritable(error)


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "title"), [("en", "Nothing can be saved"), ("es", "No se puede guardar nada")])
def test_a_page_that_cannot_save_says_so(ana: User, language: str, title: str) -> None:
    client = Client(raise_request_exception=False, headers={"Accept-Language": language})
    pragma = connection.vendor == "sqlite"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = 1" if pragma else "SET TRANSACTION READ ONLY")
        try:
            answer = client.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
        finally:
            if pragma:
                cursor.execute("PRAGMA query_only = 0")
            transaction.set_rollback(True)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert title in answer.content.decode()
