"""Lag credit: bounded by what was measured, by the time used, and by a quota that refills."""

from __future__ import annotations

from games.lag_compensation import QUOTA_MS, REFILL_MS, LagQuota


def test_the_measured_round_trip_is_given_back() -> None:
    assert LagQuota().credit("white", rtt_ms=300, used=5_000) == (300, LagQuota())


def test_never_more_than_was_used_nor_than_was_measured() -> None:
    assert LagQuota().credit("black", rtt_ms=300, used=120)[0] == 120
    assert LagQuota().credit("black", rtt_ms=0, used=120)[0] == 0
    assert LagQuota().credit("black", rtt_ms=-5, used=120)[0] == 0


def test_an_always_slow_client_gets_no_more_than_the_refill() -> None:
    quota, credits = LagQuota(), []
    for _ in range(8):
        credit, quota = quota.credit("white", rtt_ms=60_000, used=60_000)
        credits.append(credit)
    assert credits == [QUOTA_MS, *[REFILL_MS] * 7]
    assert quota.black == QUOTA_MS
