"""An outage is given back once while a director works. Needs real row locks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.db.models import F
from django.test import TransactionTestCase

from accounts.models import User
from games import services as play
from games.models import Match, SiteHeartbeat
from games.services import outage
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.models import Meeting, TournamentEvent

AWAY = timedelta(minutes=10)


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class Outage(TransactionTestCase):
    """Four boards are in play, with a deadline each; ten minutes ago everything stopped."""

    def setUp(self) -> None:
        people = tuple(User.objects.create_user(f"player.{n}") for n in range(8))
        self.cup = staged("knockout", 8, people=people, venue="online", clock="club", round_hours=48)
        self.director = User.objects.get(username="dora")
        for meeting in self.cup.meetings.exclude(match=None):
            for user in (meeting.a.user, meeting.b.user):
                play.match_arrive(match_id=str(meeting.match_id), user=user)
        outage.beat()
        SiteHeartbeat.objects.update(at=F("at") - AWAY, since=F("since") - AWAY)
        Meeting.objects.update(**{name: F(name) - AWAY for name in ("opened_at", *Meeting.DEADLINES)})
        Match.objects.update(flag_at=F("flag_at") - AWAY, clock_at=F("clock_at") - AWAY)

    def test_directors_and_heartbeats_do_not_deadlock(self) -> None:
        rows = self.cup.meetings.filter(round=1).order_by("key")
        keys = list(rows.values_list("key", flat=True))
        before = dict(rows.values_list("key", "due_at"))
        desk: list[Callable[[], object]] = [
            lambda: services.matches_pause(tournament_id=self.cup.pk, user=self.director, keys=keys[2:]),
            lambda: self.walkover(keys[0]),
            lambda: self.walkover(keys[1]),
        ]
        steps: list[Callable[[], object]] = [outage.beat, *desk, outage.beat]
        gate = Barrier(len(steps))

        def run(step: Callable[[], object]) -> object:
            gate.wait(timeout=60)
            try:
                return step()
            finally:
                connection.close()

        with ThreadPoolExecutor(len(steps)) as pool:
            list(pool.map(run, steps))  # raises what any of them raised
        assert TournamentEvent.objects.filter(kind="outage").count() <= 1
        if TournamentEvent.objects.filter(kind="paused").exists():
            services.matches_resume(tournament_id=self.cup.pk, user=self.director, keys=keys[2:])
        for row in rows.filter(key__in=keys[2:]):
            assert AWAY <= row.due_at - before[row.key] < AWAY + timedelta(seconds=20)

    def walkover(self, key: str) -> None:
        winner = Meeting.objects.get(tournament=self.cup, key=key).a.number
        services.result_enter(tournament_id=self.cup.pk, user=self.director, key=key, winner=winner, how="walkover")
