"""A database with all tables, and a broker, for tests and tools that call the site in their own process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tools.services import prebuilt, valkey
from tools.services.site import temporary_database


@contextmanager
def own_database(name: str = "tablero_test") -> Iterator[None]:
    """Use a new database with all tables for the block: a copy, see `tools.services.prebuilt`.

    Django's `setup_databases` would look for migrations to apply and permissions to create, which takes seconds.
    """
    from django.db import connection

    with ExitStack() as stack:
        if url := os.environ.get("DATABASE_URL"):
            used = stack.enter_context(temporary_database(url, name)).rsplit("/", 1)[1]
            stack.callback(connection.close_pool)
        else:
            used = connection.settings_dict["TEST"]["NAME"]
            prebuilt.copy_database(Path(used))
        stack.callback(connection.close)
        connection.settings_dict["NAME"] = used  # the same mapping for all threads
        yield


@contextmanager
def ground() -> Iterator[None]:
    """Use a temporary database and broker for the block. Django has to be set up."""
    from django.conf import settings
    from django.test.utils import setup_test_environment, teardown_test_environment

    with ExitStack() as stack:
        setup_test_environment()
        stack.callback(teardown_test_environment)
        stack.enter_context(valkey.temporary_broker(Path(settings.VAR_DIR) / "run"))
        stack.enter_context(own_database())
        yield
