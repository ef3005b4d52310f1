"""How Django uses the database of the site, which DATABASE_URL chooses: SQLite or PostgreSQL."""

from __future__ import annotations

from typing import Any

from backgammon import broker_connections

SQLITE = "django.db.backends.sqlite3"


def is_sqlite(database: dict[str, Any]) -> bool:
    """Whether a database of `settings.DATABASES` is one file."""
    return database["ENGINE"] == SQLITE


def with_options(database: dict[str, Any], *, pool: int) -> dict[str, Any]:
    """Return a database with the options that play needs; `pool` is the largest number of pooled connections."""
    return _sqlite(database) if is_sqlite(database) else _postgresql(database, pool)


def _sqlite(database: dict[str, Any]) -> dict[str, Any]:
    """WAL mode, where readers do not wait for the one writer."""
    return {
        **database,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
        },
    }


def _postgresql(database: dict[str, Any], pool: int) -> dict[str, Any]:
    """Each request has a thread of its own and takes a connection from the pool; sockets and workers keep theirs."""
    from backgammon.postgresql.answering_hosts import Connection

    return {
        **database,
        "ENGINE": "backgammon.postgresql",  # Django's backend, made to survive server restarts
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "keepalives_idle": 2,
            "keepalives_interval": 1,
            "keepalives_count": 3,
            "tcp_user_timeout": broker_connections.DEAD_AFTER * 1000,
            **database.get("OPTIONS", {}),
            "pool": {
                "min_size": 1,
                "max_size": pool,
                "timeout": 1,  # then whoever waits asks again, for 15 s (backgammon.postgresql)
                "reconnect_timeout": 0,  # `Connection` tries again by itself, in one thread
                "num_workers": 1,
                "connection_class": Connection,
            },
        },
    }
