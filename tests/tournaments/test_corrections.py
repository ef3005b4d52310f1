"""Corrections, undo and redo: any result can be corrected and any act undone, whatever came after it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games import services as play
from games.models import Match, RatedMatch, Rating, ResultCorrection
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.site_matches import assert_ratings_match_logs, play_on_site
from tests.tournaments.test_services import refused
from tournaments import fold, services
from tournaments import undo as acts
from tournaments.errors import AffectsPairings
from tournaments.models import Meeting, Tournament, TournamentEvent
from tournaments.services.transaction import load_events

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


@pytest.fixture
def cup(tournament: Make) -> Tournament:
    """A running knock-out of four without accounts: W1 meets W4, W2 meets W3."""
    return tournament(walk_ins=4, start=True)


def enter(made: Tournament, dora: User, key: str, winner: int, points: tuple[int, int] | None = None) -> int:
    """Enter a result; the number of the act."""
    a, _b = fresh(made).by_key[key].entrants
    services.result_enter(
        tournament_id=made.pk, user=dora, key=key, winner=winner, points=points or ((3, 1) if winner == a else (1, 3))
    )
    return last_act(made)


def correct(made: Tournament, dora: User, key: str, winner: int | None, **changes: Any) -> int:
    arguments: dict[str, Any] = {"why": "The sheet says so", "how": "played" if winner else "walkover", **changes}
    services.result_correct(tournament_id=made.pk, user=dora, key=key, winner=winner, **arguments)
    return last_act(made)


def undo(made: Tournament, dora: User, act: int, **arguments: Any) -> None:
    services.act_undo(tournament_id=made.pk, user=dora, act=act, **arguments)


def redo(made: Tournament, dora: User, act: int, **arguments: Any) -> None:
    services.act_redo(tournament_id=made.pk, user=dora, act=act, **arguments)


def last_act(made: Tournament) -> int:
    """The last act that can be undone."""
    return max(acts.head_events(load_events(made)))


def shown(made: Tournament, dora: User, service: Callable[..., Any], **arguments: Any) -> dict[str, bool]:
    """The pairings that would be reset, and whether their match is in play. Nothing is written."""
    before = TournamentEvent.objects.count()
    with pytest.raises(AffectsPairings) as asked:
        service(tournament_id=made.pk, user=dora, **arguments)
    assert asked.value.code == "affected"
    assert TournamentEvent.objects.count() == before
    return {affected.pairing.key: affected.playing for affected in asked.value.affected}


def winners(made: Tournament) -> dict[str, int | None]:
    """Who won each pairing that is done."""
    return {pairing.key: pairing.winner for pairing in fresh(made).pairings if pairing.state == "done"}


def rows(made: Tournament) -> dict[str, tuple[int, int, str]]:
    return {row.key: (row.a.number, row.b.number, row.state) for row in made.meetings.all()}


# Correcting


def test_a_score_is_corrected_at_any_time(cup: Tournament, dora: User) -> None:
    for key, winner in (("main-1-1", 1), ("main-1-2", 2), ("main-2-1", 1)):
        enter(cup, dora, key, winner)
    correct(cup, dora, "main-1-1", 1, points=(3, 2))
    result = fresh(cup).by_key["main-1-1"].result
    assert result is not None
    assert (result.points, result.why) == ((3, 2), "The sheet says so")
    assert fresh(cup).phase == "over"
    assert winners(cup) == {"main-1-1": 1, "main-1-2": 2, "main-2-1": 1}


def test_a_winner_is_corrected_while_no_dependent_match_has_begun(cup: Tournament, dora: User) -> None:
    enter(cup, dora, "main-1-1", 1)
    enter(cup, dora, "main-1-2", 2)
    assert rows(cup)["main-2-1"] == (1, 2, "ready")
    correct(cup, dora, "main-1-1", 4, points=(1, 3))
    assert rows(cup)["main-2-1"] == (4, 2, "ready")


def test_pairings_that_would_be_reset_need_exact_agreement(cup: Tournament, dora: User) -> None:
    for key, winner in (("main-1-1", 1), ("main-1-2", 2), ("main-2-1", 1)):
        enter(cup, dora, key, winner)
    wrong: dict[str, Any] = {"key": "main-1-1", "winner": 4, "points": (1, 3), "why": "Mixed up"}
    assert shown(cup, dora, services.result_correct, **wrong) == {"main-2-1": False}
    assert shown(cup, dora, services.result_correct, **wrong, agreed=["main-1-2"]) == {"main-2-1": False}
    services.result_correct(tournament_id=cup.pk, user=dora, **wrong, agreed=["main-2-1"])
    cup.refresh_from_db()
    assert (cup.phase, cup.ended_at) == ("running", None)
    assert winners(cup) == {"main-1-1": 4, "main-1-2": 2}
    assert rows(cup)["main-2-1"] == (4, 2, "ready")
    enter(cup, dora, "main-2-1", 4)
    assert fresh(cup).phase == "over"


def test_the_old_result_returns_with_its_two_entrants(cup: Tournament, dora: User) -> None:
    for key, winner in (("main-1-1", 1), ("main-1-2", 2), ("main-2-1", 1)):
        enter(cup, dora, key, winner)
    before = fresh(cup)
    act = correct(cup, dora, "main-1-1", 4, points=(1, 3), agreed=["main-2-1"])
    undo(cup, dora, act)
    assert fresh(cup).pairings == before.pairings
    assert fresh(cup).phase == "over"
    assert rows(cup)["main-2-1"] == (1, 2, "done")
    assert shown(cup, dora, services.act_redo, act=act) == {"main-2-1": False}
    redo(cup, dora, act, agreed=["main-2-1"])
    assert ready(cup) == ["main-2-1"]


def test_a_result_can_be_corrected_to_a_double_walkover(cup: Tournament, dora: User) -> None:
    enter(cup, dora, "main-1-1", 1)
    correct(cup, dora, "main-1-1", None)
    enter(cup, dora, "main-1-2", 2)
    assert fresh(cup).by_key["main-2-1"].state == "bye"
    assert fresh(cup).phase == "over"


def test_a_correction_needs_a_reason_and_another_result(cup: Tournament, dora: User, ana: User) -> None:
    arguments: dict[str, Any] = {"tournament_id": cup.pk, "user": dora, "key": "main-1-1", "winner": 1, "why": "x"}
    refused("no_result_yet", services.result_correct, **arguments, points=(3, 1))
    enter(cup, dora, "main-1-1", 1)
    refused("same_result", services.result_correct, **arguments, points=(3, 1))
    refused("no_reason", services.result_correct, **{**arguments, "why": " "}, points=(3, 0))
    refused("no_reason", services.result_correct, **{**arguments, "why": "x" * 201}, points=(3, 0))
    refused("report_score", services.result_correct, **arguments, points=(2, 0))
    refused("report_winner", services.result_correct, **{**arguments, "winner": 2}, points=(3, 0))
    refused("no_pairing", services.result_correct, **{**arguments, "key": "main-7-1"}, points=(3, 0))
    refused("not_director", services.result_correct, **{**arguments, "user": ana}, points=(3, 0))


def test_a_report_about_earlier_entrants_does_not_concern_later_ones(
    tournament: Make, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = tournament(venue="board")
    for player in (ana, bea, carlos):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    services.tournament_start(tournament_id=made.pk, user=dora)  # ana meets Paco, bea meets carlos
    enter(made, dora, "main-1-1", 1)
    enter(made, dora, "main-1-2", 2)
    services.result_report(tournament_id=made.pk, user=ana, key="main-2-1", winner=1, points=(3, 0))
    arguments: dict[str, Any] = {"key": "main-1-2", "winner": 3, "points": (1, 3), "why": "Mixed up"}
    assert shown(made, dora, services.result_correct, **arguments) == {"main-2-1": False}
    services.result_correct(tournament_id=made.pk, user=dora, **arguments, agreed=["main-2-1"])
    refused("no_report", services.result_confirm, tournament_id=made.pk, user=carlos, key="main-2-1")


# Undoing


def test_every_kind_of_event_is_undoable_a_consequence_or_lasting() -> None:
    kinds = [*fold.UNDOABLE, *fold.ALONG, *fold.LASTING]
    assert sorted(kinds) == sorted(fold.KINDS)


def test_an_undo_gives_the_tournament_without_the_act(cup: Tournament, dora: User) -> None:
    first = enter(cup, dora, "main-1-1", 1)
    enter(cup, dora, "main-1-2", 2)
    undo(cup, dora, first)
    assert winners(cup) == {"main-1-2": 2}
    assert "main-2-1" not in rows(cup)
    assert rows(cup)["main-1-1"] == (1, 4, "ready")
    redo(cup, dora, first)
    assert winners(cup) == {"main-1-1": 1, "main-1-2": 2}
    assert list(cup.events.order_by("n").values_list("kind", flat=True))[-4:] == [
        "result",
        "result",
        "undone",
        "redone",
    ]


def test_undoing_a_result_shows_all_pairings_that_depend_on_it(cup: Tournament, dora: User) -> None:
    first = enter(cup, dora, "main-1-1", 1)
    enter(cup, dora, "main-1-2", 2)
    enter(cup, dora, "main-2-1", 1)
    assert shown(cup, dora, services.act_undo, act=first) == {"main-2-1": False}
    undo(cup, dora, first, agreed=["main-2-1"])
    assert (fresh(cup).phase, ready(cup)) == ("running", ["main-1-1"])
    enter(cup, dora, "main-1-1", 1)  # entered anew as it was: the final was played by these two
    assert (fresh(cup).phase, winners(cup)["main-2-1"]) == ("over", 1)


def test_undoing_a_withdrawal_undoes_its_walkover(cup: Tournament, dora: User) -> None:
    services.entrant_withdraw(tournament_id=cup.pk, user=dora, number=4)
    act = last_act(cup)
    assert winners(cup) == {"main-1-1": 1}
    undo(cup, dora, act)
    assert (ready(cup), cup.entrants.get(number=4).withdrawn) == (["main-1-1", "main-1-2"], False)


def test_a_redo_removes_what_followed_from_the_undo(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=3, start=True, format_="swiss", config={"rounds": 2})
    (first,) = fresh(made).rounds
    assert first.bye is not None
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=first.bye)
    act = last_act(made)
    services.entrant_withdraw(tournament_id=made.pk, user=dora, number=first.pairs[0][1])
    before = fresh(made)
    assert (before.phase, before.rounds) == ("over", (first,))  # one is left
    undo(made, dora, act)
    assert [(round_.round, set(round_.pairs[0])) for round_ in fresh(made).rounds[1:]] == [
        (2, {first.pairs[0][0], first.bye})
    ]
    redo(made, dora, act)
    assert fresh(made) == before


def test_a_round_that_was_paired_too_early_is_paired_again(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, format_="swiss", config={"rounds": 3}, pace="hand")
    services.round_pair(tournament_id=made.pk, user=dora)
    for key in ready(made):
        enter(made, dora, key, fresh(made).by_key[key].entrants[0])
    services.round_pair(tournament_id=made.pk, user=dora)
    act, second = last_act(made), ready(made)
    enter(made, dora, second[0], fresh(made).by_key[second[0]].entrants[0])
    assert shown(made, dora, services.act_undo, act=act) == {second[0]: False}
    undo(made, dora, act, agreed=[second[0]])
    assert (ready(made), [round_.round for round_ in fresh(made).rounds]) == ([], [1])
    assert not made.round_rows.filter(round=2).exists()
    services.round_pair(tournament_id=made.pk, user=dora)
    assert len(ready(made)) in (1, 2)
    repaired = fresh(made).rounds
    redo(made, dora, act)  # the first pairing of the round counts, and the later one is none
    assert [round_.round for round_ in fresh(made).rounds] == [1, 2]
    assert fresh(made).rounds == repaired


def test_undoing_a_round_undoes_later_rounds(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, format_="swiss", config={"rounds": 3}, pace="hand")
    paired = []
    for _round in (1, 2):
        services.round_pair(tournament_id=made.pk, user=dora)
        paired.append(last_act(made))
        for key in ready(made):
            enter(made, dora, key, fresh(made).by_key[key].entrants[0])
    keys = [pairing.key for pairing in fresh(made).pairings]
    assert list(shown(made, dora, services.act_undo, act=paired[0])) == keys
    undo(made, dora, paired[0], agreed=keys)
    assert (fresh(made).rounds, rows(made)) == ((), {})
    redo(made, dora, paired[0])
    assert [pairing.key for pairing in fresh(made).pairings if pairing.state == "done"] == keys


def test_an_undone_draw_leaves_no_results_in_the_next_one(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4)
    services.tournament_draw(tournament_id=made.pk, user=dora)
    drawn = last_act(made)
    services.tournament_start(tournament_id=made.pk, user=dora)
    enter(made, dora, "main-1-1", 1)
    undo(made, dora, drawn, agreed=["main-1-1"])
    made.refresh_from_db()
    assert (made.phase, made.begun_at, rows(made)) == ("open", None, {})
    services.tournament_start(tournament_id=made.pk, user=dora)
    assert ready(made) == ["main-1-1", "main-1-2"]
    redo(made, dora, drawn)
    assert winners(made) == {"main-1-1": 1}


def test_an_undone_cancellation_resumes_the_tournament(cup: Tournament, dora: User) -> None:
    enter(cup, dora, "main-1-1", 1)
    services.tournament_cancel(tournament_id=cup.pk, user=dora)
    undo(cup, dora, last_act(cup))
    cup.refresh_from_db()
    assert (cup.phase, cup.ended_at, ready(cup)) == ("running", None, ["main-1-2"])
    enter(cup, dora, "main-1-2", 2)
    assert rows(cup)["main-2-1"] == (1, 2, "ready")


def test_an_automatic_act_that_would_repeat_at_once_is_not_undone(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True, pace="timed", round_minutes=30)
    for key in ready(made):
        enter(made, dora, key, fresh(made).by_key[key].entrants[0])
    Tournament.objects.filter(pk=made.pk).update(begun_at=made.begun_at - timedelta(hours=1))
    services.round_due(tournament_id=made.pk)
    assert rows(made)["main-2-1"][2] == "ready"
    refused("by_itself", services.act_undo, tournament_id=made.pk, user=dora, act=last_act(made))


def test_impossible_undos_are_refused(cup: Tournament, dora: User, ana: User) -> None:
    act = enter(cup, dora, "main-1-1", 1)
    arguments: dict[str, Any] = {"tournament_id": cup.pk, "user": dora}
    refused("not_director", services.act_undo, **{**arguments, "user": ana}, act=act)
    refused("no_act", services.act_undo, **arguments, act=999)
    refused("not_undoable", services.act_undo, **arguments, act=1)
    refused("not_undone", services.act_redo, **arguments, act=act)
    undo(cup, dora, act)
    refused("undone_already", services.act_undo, **arguments, act=act)
    refused("not_undoable", services.act_undo, **arguments, act=act + 1)  # the undoing itself


def test_of_two_results_the_later_one_counts_whichever_is_redone(cup: Tournament, dora: User) -> None:
    first = enter(cup, dora, "main-1-1", 1)
    undo(cup, dora, first)
    second = enter(cup, dora, "main-1-1", 4)
    redo(cup, dora, first)
    assert winners(cup) == {"main-1-1": 4}
    undo(cup, dora, second)
    assert winners(cup) == {"main-1-1": 1}


# On the boards of this site, with their ratings


@pytest.fixture
def online(tournament: Make, ana: User, bea: User, carlos: User, person: Callable[..., User], dora: User) -> Tournament:
    """A rated knock-out on this site: ana meets eva, bea meets carlos."""
    made = tournament(rated=True, clock="club")
    for player in (ana, bea, carlos, person("eva")):
        services.entrant_register(tournament_id=made.pk, user=player)
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made


def counted() -> dict[str, bool]:
    """Who won each match that has a line in the ratings, and whether it counts."""
    lines = RatedMatch.objects.order_by("n")
    winners = [(line.match.seats.get(won=True).user, line.counts) for line in lines]
    return {user.username: counts for user, counts in winners if user is not None}


def test_a_match_with_an_undone_result_leaves_the_ratings_and_returns(
    online: Tournament, ana: User, bea: User, dora: User
) -> None:
    first = play_on_site(online, "main-1-1", ana)
    play_on_site(online, "main-1-2", bea)
    final = play_on_site(online, "main-2-1", bea)
    assert RatedMatch.objects.filter(counts=True).count() == 3
    act = correct(online, dora, "main-1-1", 4, points=None, how="walkover", agreed=["main-2-1"])
    assert list(RatedMatch.objects.order_by("n").values_list("counts", flat=True)) == [False, True, False]
    correction = ResultCorrection.objects.get(match=final)
    assert (correction.by, correction.reason, correction.before, correction.after) == (
        dora,
        "Torneo semanal del club: The sheet says so",
        {"winner": final.winner, "counts": True},
        {"winner": final.winner, "counts": False, "arranged": True},
    )
    assert_ratings_match_logs()
    row = Meeting.objects.get(tournament=online, key="main-2-1")
    assert row.match is not None
    assert (row.match.status, row.match != final) == ("open", True)  # eva and bea have a board of their own
    undo(online, dora, act)
    assert list(RatedMatch.objects.order_by("n").values_list("counts", flat=True)) == [True, True, True]
    assert Meeting.objects.get(tournament=online, key="main-2-1").match == final
    assert Match.objects.get(pk=row.match.pk).status == "cancelled"
    assert Match.objects.get(pk=first.pk).winner == first.winner
    assert_ratings_match_logs()


def test_a_corrected_winner_is_corrected_in_the_match_and_the_ratings(
    online: Tournament, ana: User, dora: User
) -> None:
    match = play_on_site(online, "main-1-1", ana)
    before = Rating.objects.get(user=ana).rating
    correct(online, dora, "main-1-1", 4, points=(2, 3))
    assert Match.objects.get(pk=match.pk).winner != match.winner
    assert Rating.objects.get(user=ana).rating < 1500 < before
    assert Meeting.objects.get(tournament=online, key="main-1-1").match == match
    assert_ratings_match_logs()


def test_a_match_with_an_undone_result_is_played_again(online: Tournament, ana: User, dora: User) -> None:
    match = play_on_site(online, "main-1-1", ana)
    act = last_act(online)
    undo(online, dora, act)
    row = Meeting.objects.get(tournament=online, key="main-1-1")
    assert row.match is not None
    assert (row.state, row.match.status, row.match != match) == ("ready", "open", True)
    assert services.match_result_record(match_id=match.pk) is False  # the sweep does not bring it back
    assert services.unrecorded_match_ids() == []
    assert not RatedMatch.objects.get(match=match).counts
    redo(online, dora, act)
    row.refresh_from_db()
    assert (row.state, row.match) == ("done", match)
    assert_ratings_match_logs()


def test_a_live_match_is_shown_before_an_undo_stops_it(
    online: Tournament, ana: User, bea: User, dora: User, person: Callable[..., User]
) -> None:
    play_on_site(online, "main-1-1", ana)
    act = last_act(online)
    play_on_site(online, "main-1-2", bea)
    match = Meeting.objects.get(tournament=online, key="main-2-1").match
    assert match is not None
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    assert shown(online, dora, services.act_undo, act=act) == {"main-2-1": True}
    undo(online, dora, act, agreed=["main-2-1"])
    stopped = Match.objects.get(pk=match.pk)
    assert (stopped.status, stopped.ended_by, stopped.winner) == ("over", "stopped", "")
    assert_ratings_match_logs()
