"""An arena at its services: pairing, points, pauses, absence and the end (ruling E26)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games import services as play
from games.models import Action, Match
from tests.tournaments.conftest import fresh
from tests.tournaments.site_matches import fixed_dice
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Meeting, Placing, Tournament
from tournaments.services import results_sync
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db

START = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


class Time:
    """The moment of every transaction of tournaments, which only the test moves."""

    def __init__(self) -> None:
        self.moment = START

    def passes(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    passing = Time()
    monkeypatch.setattr("tournaments.services.transaction.now", lambda: passing.moment)
    return passing


def arena_terms(**chosen: Any) -> Terms:
    config = {"format": "arena", "minutes": chosen.pop("minutes", 20)}
    settings = {"clock": "blitz", "rated": False, "lengths": [1], "seeding": "hand", "venue": "online", **chosen}
    return Terms.read({"config": config, **settings})


class Table:
    """A running arena and its players by name."""

    def __init__(self, tournament: Tournament, director: User, players: list[User]) -> None:
        self.tournament = tournament
        self.director = director
        self.names = {number: user.username for number, user in enumerate(players, 1)}

    @property
    def pk(self) -> str:
        return self.tournament.pk

    def sweep(self) -> None:
        services.arena_due(tournament_id=self.pk)

    def playing(self) -> list[tuple[str, str]]:
        return [
            (self.names[pairing.entrants[0]], self.names[pairing.entrants[1]])
            for pairing in fresh(self.tournament).pairings
            if pairing.state == "ready"
        ]

    def key_of(self, name: str) -> str:
        state = fresh(self.tournament)
        ready = (pairing for pairing in state.pairings if pairing.state == "ready")
        return next(pairing.key for pairing in ready if name in [self.names[n] for n in pairing.entrants])

    def number(self, name: str) -> int:
        return next(number for number, other in self.names.items() if other == name)

    def won(self, name: str, how: str = "played") -> None:
        services.result_enter(
            tournament_id=self.pk, user=self.director, key=self.key_of(name), winner=self.number(name), how=how
        )

    def points(self) -> dict[str, int]:
        return {self.names[line.entrant]: int(dict(line.values)["arena"]) for line in fresh(self.tournament).standings}


@pytest.fixture
def arena(dora: User, person: Callable[..., User], time: Time) -> Callable[..., Table]:
    """A function that starts an arena of some players: `arena("ana", "bea")`."""

    def begin(*names: str, **chosen: Any) -> Table:
        players = [User.objects.filter(username=name).first() or person(name) for name in names]
        made = services.tournament_create(creator=dora, name="Arena", terms=arena_terms(**chosen))
        for user in players:
            services.entrant_register(tournament_id=made.pk, user=user)
        services.tournament_start(tournament_id=made.pk, user=dora)
        return Table(made, dora, players)

    return begin


def test_a_whole_arena_of_seven_players(arena: Callable[..., Table], time: Time) -> None:
    table = arena("p1", "p2", "p3", "p4", "p5", "p6", "p7")
    assert table.playing() == []
    table.sweep()
    assert table.playing() == [("p1", "p2"), ("p3", "p4"), ("p5", "p6")]
    time.passes(200)
    table.won("p1")
    table.won("p3")
    time.passes(5)
    table.sweep()  # p7 has waited longest, and p4 is the lowest of the others
    assert table.playing() == [("p5", "p6"), ("p1", "p3"), ("p7", "p2")]
    while fresh(table.tournament).phase == "running":
        time.passes(60)
        for pair in table.playing():
            table.won(min(pair))
        time.passes(5)
        table.sweep()
    state = fresh(table.tournament)
    assert state.closed
    assert state.ends_at == START + timedelta(minutes=20)
    assert all(pairing.state == "done" for pairing in state.pairings)
    in_order = list(table.points().values())
    assert in_order == sorted(in_order, reverse=True)
    for earlier, later in zip(state.rounds, state.rounds[1:], strict=False):
        assert not {frozenset(pair) for pair in earlier.pairs} & {frozenset(pair) for pair in later.pairs}
    results_sync.tournament_sync_results(tournament_id=table.pk)
    assert Placing.objects.filter(tournament=table.pk, place=1).count() == 1


def test_the_third_win_in_a_row_counts_double_until_a_loss(arena: Callable[..., Table], time: Time) -> None:
    table = arena("ana", "bea")
    seen = []
    for winner in ("ana", "ana", "ana", "ana", "bea", "ana"):
        time.passes(30)
        table.sweep()
        table.won(winner)
        seen.append(table.points()["ana"])
    assert seen == [2, 4, 8, 12, 12, 14]
    assert table.points()["bea"] == 2


def test_a_walkover_is_two_points_and_leaves_the_streak_as_it_is(arena: Callable[..., Table], time: Time) -> None:
    table = arena("ana", "bea")
    seen = []
    for how in ("played", "played", "walkover", "played"):
        time.passes(30)
        table.sweep()
        table.won("ana", how)
        seen.append(table.points()["ana"])
    assert seen == [2, 4, 6, 10]


def test_two_alone_meet_again_only_after_half_a_minute(arena: Callable[..., Table], time: Time) -> None:
    table = arena("ana", "bea")
    table.sweep()
    time.passes(100)
    table.won("ana")
    time.passes(29)
    table.sweep()
    assert table.playing() == []
    time.passes(1)
    table.sweep()
    assert table.playing() == [("ana", "bea")]


def test_a_player_joins_while_it_runs_and_comes_back_after_leaving(
    arena: Callable[..., Table], time: Time, carlos: User
) -> None:
    table = arena("ana", "bea")
    table.sweep()
    services.entrant_register(tournament_id=table.pk, user=carlos)
    table.names[3] = "carlos"
    assert fresh(table.tournament).order == (1, 2, 3)
    services.entrant_withdraw(tournament_id=table.pk, user=carlos, number=3)
    time.passes(60)
    table.won("ana")
    table.sweep()
    assert table.playing() == []
    services.entrant_register(tournament_id=table.pk, user=carlos)
    table.sweep()
    assert ("ana", "carlos") in table.playing()


def test_who_pauses_is_not_paired_until_they_come_back(arena: Callable[..., Table], time: Time, ana: User) -> None:
    table = arena("ana", "bea")
    services.arena_pause(tournament_id=table.pk, user=ana, number=1)
    table.sweep()
    assert table.playing() == []
    services.arena_pause(tournament_id=table.pk, user=ana, number=1, paused=False)
    table.sweep()
    assert table.playing() == [("ana", "bea")]


def test_nobody_pauses_for_somebody_else(arena: Callable[..., Table], bea: User, dora: User) -> None:
    table = arena("ana", "bea")
    with pytest.raises(Refused) as refused:
        services.arena_pause(tournament_id=table.pk, user=bea, number=1)
    assert refused.value.code == "not_yours"
    services.arena_pause(tournament_id=table.pk, user=dora, number=1)
    assert fresh(table.tournament).paused == {1}


def test_a_match_that_runs_at_the_end_counts(arena: Callable[..., Table], time: Time) -> None:
    table = arena("ana", "bea")
    time.passes(20 * 60 - 1)
    table.sweep()
    time.passes(1)
    table.sweep()
    assert (fresh(table.tournament).closed, fresh(table.tournament).phase) == (True, "running")
    time.passes(300)
    table.won("bea")
    assert fresh(table.tournament).phase == "over"
    assert table.points() == {"bea": 2, "ana": 0}


def test_without_a_match_in_play_the_end_of_the_time_is_the_end(arena: Callable[..., Table], time: Time) -> None:
    table = arena("ana")
    time.passes(20 * 60)
    table.sweep()
    assert fresh(table.tournament).phase == "over"


def test_a_director_stops_the_pairing_early(arena: Callable[..., Table], dora: User, ana: User) -> None:
    table = arena("ana", "bea")
    with pytest.raises(Refused) as refused:
        services.arena_stop(tournament_id=table.pk, user=ana)
    assert refused.value.code == "not_director"
    services.arena_stop(tournament_id=table.pk, user=dora)
    assert fresh(table.tournament).phase == "over"


def _meeting(table: Table) -> Meeting:
    return Meeting.objects.get(tournament=table.pk, state="ready")


def test_who_does_not_arrive_in_a_minute_loses_and_pauses(arena: Callable[..., Table], time: Time, ana: User) -> None:
    table = arena("ana", "bea")
    table.sweep()
    meeting = _meeting(table)
    assert meeting.no_show_at == START + timedelta(seconds=60)
    play.match_arrive(match_id=meeting.match_id, user=ana)
    time.passes(60)
    services.meeting_due(meeting_id=meeting.pk)
    state = fresh(table.tournament)
    assert table.points() == {"ana": 2, "bea": 0}
    assert state.paused == {2}
    assert Match.objects.get().status == "cancelled"


def test_where_neither_arrives_both_lose_and_pause(arena: Callable[..., Table], time: Time) -> None:
    table = arena("ana", "bea")
    table.sweep()
    time.passes(60)
    services.meeting_due(meeting_id=_meeting(table).pk)
    assert table.points() == {"ana": 0, "bea": 0}
    assert fresh(table.tournament).paused == {1, 2}


def test_who_arrives_and_makes_no_first_move_loses_and_pauses(
    arena: Callable[..., Table], time: Time, ana: User, bea: User
) -> None:
    table = arena("ana", "bea")
    table.sweep()
    meeting = _meeting(table)
    for user in (ana, bea):
        play.match_arrive(match_id=meeting.match_id, user=user)
    Match.objects.update(started_at=time.moment)
    Action.objects.update(at=time.moment)
    with fixed_dice():
        play.match_act(match_id=meeting.match_id, user_id=ana.pk, action="roll", client_id="ana-1")
    Action.objects.filter(actor="white").update(at=time.moment + timedelta(seconds=30))
    for seconds, points in ((60, 0), (29, 0), (1, 2)):  # bea has time until a minute after ana's roll
        time.passes(seconds)
        services.meeting_due(meeting_id=meeting.pk)
        assert table.points()["ana"] == points
    assert fresh(table.tournament).paused == {2}
    assert Match.objects.get().ended_by == "stopped"


def test_a_corrected_result_counts_as_if_it_had_been_so(arena: Callable[..., Table], time: Time, dora: User) -> None:
    table = arena("ana", "bea")
    for _ in range(3):
        time.passes(30)
        table.sweep()
        table.won("ana")
    first = fresh(table.tournament).pairings[0]
    services.result_correct(tournament_id=table.pk, user=dora, key=first.key, winner=2, why="Read wrong")
    assert table.points() == {"ana": 4, "bea": 2}


def test_an_undone_result_is_played_again_when_both_are_free(
    arena: Callable[..., Table], time: Time, dora: User
) -> None:
    table = arena("ana", "bea", "p3")
    table.sweep()
    table.won("ana")
    act = table.tournament.events.filter(kind="result").values_list("act", flat=True).get()
    time.passes(5)
    table.sweep()  # p3 meets ana or bea
    services.act_undo(tournament_id=table.pk, user=dora, act=act)
    assert len(fresh(table.tournament).rounds) == 2
    assert len(table.playing()) == 2


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        ({"minutes": 19}, "arena_minutes"),
        ({"minutes": 241}, "arena_minutes"),
        ({"lengths": [2]}, "arena_length"),
        ({"lengths": [1, 3]}, "arena_length"),
        ({"clock": "none"}, "arena_clock"),
        ({"clock": "days1"}, "arena_clock"),
        ({"venue": "board"}, "arena_online"),
        ({"pace": "hand"}, "arena_online"),
        ({"check_in": True}, "arena_online"),
    ],
)
def test_settings_that_are_no_arena_are_refused(dora: User, chosen: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        services.tournament_create(creator=dora, name="Arena", terms=arena_terms(**chosen))
    assert refused.value.code == code


def test_a_name_without_an_account_cannot_play(dora: User) -> None:
    made = services.tournament_create(creator=dora, name="Arena", terms=arena_terms())
    with pytest.raises(Refused) as refused:
        services.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    assert refused.value.code == "arena_accounts"


def test_nobody_joins_an_arena_that_is_full_or_ending(
    arena: Callable[..., Table], time: Time, dora: User, carlos: User
) -> None:
    table = arena("ana", "bea")
    Tournament.objects.update(capacity=2)
    with pytest.raises(Refused) as refused:
        services.entrant_register(tournament_id=table.pk, user=carlos)
    assert refused.value.code == "arena_full"
    Tournament.objects.update(capacity=None)
    table.sweep()
    services.arena_stop(tournament_id=table.pk, user=dora)
    with pytest.raises(Refused) as refused:
        services.entrant_register(tournament_id=table.pk, user=carlos)
    assert refused.value.code == "entry_closed"
