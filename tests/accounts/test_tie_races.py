"""Two people who decide about each other at the same moment. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from django.db import connection
from django.test import TransactionTestCase

from accounts import ties
from accounts.errors import Refused
from accounts.models import Tie, User

ROUNDS = 12


@pytest.mark.postgres
class Races(TransactionTestCase):
    def test_no_following_slips_in_beside_a_block(self) -> None:
        ana, bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        decisions = [(ana, bea, ties.FOLLOW), (bea, ana, ties.BLOCK), (bea, ana, ties.FOLLOW)]
        for _ in range(ROUNDS):
            Tie.objects.all().delete()
            gate = Barrier(len(decisions))

            def decide(job: tuple[User, User, str], gate: Barrier = gate) -> None:
                by, about, kind = job
                gate.wait(timeout=10)
                try:
                    with suppress(Refused):
                        ties.tie_make(by=by, about=about, kind=kind)
                finally:
                    connection.close()

            with ThreadPoolExecutor(len(decisions)) as pool:
                list(pool.map(decide, decisions))
            assert [tie.kind for tie in Tie.objects.all()] == [ties.BLOCK]
