"""Two users who change their relationship at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from django.db import connection
from django.test import TransactionTestCase

from accounts.errors import Refused
from accounts.models import Relationship, User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships

ROUNDS = 12


@pytest.mark.postgres
class Races(TransactionTestCase):
    def test_no_follow_is_created_concurrently_with_a_block(self) -> None:
        ana, bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        decisions = [
            (ana, bea, relationship_selectors.FOLLOW),
            (bea, ana, relationship_selectors.BLOCK),
            (bea, ana, relationship_selectors.FOLLOW),
        ]
        for _ in range(ROUNDS):
            Relationship.objects.all().delete()
            gate = Barrier(len(decisions))

            def decide(job: tuple[User, User, str], gate: Barrier = gate) -> None:
                by, about, kind = job
                gate.wait(timeout=60)
                try:
                    with suppress(Refused):
                        relationships.relationship_create(by=by, about=about, kind=kind)
                finally:
                    connection.close()

            with ThreadPoolExecutor(len(decisions)) as pool:
                list(pool.map(decide, decisions))
            assert [relationship.kind for relationship in Relationship.objects.all()] == [relationship_selectors.BLOCK]
