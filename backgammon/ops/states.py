"""Which version of its tables a database has: the migrations that were applied, and the models of that moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.apps.registry import Apps
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

State = frozenset[tuple[str, str]]
"""The migrations that a database has seen, as (app, name)."""


@cache
def _loader() -> MigrationLoader:
    """The migrations of this code, which are the same for as long as it runs."""
    return MigrationLoader(None)


def applied(alias: str) -> State:
    """The state of a database; empty where there are no tables."""
    return frozenset(MigrationRecorder(connections[alias]).applied_migrations())


def newest() -> State:
    """The state to which this code brings a database."""
    return frozenset(_loader().graph.nodes)


def unknown(state: State) -> list[str]:
    """The migrations of a state of which this code knows nothing: it is older, or something else."""
    return sorted(f"{app}.{name}" for app, name in state - newest())


@cache
def models_of(state: State) -> Apps:
    """The models as they were in a state that this code knows."""
    return _loader().project_state(sorted(state)).apps


def build(alias: str, state: State, apps: Apps) -> None:
    """Make the tables of a state in an empty database, at once instead of migration by migration.

    What comes out is what the migrations would have made, rows excepted; the tests hold the two against each other.
    """
    connection = connections[alias]
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.managed and not model._meta.proxy and not model._meta.swapped:
                editor.create_model(model)
    recorder.migration_qs.bulk_create(recorder.Migration(app=app, name=name) for app, name in sorted(state))


def migrate_on() -> None:
    """Bring the database that is `default` now to the state of this code."""
    try:
        call_command("migrate", interactive=False, verbosity=0)
    finally:
        ContentType.objects.clear_cache()  # the numbers of another database


@contextmanager
def lent(alias: str, settings: dict[str, Any]) -> Iterator[str]:
    """A connection of its own under a name, for as long as the block; what had the name has it again afterwards.

    Migrations write to `default`, so a database that is being made has to be `default` for a while.
    """
    known = connections.settings
    had = known.get(alias)
    old = connections[alias] if had is not None else None
    connections.configure_settings({"default": known["default"], alias: settings})
    known[alias] = settings
    connections[alias] = connections.create_connection(alias)
    try:
        yield alias
    finally:
        connections[alias].close()
        if had is None or old is None:
            del connections[alias]
            del known[alias]
        else:
            known[alias] = had
            connections[alias] = old


def listed(state: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """A state as it is written down: the names of each app, in order."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(state):
        found.setdefault(app, []).append(name)
    return found
