"""The short tier of tests/fuzz/api.py: some forty requests of all kinds, the same each time."""

from __future__ import annotations

import pytest

from tests.fuzz import api


@pytest.mark.slow
@pytest.mark.django_db
def test_the_api_keeps_to_its_schema() -> None:
    from tests.access.world import World

    with api.unhindered():
        tally = api.Fuzz(World(), number=10).run(40)
    assert [fault.text for fault in tally.faults] == []
    assert tally.cases >= 40
