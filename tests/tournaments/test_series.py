"""Series: pairings that are decided by the best of 3, 5 or 7 matches (ruling E24)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Club, User
from games.models import Match, RatedMatch
from games.signals import user_notified
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.folded import played_state
from tests.tournaments.series_stage import enter, refused, result, two_members
from tests.tournaments.site_matches import assert_ratings_match_logs, play_on_site
from tournaments import masterpoints, services
from tournaments.boards import Boards, Room
from tournaments.errors import AffectsPairings, Refused
from tournaments.fold import state_after
from tournaments.formats.core import Key
from tournaments.models import Meeting, OutsideResult, Tournament
from tournaments.part_keys import fixture_key
from tournaments.selectors.director_desk import director_desk
from tournaments.services.results_sync import tournament_sync_results
from tournaments.state import Event, State

Make = Callable[..., Tournament]
SEMIFINAL = "main-1-1"  # of four players: 1 against 4, in the order of the draw


def series_of(players: int = 4, format_: str = "knockout", best_of: int = 3, **shape: Any) -> State:
    return played_state(format_, players, played=0, best_of=best_of, **shape)


def match(state: State, key: Key, winner: int | None, **more: Any) -> State:
    """The state after a match with this winner."""
    a, b = state.fixture_by_key[fixture_key(key)].entrants
    points = None if winner is None or more.get("how") else [7, 0] if winner == a else [0, 7]
    how = {"how": "walkover"} if winner is None else {}
    data = {"key": key, "of": [a, b], "winner": winner, "points": points, **how, **more}
    return state_after(state, Event("result", data))


def played(state: State, fixture: Key, *winners: int | None) -> State:
    """The state after these matches of a series."""
    for number, winner in enumerate(winners, 1):
        state = match(state, f"{fixture}_{number}", winner)
    return state


def states(state: State, fixture: Key) -> dict[Key, str]:
    """The pairings of a fixture that are played, with their states."""
    return {pairing.key: pairing.state for pairing in state.pairings if pairing.key.startswith(fixture)}


# The fold


def test_the_next_match_exists_when_one_has_its_result_and_none_after_the_series_is_decided() -> None:
    state = series_of()
    assert states(state, SEMIFINAL) == {"main-1-1_1": "ready"}
    state = played(state, SEMIFINAL, 1)
    assert states(state, SEMIFINAL) == {"main-1-1_1": "done", "main-1-1_2": "ready"}
    assert state.fixture_by_key[SEMIFINAL].state == "ready"
    state = played(state, SEMIFINAL, 1, 4)
    assert states(state, SEMIFINAL) == {"main-1-1_1": "done", "main-1-1_2": "done", "main-1-1_3": "ready"}
    state = played(state, SEMIFINAL, 1, 4, 4)
    assert states(state, SEMIFINAL) == dict.fromkeys(["main-1-1_1", "main-1-1_2", "main-1-1_3"], "done")
    assert result(state, SEMIFINAL) == (4, (1, 2), "played")
    assert state.fixture_by_key["main-2-1"].entrants == (4,)
    assert result(played(series_of(), SEMIFINAL, 1, 1), SEMIFINAL) == (1, (2, 0), "played")


def test_a_bracket_plays_series_in_its_last_rounds_only() -> None:
    final = series_of(8, best_of=5, best_of_rounds=1, third_place=True)
    assert {final.series.length(section, round_) for section, round_ in (("main", 1), ("main", 2))} == {1}
    assert (final.series.length("main", 3), final.series.length("third", 1)) == (5, 5)
    semifinals = series_of(8, best_of_rounds=2)
    assert [semifinals.series.length("main", round_) for round_ in (1, 2, 3)] == [1, 3, 3]
    double = series_of(8, "double", best_of_rounds=1)
    assert (double.series.length("main", 3), double.series.length("final", 1)) == (1, 3)


def test_other_brackets_have_single_matches() -> None:
    consolation = series_of(8, consolation="simple")
    assert (consolation.series.length("main", 1), consolation.series.length("consolation", 1)) == (3, 1)
    assert series_of(8, "double").series.length("losers", 1) == 1
    groups = {"groups": 2, "advance": 2}
    assert series_of(6, "groups", **groups).series.length("group-1", 1) == 3
    assert series_of(6, "groups", best_of_rounds=1, **groups).series.length("group-1", 1) == 1


@pytest.mark.parametrize("format_", ["swiss", "round-robin", "losses", "league"])
def test_tables_play_series_in_all_rounds(format_: str) -> None:
    state = played_state(format_, 4, best_of=3, rounds=3 if format_ == "swiss" else 0)
    assert state.phase == "over"
    assert {fixture.result.points for fixture in state.fixtures if fixture.result} <= {(2, 0), (0, 2)}
    single = [fixture for fixture in state.fixtures if fixture.state == "bye"]
    assert len(state.pairings) == 2 * len(state.fixtures) - len(single)


def test_a_table_counts_a_series_once_and_its_matches_as_points() -> None:
    state = series_of(3, "round-robin", tie_breaks=("wins", "points"))
    first, second, third = (fixture.key for fixture in state.fixtures if len(fixture.entrants) == 2)
    for fixture in (first, second, third):
        a, b = state.fixture_by_key[fixture].entrants
        state = played(state, fixture, max(a, b), min(a, b), min(a, b))
    table = {line.entrant: (line.played, line.wins, dict(line.values)["points"]) for line in state.standings}
    assert table == {1: (2, 2, 2), 2: (2, 1, 0), 3: (2, 0, -2)}


def test_a_walkover_is_one_match_of_the_series() -> None:
    state = match(series_of(), "main-1-1_1", 4, how="walkover")
    assert states(state, SEMIFINAL)["main-1-1_2"] == "ready"
    state = match(match(state, "main-1-1_2", 1), "main-1-1_3", 1)
    assert result(state, SEMIFINAL) == (1, (2, 1), "played")


def test_a_series_won_by_walkovers_alone_is_a_walkover() -> None:
    state = match(series_of(consolation="simple"), "main-1-1_1", 1, how="walkover")
    state = match(state, "main-1-1_2", 1, how="walkover", loser_present=True)
    assert result(state, SEMIFINAL) == (1, None, "walkover")
    assert state.fixture_by_key[SEMIFINAL].result.loser_present  # type: ignore[union-attr]


def test_a_match_that_both_lose_loses_the_series_for_both() -> None:
    state = match(played(series_of(), SEMIFINAL, 1), "main-1-1_2", None)
    assert result(state, SEMIFINAL) == (None, None, "walkover")
    assert state.fixture_by_key["main-2-1"].a.is_empty


def test_who_withdraws_loses_the_series_and_keeps_the_matches_played() -> None:
    state = state_after(played(series_of(), SEMIFINAL, 4), Event("withdrawn", {"entrant": 4}))
    assert result(state, SEMIFINAL) == (1, None, "withdrawn")
    assert states(state, SEMIFINAL) == {"main-1-1_1": "done", SEMIFINAL: "done"}
    state = state_after(state, Event("reinstated", {"entrant": 4}))
    assert result(state, SEMIFINAL) == (1, None, "withdrawn")  # it was lost by then
    assert state.by_key["main-1-1_1"].winner == 4


def test_an_undone_match_is_played_again_and_those_after_it_stay() -> None:
    state = match(played(series_of(best_of=5), SEMIFINAL, 1), "main-1-1_3", 4)  # the second one was undone
    assert states(state, SEMIFINAL) == {"main-1-1_1": "done", "main-1-1_2": "ready", "main-1-1_3": "done"}
    assert state.series.score(state.fixture_by_key[SEMIFINAL], state.results) == (1, 0)
    state = match(state, "main-1-1_2", 1)
    assert state.series.score(state.fixture_by_key[SEMIFINAL], state.results) == (2, 1)
    assert states(state, SEMIFINAL)["main-1-1_4"] == "ready"


def test_a_score_of_the_whole_series_stands_beside_the_matches_played() -> None:
    state = match(played(series_of(), SEMIFINAL, 4), SEMIFINAL, 1, points=[2, 1])
    assert result(state, SEMIFINAL) == (1, (2, 1), "played")
    assert states(state, SEMIFINAL) == {"main-1-1_1": "done", SEMIFINAL: "done"}


def test_master_points_count_a_series_as_one_match() -> None:
    series, single = (played_state("knockout", 4, **shape) for shape in ({"best_of": 7}, {}))
    assert masterpoints.awards(series) == masterpoints.awards(single)


# The services


@pytest.mark.django_db
def test_the_next_match_on_the_site_is_arranged_by_itself_and_each_is_rated(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = two_members(tournament, dora, ana, bea, clock="club", rated=True)
    for number, winner in enumerate((ana, bea, ana), 1):
        assert ready(made) == [f"main-1-1_{number}"]
        play_on_site(made, f"main-1-1_{number}", winner)
    assert fresh(made).phase == "over"
    assert result(fresh(made), SEMIFINAL) == (1, (2, 1), "played")
    assert RatedMatch.objects.count() == 3
    assert Match.objects.filter(meeting__tournament=made).count() == 3
    assert_ratings_match_logs()


@pytest.mark.django_db
def test_a_score_of_the_series_ends_the_match_in_play_and_undoing_it_arranges_another(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    made = two_members(tournament, dora, ana, bea)
    play_on_site(made, "main-1-1_1", ana)
    second = Meeting.objects.get(key="main-1-1_2").match
    assert second is not None
    act = enter(made, dora, SEMIFINAL, 1, 2, 1)
    assert Match.objects.get(pk=second.pk).status == Match.Status.CANCELLED
    assert fresh(made).phase == "over"
    services.act_undo(tournament_id=made.pk, user=dora, act=act)
    again = Meeting.objects.get(key="main-1-1_2").match
    assert again is not None
    assert again.status == Match.Status.OPEN
    assert ready(made) == ["main-1-1_2"]


@pytest.mark.django_db
def test_a_score_that_no_series_ends_with_is_refused(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 3})
    for won, lost in ((3, 0), (2, 2), (1, 0), (2, 0.5)):
        with pytest.raises(Refused) as found:
            enter(made, dora, SEMIFINAL, 1, won, lost)
        assert (found.value.code, found.value.params) == ("report_series", {"wins": 2})
    enter(made, dora, "main-1-1_1", 4)
    with pytest.raises(Refused) as found:
        enter(made, dora, SEMIFINAL, 1, 2, 0)
    assert (found.value.code, found.value.params) == ("report_series_played", {"score": "0–1"})
    enter(made, dora, SEMIFINAL, 1, 2, 1)
    refused("has_result", enter, made=made, dora=dora, key=SEMIFINAL, winner=1, won=2)


@pytest.mark.django_db
def test_a_walkover_of_the_series_ends_it(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 5})
    enter(made, dora, "main-1-1_1", 4)
    enter(made, dora, SEMIFINAL, 1, how="walkover")
    assert result(fresh(made), SEMIFINAL) == (1, None, "walkover")


@pytest.mark.django_db
def test_correcting_a_match_that_decided_the_series_earlier_asks_first(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True, config={"best_of": 3})
    for number, winner in enumerate((1, 2, 2), 1):
        enter(made, dora, f"main-1-1_{number}", winner)
    change = {"user": dora, "key": "main-1-1_2", "winner": 1, "points": (3, 0), "why": "misread"}
    with pytest.raises(AffectsPairings) as found:
        services.result_correct(tournament_id=made.pk, **change)
    assert [reset.pairing.key for reset in found.value.affected] == ["main-1-1_3"]
    services.result_correct(tournament_id=made.pk, **change, agreed=["main-1-1_3"])
    assert result(fresh(made), SEMIFINAL) == (1, (2, 0), "played")
    assert set(made.meetings.values_list("key", flat=True)) == {"main-1-1_1", "main-1-1_2"}
    refused("no_pairing", services.result_correct, tournament_id=made.pk, **{**change, "key": SEMIFINAL})


@pytest.mark.django_db
def test_all_matches_of_a_series_have_the_deadline_of_the_first(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True, config={"best_of": 3}, round_hours=48)
    first = Meeting.objects.get(key="main-1-1_1").due_at
    enter(made, dora, "main-1-1_1", 1)
    second = Meeting.objects.get(key="main-1-1_2")
    assert (second.due_at, second.lock_at) == (first, first)


@pytest.mark.django_db
def test_a_series_stays_at_its_board(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, config={"best_of": 3})
    boards = Boards((Room("Hall", 1, 2),), automatic=True)
    services.boards_set(tournament_id=made.pk, user=dora, boards=boards)
    enter(made, dora, "main-1-2_1", 2)
    assert {key: call.board for key, call in fresh(made).called.items()} == {"main-1-1_1": 1, "main-1-2_2": 2}


@pytest.mark.django_db
def test_over_the_board_the_players_are_notified_once_of_a_series(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    notified: list[str] = []

    def receive(sender: object, message: dict[str, Any], **kwargs: Any) -> None:
        notified.append(message["id"])

    user_notified.connect(receive)
    made = two_members(tournament, dora, ana, bea, venue="board")
    assert notified == ["main-1-1_1"] * 2
    services.boards_set(tournament_id=made.pk, user=dora, boards=Boards((Room("Hall", 1, 2),), automatic=True))
    notified.clear()
    enter(made, dora, "main-1-1_1", 1)
    assert ready(made) == ["main-1-1_2"]
    assert notified == []
    services.pairing_call(tournament_id=made.pk, user=dora, key="main-1-1_2", board=2)
    assert notified == ["main-1-1_2"] * 2
    user_notified.disconnect(receive)


@pytest.mark.django_db
def test_a_substitute_goes_on_with_the_series(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=2, start=True, config={"best_of": 3})
    enter(made, dora, "main-1-1_1", 1)
    services.entrant_substitute(tournament_id=made.pk, user=dora, number=2, name="Elena")
    enter(made, dora, "main-1-1_2", 1)
    names = director_desk(tournament_id=made.pk, user=dora).snapshot
    state = fresh(made)
    assert [names.name(2, state.by_key[key]) for key in ("main-1-1_1", "main-1-1_2")] == ["W2", "Elena"]
    assert names.name(2, state.fixture_by_key[SEMIFINAL]) == "Elena"


@pytest.mark.django_db
def test_penalty_points_are_of_one_match(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = two_members(tournament, dora, ana, bea)
    services.penalty_give(tournament_id=made.pk, user=dora, key="main-1-1_1", number=2, points=3)
    assert (result(fresh(made), SEMIFINAL), ready(made)) == (None, ["main-1-1_2"])
    refused("no_pairing", services.penalty_give, tournament_id=made.pk, user=dora, key=SEMIFINAL, number=2, points=1)


@pytest.mark.django_db
def test_over_the_board_single_matches_are_rated_and_a_score_of_the_series_is_not(
    tournament: Make, dora: User, ana: User, bea: User
) -> None:
    Club.objects.update(outside=True)
    made = two_members(tournament, dora, ana, bea, venue="board", rated=True, lengths=[1])
    enter(made, dora, "main-1-1_1", 1, 1)
    enter(made, dora, SEMIFINAL, 1, 2)
    tournament_sync_results(tournament_id=made.pk)
    assert [row.key for row in OutsideResult.objects.all()] == [f"{made.pk}/main-1-1_1"]


@pytest.mark.django_db
def test_players_report_match_by_match(tournament: Make, dora: User, ana: User, bea: User) -> None:
    made = two_members(tournament, dora, ana, bea, venue="board")
    report = {"tournament_id": made.pk, "winner": 1}
    services.result_report(user=ana, key="main-1-1_1", points=(3, 1), **report)
    services.result_confirm(tournament_id=made.pk, user=bea, key="main-1-1_1")
    assert ready(made) == ["main-1-1_2"]
    refused("no_pairing", services.result_report, user=ana, key=SEMIFINAL, points=(2, 0), **report)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "config"),
    [
        ("series_length", {"best_of": 4}),
        ("series_length", {"best_of": 0}),
        ("series_teams", {"best_of": 3, "boards": 3}),
    ],
)
def test_terms_of_a_series_that_cannot_be_played_are_refused(
    tournament: Make, code: str, config: dict[str, int]
) -> None:
    refused(code, tournament, format_="round-robin", pace="hand", config=config)
