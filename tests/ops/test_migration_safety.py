"""Which changes of tables the version before cannot live with."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps.registry import Apps
from django.db import models

from tools.migration_safety import REVIEWED, findings, unsafe_changes


def tables(table: str = "club", constraints: Any = (), **columns: models.Field[Any, Any]) -> dict[str, Any]:
    """A table with these columns beside its key."""
    options = {"app_label": "tests", "apps": Apps(), "db_table": table, "constraints": list(constraints)}
    body = {"Meta": type("Meta", (), options), "__module__": __name__, **columns}
    return {table: type("Club", (models.Model,), body)}


def text(**more: Any) -> models.Field[Any, Any]:
    return models.CharField(**{"max_length": 20, **more})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"name": text(db_default="")}),
        ({}, {"name": text(null=True)}),
        ({"name": text()}, {"name": text(max_length=40)}),
        ({"name": text()}, {"name": text(null=True)}),
        ({"name": text()}, {"name": text(verbose_name="its name", default="x")}),
    ],
)
def test_what_the_old_version_may_leave_out_is_safe(before: Any, after: Any) -> None:
    assert list(unsafe_changes(tables(**before), tables(**after))) == []


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({}, {"name": text(default="")}, "club.name is new and the old version leaves it out"),
        ({"name": text()}, {}, "club.name is dropped or renamed"),
        ({"name": text(null=True)}, {"name": text()}, "club.name may not be empty any more"),
        ({"name": text()}, {"name": text(unique=True)}, "club.name is unique now"),
        ({"name": text()}, {"name": text(max_length=10)}, "club.name changes from varchar(20) to varchar(10)"),
        ({"name": text(db_default="")}, {"name": text()}, "club.name loses its default in the database"),
    ],
)
def test_what_breaks_the_old_version_is_found(before: Any, after: Any, found: str) -> None:
    assert list(unsafe_changes(tables(**before), tables(**after))) == [found]


def test_a_table_that_is_gone_is_found_and_a_new_one_is_safe() -> None:
    assert list(unsafe_changes(tables("club"), tables("peña"))) == ["club is dropped or renamed"]
    assert list(unsafe_changes({}, tables("club", name=text()))) == []


def test_a_new_constraint_is_found() -> None:
    once = models.UniqueConstraint(fields=["name"], name="once")
    found = list(unsafe_changes(tables(name=text()), tables(name=text(), constraints=[once])))
    assert found == ["club has the new constraint once, which rows of the old version may break"]


@pytest.mark.django_db
def test_the_migrations_are_safe_or_reviewed() -> None:
    assert set(findings()) == set(REVIEWED)
