"""Breaks, pairing preferences, and rounds that open at a time set by the director."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

import pytest

from accounts.models import User
from games import services as play
from games.database import now
from games.models import Match
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.test_late_entries import play_round
from tests.tournaments.test_services import enter, kinds, refused
from tournaments import services
from tournaments.fold import fold, state_after
from tournaments.formats.core import Config, History, Invalid, MissedRounds
from tournaments.formats.matching import pair
from tournaments.formats.swiss import Swiss
from tournaments.models import Meeting, Tournament, TournamentRound
from tournaments.state import Event
from tournaments.tasks import sweep_tournaments

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def match_of(tournament: Tournament, key: str) -> Match:
    match = Meeting.objects.get(tournament=tournament, key=key).match
    assert match is not None
    return match


def put_back(tournament: Tournament, kind: str, name: str, **time: float) -> None:
    """A moment that an event names was so much earlier."""
    event = tournament.events.filter(kind=kind).order_by("-n")[0]
    event.data[name] = (datetime.fromisoformat(event.data[name]) - timedelta(**time)).isoformat()
    event.save(update_fields=["data"])


# Breaks


@pytest.fixture
def playing(tournament: Make, dora: User, ana: User, bea: User) -> Tournament:
    """ana and bea play here; two walk-ins play over the board."""
    made = tournament(no_show_minutes=10)
    enter(made, ana)
    for name in ("W2", "W3"):
        services.entrant_add(tournament_id=made.pk, user=dora, name=name)
    enter(made, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    for user in (ana, bea):
        play.match_arrive(match_id=match_of(made, "main-1-1").pk, user=user)
    return made


def test_a_break_stops_the_clocks_and_opens_nothing_until_it_ends(playing: Tournament, dora: User, ana: User) -> None:
    until = now() + timedelta(minutes=20)
    refused("not_director", services.break_start, tournament_id=playing.pk, user=ana, until=until)
    past = now() - timedelta(minutes=1)
    refused("recess_past", services.break_start, tournament_id=playing.pk, user=dora, until=past)
    services.break_start(tournament_id=playing.pk, user=dora, until=until, why="pizza")
    refused("recess", services.break_start, tournament_id=playing.pk, user=dora)
    match = match_of(playing, "main-1-1")
    assert match.pause["why"] == "pizza"
    services.result_enter(tournament_id=playing.pk, user=dora, key="main-1-2", winner=2, points=(3, 0))
    services.result_enter(tournament_id=playing.pk, user=dora, key="main-1-1", winner=1, points=(3, 0))
    assert ready(playing) == ["main-2-1"]
    assert Meeting.objects.get(key="main-2-1").opened_at is None
    assert sweep_tournaments() == 0
    Tournament.objects.update(break_ends_at=past)
    assert sweep_tournaments() == 1
    assert Meeting.objects.get(key="main-2-1").opened_at is not None
    playing.refresh_from_db()
    assert (fresh(playing).current_break, playing.break_ends_at, kinds(playing)[-1]) == (None, None, "recess_over")


def test_the_end_of_a_break_resumes_only_the_matches_that_it_paused(playing: Tournament, dora: User) -> None:
    services.matches_pause(tournament_id=playing.pk, user=dora, keys=["main-1-1"])
    refused("no_recess", services.break_end, tournament_id=playing.pk, user=dora)
    services.break_start(tournament_id=playing.pk, user=dora)
    services.break_end(tournament_id=playing.pk, user=dora)
    assert match_of(playing, "main-1-1").pause is not None
    services.matches_resume(tournament_id=playing.pk, user=dora, keys=["main-1-1"])
    services.break_start(tournament_id=playing.pk, user=dora, pause=False)
    assert match_of(playing, "main-1-1").pause is None
    services.break_end(tournament_id=playing.pk, user=dora)
    services.break_start(tournament_id=playing.pk, user=dora)
    assert match_of(playing, "main-1-1").pause is not None
    services.break_end(tournament_id=playing.pk, user=dora)
    assert match_of(playing, "main-1-1").pause is None


def test_nobody_is_late_because_of_an_adjournment(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = tournament(no_show_minutes=10)
    enter(made, ana, bea)
    services.tournament_start(tournament_id=made.pk, user=dora)
    services.break_start(tournament_id=made.pk, user=dora)
    before = Meeting.objects.get()
    Meeting.objects.update(no_show_at=now() - timedelta(minutes=1))
    sweep_tournaments()
    assert fresh(made).penalties == {}
    put_back(made, "recess", "since", hours=8)
    services.break_end(tournament_id=made.pk, user=dora)
    after = Meeting.objects.get()
    assert timedelta(hours=8) <= after.opened_at - before.opened_at < timedelta(hours=8, minutes=1)


# The time of a round


def test_a_round_opens_at_the_time_set_by_the_director(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=4, pace="hand", start=True)
    at = now() + timedelta(minutes=30)
    refused("not_director", services.round_set_time, tournament_id=made.pk, user=ana, at=at)
    refused("round_past", services.round_set_time, tournament_id=made.pk, user=dora, at=now() - timedelta(minutes=1))
    services.round_set_time(tournament_id=made.pk, user=dora, at=at)
    assert TournamentRound.objects.get().open_at == at
    assert sweep_tournaments() == 0
    services.round_set_time(tournament_id=made.pk, user=dora, at=None)
    assert not TournamentRound.objects.exists()
    services.round_set_time(tournament_id=made.pk, user=dora, at=now() + timedelta(hours=1))
    put_back(made, "timed", "at", hours=2)
    TournamentRound.objects.update(open_at=now() - timedelta(seconds=1))
    assert sweep_tournaments() == 1
    assert fresh(made).opened == {("main", 1)}
    flow = tournament(walk_ins=4, start=True)
    refused("round_unknown", services.round_set_time, tournament_id=flow.pk, user=dora, at=at)


def test_a_swiss_round_is_paired_at_the_time_set(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, format_="swiss", config={"rounds": 2}, pace="hand", start=True)
    services.round_set_time(tournament_id=made.pk, user=dora, at=now() + timedelta(hours=1))
    put_back(made, "timed", "at", hours=2)
    TournamentRound.objects.update(open_at=now() - timedelta(seconds=1))
    assert sweep_tournaments() == 1
    assert ready(made) == ["swiss-1-1", "swiss-1-2"]


# Pairing preferences


def test_the_next_round_follows_the_pairing_preferences(tournament: Make, dora: User, ana: User) -> None:
    made = tournament(walk_ins=6, format_="swiss", config={"rounds": 3}, pace="hand", start=True)
    arguments = {"tournament_id": made.pk, "user": dora}
    refused(
        "not_director", services.pairing_preferences_set, tournament_id=made.pk, user=ana, together=[(1, 2)], apart=[]
    )
    services.pairing_preferences_set(**arguments, together=[(2, 1)], apart=[(3, 6), (3, 5)])
    services.round_pair(tournament_id=made.pk, user=dora)
    state = fresh(made)
    assert [pairing.entrants for pairing in state.pairings] == [(1, 2), (3, 4), (5, 6)]
    assert [pairing.why.code for pairing in state.pairings] == ["forced", "fold", "fold"]
    assert (state.together, state.apart) == ((), ((3, 6), (3, 5)))
    play_round(made, dora)
    services.round_pair(tournament_id=made.pk, user=dora)
    second = [set(pairing.entrants) for pairing in fresh(made).pairings if pairing.round == 2]
    assert {3, 6} not in second
    assert {3, 5} not in second


@pytest.mark.parametrize(
    ("code", "together", "apart"),
    [
        ("pairs_forced", [(1, 2), (2, 3)], []),
        ("pairs_forced", [(1, 2)], [(2, 1)]),
        ("pairs_forced", [(1, 1)], []),
        ("pairs_forbidden", [], [(1, 2), (1, 3), (1, 4)]),
        ("pairs_forbidden", [(1, 2)], [(3, 4)]),
        ("not_entered", [(1, 9)], []),
    ],
)
def test_impossible_pairing_preferences_are_refused(
    tournament: Make, dora: User, code: str, together: list[tuple[int, int]], apart: list[tuple[int, int]]
) -> None:
    made = tournament(walk_ins=4, format_="swiss", config={"rounds": 3})
    refused(code, services.pairing_preferences_set, tournament_id=made.pk, user=dora, together=together, apart=apart)


def test_a_bracket_has_no_pairing_preferences(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    refused(
        "no_wishes", services.pairing_preferences_set, tournament_id=made.pk, user=dora, together=[(1, 2)], apart=[]
    )


def test_preferences_made_impossible_by_a_withdrawal_alert_and_pair_nobody(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, format_="swiss", config={"rounds": 2}, start=True)
    services.pairing_preferences_set(tournament_id=made.pk, user=dora, together=[(1, 4)], apart=[])
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=4)
    play_round(made, dora)
    state = fresh(made)
    assert (len(state.rounds), [kind for kind, _key in state.alerts]) == (1, ["unpaired"])
    assert state.alerts["unpaired", ""]["params"]["names"] == "W1, W4"
    services.pairing_preferences_set(tournament_id=made.pk, user=dora, together=[], apart=[])
    assert len(fresh(made).rounds) == 2


def test_forced_and_forbidden_pairs_are_kept_and_the_rest_is_optimal() -> None:
    chance = Random(7)
    for _ in range(40):
        players = list(range(1, 2 * chance.randint(3, 7) + 1))
        scores = {player: chance.randint(0, 3) for player in players}
        two = chance.sample(players, 4)
        together, apart = [(two[0], two[1])], [(two[2], two[3])]
        pairs, _bye = pair(players, scores, [], together=together, apart=apart)
        found = {frozenset(pair_) for pair_ in pairs}
        assert frozenset(together[0]) in found
        assert frozenset(apart[0]) not in found
        rest = [player for player in players if player not in together[0]]
        if frozenset(apart[0]) not in {frozenset(pair_) for pair_ in pair(rest, scores, [])[0]}:
            assert found == {frozenset(together[0]), *(frozenset(pair_) for pair_ in pair(rest, scores, [])[0])}


def test_half_points_for_missed_rounds_count_in_the_pairing() -> None:
    config = Config("swiss", rounds=3)
    history = History((1, 2, 3), late={3: MissedRounds(2, half=True)})
    first = Swiss().next_round(config, history)
    assert first is not None
    assert first.bye in (1, 2)
    with pytest.raises(Invalid) as fault:
        Swiss().next_round(config, History((1, 2), apart=((1, 2),)))
    assert (fault.value.code, fault.value.params) == ("pairs_forbidden", {"entrants": [1, 2]})


def test_impossible_roster_events_change_nothing() -> None:
    state = fold([Event("configured", {"terms": {"config": {"format": "knockout"}}})])
    for event in (
        Event("admitted", {"entrant": 4}),
        Event("late", {"entrant": 4}),
        Event("linked", {"entrant": 4, "name": "ana", "user": 1}),
        Event("recess_over"),
        Event("timed", {"section": "main", "round": 1, "at": None}),
    ):
        assert state_after(state, event) == state
