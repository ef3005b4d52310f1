"""A finished analysis produces totals of both players, puzzles, and training cards for errors."""

from __future__ import annotations

import pytest

from accounts.models import User
from analysis import services
from analysis.models import MatchTally, Puzzle, Report, TalliedReport, TrainerCard
from analysis.sage_analyst import SageAnalyst
from analysis.services import tallies
from games.models import Match
from tests.analysis.cards import play, played, report_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    return played(ana, bea)


def test_both_players_have_their_totals(match: Match, ana: User, bea: User) -> None:
    report = report_of(match, play(4, "white", loss=0.1), play(6, "black"), play(8, "white", obvious=True))
    tallies.report_count(report_id=report.pk)
    rows = {tally.user: tally for tally in MatchTally.objects.all()}
    assert (rows[ana].decisions, rows[ana].lost, rows[ana].parts) == (1, 0.1, {"contact": [1, 0.1], "play": [1, 0.1]})
    assert (rows[bea].decisions, rows[bea].lost) == (1, 0.0)
    assert rows[ana].ended_at == match.ended_at
    assert rows[ana].pace["count"] == 2


def test_an_error_becomes_a_training_card_of_the_player_who_made_it(match: Match, bea: User) -> None:
    report = report_of(match, play(4, "white", loss=0.03), play(6, "black", loss=0.09))
    tallies.report_count(report_id=report.pk)
    [card] = TrainerCard.objects.all()
    assert (card.user, card.box, card.puzzle.played, card.puzzle.loss) == (bea, 0, "24/18 13/9", 0.09)
    assert card.puzzle.xgid.split(":")[3] == "1"  # the deciding side is White


def test_a_match_in_which_a_play_was_taken_back_has_puzzles_and_no_totals(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(taken_back=1)
    tallies.report_count(report_id=report_of(match, play(4, "white", loss=0.1)).pk)
    assert (MatchTally.objects.count(), Puzzle.objects.count(), TrainerCard.objects.count()) == (0, 1, 1)


def test_a_close_decision_is_a_puzzle_without_a_card(match: Match) -> None:
    close = play(4, "white")
    close["plays"][1] |= {"equity": 0.19, "loss": 0.01}
    tallies.report_count(report_id=report_of(match, close).pk)
    [puzzle] = Puzzle.objects.all()
    assert (puzzle.loss, round(puzzle.gap, 3), TrainerCard.objects.count()) == (0.0, 0.01, 0)


def test_counting_again_changes_nothing(match: Match) -> None:
    report = report_of(match, play(4, "white", loss=0.1))
    for _ in range(2):
        tallies.report_count(report_id=report.pk)
    assert (
        MatchTally.objects.count(),
        Puzzle.objects.count(),
        TrainerCard.objects.count(),
        TalliedReport.objects.count(),
    ) == (
        2,
        1,
        1,
        1,
    )


def test_a_deeper_report_removes_what_it_does_not_confirm(match: Match) -> None:
    quick = report_of(match, play(4, "white", loss=0.1), play(6, "black", loss=0.1))
    deep = report_of(match, play(4, "white", loss=0.05), play(6, "black"), depth="deep")
    for report in (quick, deep, quick):
        tallies.report_count(report_id=report.pk)
    assert [(puzzle.n, puzzle.loss) for puzzle in Puzzle.objects.all()] == [(4, 0.05)]
    assert {tally.report for tally in MatchTally.objects.all()} == {deep}


def test_the_sweep_queues_reports_that_were_not_counted(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[tuple[str, int]] = []
    monkeypatch.setattr("analysis.notify.task_requested", lambda task, about: called.append((task, about)))
    report = report_of(match, play(4, "white"))
    assert tallies.tallies_sweep() == 1
    assert called == [("analysis.tasks.report_count", report.pk)]
    tallies.report_count(report_id=report.pk)
    assert tallies.tallies_sweep() == 0


def test_a_report_that_is_not_ready_is_not_counted(match: Match) -> None:
    report = report_of(match, play(4, "white"))
    Report.objects.update(status=Report.Status.MAKING)
    tallies.report_count(report_id=report.pk)
    assert not MatchTally.objects.exists()


def test_a_real_report_is_counted_when_it_is_finished(
    match: Match, ana: User, django_capture_on_commit_callbacks: object
) -> None:
    if reason := SageAnalyst().reason():
        pytest.skip(reason)
    report = services.report_ask(match_id=match.pk, user=ana)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert services.report_make(report_id=report.pk)
    report.refresh_from_db()
    tally = MatchTally.objects.get(user=ana)
    white = report.data["sides"]["white"]["all"]
    assert (tally.decisions, round(tally.lost, 3)) == (white["decisions"], white["lost"])
    assert TrainerCard.objects.filter(user=ana).count() == sum(
        report.data["sides"]["white"]["grades"][grade] for grade in ("error", "blunder")
    )
