"""Find migrations that the version before them cannot live with: ``python -m tools.migration_safety``.

While a site is upgraded, processes of the old version still run on the new tables (docs/operations.md, expand and
contract). So a migration only adds: it drops and renames no table and no column, changes no type, forbids no row that
the old version writes, and what it adds the old version may leave out. A migration that does otherwise has a line in
`REVIEWED`, which says why nobody is hurt.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Field, Model

REVIEWED: Mapping[str, str] = {
    "games.0002_take_backs: games_match.taken_back is new and the old version leaves it out": (
        "before the first release"
    ),
    "analysis.0002_hints: analysis_positionquestion.variant is new and the old version leaves it out": (
        "before the first release"
    ),
}
"""What is found and accepted, with the reason."""

TEXT = re.compile(r"varchar\((\d+)\)")
Tables = Mapping[str, "type[Model]"]


def unsafe_changes(before: Tables, after: Tables) -> Iterator[str]:
    """What the version before cannot live with, between the tables (by name) before and after a migration."""
    for table, old in sorted(before.items()):
        new = after.get(table)
        if new is None:
            yield f"{table} is dropped or renamed"
            continue
        columns, fresh = _columns(old), _columns(new)
        for name in sorted(columns.keys() - fresh.keys()):
            yield f"{table}.{name} is dropped or renamed"
        for name in sorted(fresh.keys() - columns.keys()):
            if not fresh[name].null and not fresh[name].has_db_default() and not fresh[name].primary_key:
                yield f"{table}.{name} is new and the old version leaves it out"
        for name in sorted(columns.keys() & fresh.keys()):
            yield from (f"{table}.{name} {change}" for change in _column_changes(columns[name], fresh[name]))
        for name in sorted(_constraints(new) - _constraints(old)):
            yield f"{table} has the new constraint {name}, which rows of the old version may break"


def _columns(model: type[Model]) -> dict[str, Field[Any, Any]]:
    return {field.column: field for field in model._meta.local_concrete_fields}


def _column_changes(old: Field[Any, Any], new: Field[Any, Any]) -> Iterator[str]:
    from django.db import connection

    if old.null and not new.null:
        yield "may not be empty any more"
    if new.unique and not old.unique:
        yield "is unique now"
    types = [str(field.db_type(connection)) for field in (old, new)]
    lengths = [int(found[1]) for text in types if (found := TEXT.fullmatch(text))]
    if types[0] != types[1] and not (len(lengths) == 2 and lengths[0] < lengths[1]):
        yield f"changes from {types[0]} to {types[1]}"
    if old.has_db_default() and not new.has_db_default() and not new.null:
        yield "loses its default in the database"


def _constraints(model: type[Model]) -> set[str]:
    together = {str(names) for names in model._meta.unique_together}
    return {constraint.name for constraint in model._meta.constraints} | together


def findings() -> list[str]:
    """What is unsafe in the migrations of this repository, each as `app.migration: what`; first ones make tables."""
    from django.apps import apps
    from django.db.migrations.loader import MigrationLoader

    own = {config.label for config in apps.get_app_configs() if "site-packages" not in config.path}
    loader = MigrationLoader(None)
    found = []
    for label, name in sorted(loader.disk_migrations):
        if label in own and not loader.disk_migrations[label, name].initial:
            before, after = (
                {model._meta.db_table: model for model in state.apps.get_app_config(label).get_models()}
                for state in (loader.project_state((label, name), at_end=end) for end in (False, True))
            )
            found += [f"{label}.{name}: {change}" for change in unsafe_changes(before, after)]
    return found


def main() -> int:
    """Print what is unsafe and not reviewed, and reviews of nothing; 1 if there is any."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")
    import django

    django.setup()
    found = findings()
    wrong = [line for line in found if line not in REVIEWED]
    wrong += [f"{line}: reviewed, but not found" for line in REVIEWED if line not in found]
    for line in wrong:
        print(line, file=sys.stderr)
    reviewed = sum(line in REVIEWED for line in found)
    print(f"migrations: {len(found)} unsafe changes, {reviewed} of them reviewed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
