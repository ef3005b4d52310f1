"""A database with its tables and a broker, for a tool that asks the site in its own process and is no test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.services import template, valkey


@contextmanager
def ground() -> Iterator[None]:
    """Django has been set up; what is written within the block goes with it."""
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
        test["TEMPLATE"] = template.postgres(url)
    else:
        template.lay_down(Path(test["NAME"]))
    with ExitStack() as stack:
        setup_test_environment()
        stack.callback(teardown_test_environment)
        stack.enter_context(valkey.fresh(Path(settings.VAR_DIR) / "run"))
        made = setup_databases(verbosity=0, interactive=False, keepdb=not url)
        stack.callback(teardown_databases, made, verbosity=0)
        yield
