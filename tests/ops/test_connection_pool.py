"""The PostgreSQL connection pool when the server is restarted, as a system upgrade does."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import psycopg
import pytest
from django.db import connection

from accounts.models import User
from backgammon.ops.environment import database_config
from backgammon.postgresql.answering_hosts import PATIENCE
from backgammon.postgresql.base import DatabaseWrapper
from tools.services import postgres
from tools.services.environment import missing

AT_ONCE = 12
ALL = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def asked_by_many() -> None:
    """Make as many requests at once as the pool has connections, each with one of its own."""
    together = Barrier(AT_ONCE)

    def page(number: int) -> None:
        assert not User.objects.exists()
        together.wait(60)
        connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        list(threads.map(page, range(AT_ONCE)))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_after_a_server_restart_no_request_gets_a_dead_connection() -> None:
    parameters = connection.get_connection_params()
    arguments = {
        name: parameters[name] for name in ("host", "port", "user", "password", "dbname") if parameters.get(name)
    }
    asked_by_many()
    connection.close()  # it goes back into the pool
    with psycopg.connect(**arguments, autocommit=True) as other:
        ended = other.execute(ALL).fetchall()
    assert len(ended) >= AT_ONCE
    assert all(terminated for (terminated,) in ended)
    assert not User.objects.exists()
    asked_by_many()


POOL_GIVES_UP = 2 * PATIENCE + 1  # seconds: it tries twice, one after the other


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_server_that_is_away_gets_a_connection_when_it_is_back() -> None:
    with postgres.running_server() as server:
        if server is None:
            missing("PostgreSQL", install=postgres.INSTALL)
        settings = {**copy.deepcopy(connection.settings_dict), **database_config(server.url)}
        settings["OPTIONS"] = copy.deepcopy(connection.settings_dict["OPTIONS"])

        def answer() -> object:
            wrapper = DatabaseWrapper(settings, alias="away")
            try:
                with wrapper.cursor() as cursor:
                    cursor.execute("SELECT 1")
                    return cursor.fetchone()
            finally:
                wrapper.close()

        try:
            assert answer() == (1,)
            server.crash()
            with ThreadPoolExecutor(1) as thread:
                waiting = thread.submit(answer)
                Event().wait(POOL_GIVES_UP)
                server.start()
                assert waiting.result(60) == (1,)
        finally:
            DatabaseWrapper(settings, alias="away").close_pool()
