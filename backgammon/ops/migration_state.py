"""The schema version of a database: the applied migrations, and the models that belong to them."""

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
"""The migrations applied to a database, as (app, name)."""


@cache
def _loader() -> MigrationLoader:
    """Return the migrations of this code; they do not change while the process runs."""
    return MigrationLoader(None)


def applied(alias: str) -> State:
    """Return the state of a database; empty if it has no tables."""
    return frozenset(MigrationRecorder(connections[alias]).applied_migrations())


def latest() -> State:
    """Return the state with all migrations of this code applied."""
    return frozenset(_loader().graph.nodes)


def unknown(state: State) -> list[str]:
    """Return the migrations of a state that this code does not have: it is older, or another program."""
    return sorted(f"{app}.{name}" for app, name in state - latest())


@cache
def models_of(state: State) -> Apps:
    """Return the models as they were in a state whose migrations this code has."""
    return _loader().project_state(sorted(state)).apps


def create_tables(alias: str, state: State, apps: Apps) -> None:
    """Create the tables of a state in an empty database, at once instead of migration by migration.

    The schema is the one the migrations make, without their rows; the tests compare the two.
    """
    connection = connections[alias]
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            if model._meta.managed and not model._meta.proxy and not model._meta.swapped:
                editor.create_model(model)
    recorder.migration_qs.bulk_create(recorder.Migration(app=app, name=name) for app, name in sorted(state))


def migrate_to_latest() -> None:
    """Apply the remaining migrations of this code to the database that is `default` now."""
    try:
        call_command("migrate", interactive=False, verbosity=0)
    finally:
        ContentType.objects.clear_cache()  # its ids are those of another database


@contextmanager
def temporary_connection(alias: str, settings: dict[str, Any]) -> Iterator[str]:
    """Open a connection under `alias` for the block; a connection that had the alias gets it back afterwards.

    Migrations write to `default`, so a database that is being built has to be `default` meanwhile.
    """
    databases = connections.settings
    old_settings = databases.get(alias)
    old = connections[alias] if old_settings is not None else None
    connections.configure_settings({"default": databases["default"], alias: settings})
    databases[alias] = settings
    connections[alias] = connections.create_connection(alias)
    try:
        yield alias
    finally:
        connections[alias].close()
        if old_settings is None or old is None:
            del connections[alias]
            del databases[alias]
        else:
            databases[alias] = old_settings
            connections[alias] = old


def as_lists(state: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return a state as JSON has it: the sorted migration names of each app."""
    names: dict[str, list[str]] = {}
    for app, name in sorted(state):
        names.setdefault(app, []).append(name)
    return names
