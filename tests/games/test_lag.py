"""Lag credit: bounded by what was measured, by the time used, and by a quota that refills."""

from __future__ import annotations

from games.lag import FULL, REFILL, Quota


def test_the_measured_way_is_given_back() -> None:
    assert Quota().credit("white", trip=300, used=5_000) == (300, Quota())


def test_never_more_than_was_used_nor_than_was_measured() -> None:
    assert Quota().credit("black", trip=300, used=120)[0] == 120
    assert Quota().credit("black", trip=0, used=120)[0] == 0
    assert Quota().credit("black", trip=-5, used=120)[0] == 0


def test_who_is_always_slow_gets_no_more_than_the_refill() -> None:
    quota, given = Quota(), []
    for _ in range(8):
        credit, quota = quota.credit("white", trip=60_000, used=60_000)
        given.append(credit)
    assert given == [FULL, *[REFILL] * 7]
    assert quota.black == FULL
