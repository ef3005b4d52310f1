"""A database with all tables and a broker, for a tool that calls the site in its own process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tools.services import prebuilt, valkey


@contextmanager
def ground() -> Iterator[None]:
    """Use a temporary database and broker for the block. Django has to be set up."""
    from django.conf import settings
    from django.test.utils import (
        setup_databases,
        setup_test_environment,
        teardown_databases,
        teardown_test_environment,
    )

    test = settings.DATABASES["default"]["TEST"]
    url = os.environ.get("DATABASE_URL", "")
    if url:
        test["TEMPLATE"] = prebuilt.postgres_template(url)
    else:
        prebuilt.copy_database(Path(test["NAME"]))
    with ExitStack() as stack:
        setup_test_environment()
        stack.callback(teardown_test_environment)
        stack.enter_context(valkey.temporary_broker(Path(settings.VAR_DIR) / "run"))
        made = setup_databases(verbosity=0, interactive=False, keepdb=not url)
        stack.callback(teardown_databases, made, verbosity=0)
        yield
