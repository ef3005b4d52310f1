"""Empty the tables after a test that commits.

Django's own way truncates all of some hundred tables and makes content types and permissions anew, which takes longer
than most tests. Here only tables with rows are emptied, and what migrations have filled is there again: a worker that
takes tests from another one may run any test after one that commits.
"""

from __future__ import annotations

from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

LEFT = frozenset({"django_migrations", "django_content_type", "auth_permission"})


def empty(connection: BaseDatabaseWrapper) -> None:
    """Delete the rows of all tables but those of `LEFT`, and make the default club anew.

    The rows go in one transaction: foreign keys are checked at its end.
    """
    from accounts.clubs.services import default_club_ensure  # once the apps are there

    quote = connection.ops.quote_name
    names = sorted(set(connection.introspection.django_table_names(include_views=False)) - LEFT)
    filled = (f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in names)  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(filled))
        found = [name for (name,) in cursor.fetchall()]
    if found:
        connection.ops.execute_sql_flush([f"DELETE FROM {quote(name)}" for name in found])  # noqa: S608
    default_club_ensure()


def fixture_teardown(case: Any) -> None:
    """Replace `TransactionTestCase._fixture_teardown`."""
    for alias in case._databases_names(include_mirrors=False):
        empty(connections[alias])
