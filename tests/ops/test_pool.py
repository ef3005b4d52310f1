"""The pool of connections to PostgreSQL when the server is restarted under it, as an upgrade of the system does."""

from __future__ import annotations

import psycopg
import pytest
from django.db import connection

from accounts.models import User

ALL = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_after_a_restart_of_the_server_nobody_gets_a_dead_connection() -> None:
    assert not User.objects.exists()
    told = connection.get_connection_params()
    connection.close()  # it goes back into the pool
    where = {name: told[name] for name in ("host", "port", "user", "password", "dbname") if told.get(name)}
    with psycopg.connect(**where, autocommit=True) as other:
        ended = other.execute(ALL).fetchall()
    assert ended
    assert all(gone for (gone,) in ended)
    assert not User.objects.exists()
