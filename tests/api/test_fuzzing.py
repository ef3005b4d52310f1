"""The short tier of tools/fuzz/api.py: some forty requests of all kinds, the same each time."""

from __future__ import annotations

import pytest

from tools.fuzz import api


@pytest.mark.django_db
def test_the_api_conforms_to_its_schema() -> None:
    from tests.access.world import World

    with api.unhindered():
        tally = api.Fuzz(World(), number=10).run(40)
    assert [fault.text for fault in tally.faults] == []
    assert tally.cases >= 40
