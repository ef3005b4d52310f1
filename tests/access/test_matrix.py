"""Every cell is requested: permitted actions succeed, others are refused and change nothing (docs/access.md)."""

from __future__ import annotations

import pytest

from tests.access import matrix
from tests.access.matrix_format import LETTERS, Area
from tests.access.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # the permissions are the same on PostgreSQL
AREAS = matrix.load_areas()


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    assert matrix.without_row(AREAS) == []
    assert matrix.acts_without_row(AREAS) == []
    assert matrix.without_route(AREAS) == []


@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_a_row_names_an_outcome_for_every_actor(area: Area) -> None:
    odd = [str(row) for row in area.rows if len(row.letters) != len(area.actors) or set(row.letters) - set(LETTERS)]
    assert odd == []


@pytest.mark.timeout(3600)  # some areas ask for a thousand responses: 20 s on a quiet machine
@pytest.mark.parametrize("area", AREAS, ids=lambda area: area.name)
def test_every_actor_gets_the_outcome_of_the_table(world: World, area: Area) -> None:
    assert matrix.wrong_cells(world, area) == []


def test_a_method_without_a_row_changes_nothing(world: World) -> None:
    assert matrix.writes_without_row(world, AREAS) == []


def test_no_form_accepts_a_cross_site_request(world: World) -> None:
    assert matrix.forgeable_forms(world, AREAS) == []
