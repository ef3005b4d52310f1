"""Analyses are requested by the players of finished matches, and made by a worker one game at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from analysis import services
from analysis.errors import Refused
from analysis.models import AnalysisPreferences, Report, TrainerCard
from analysis.selectors import reports as selectors
from analysis.selectors import training
from analysis.services import reports, tallies
from games.database import now
from games.models import Match
from tests.analysis.over import over

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # the same actions on any database


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    """A finished match to 7 of two games between ana (White) and bea, the winner."""
    return over("m18.mat", ana, bea)


def request_report(match: Match, user: User, depth: str = "quick") -> Report:
    return services.report_ask(match_id=match.pk, user=user, depth=depth)


def refused(match: Match, user: User, depth: str = "quick") -> str:
    with pytest.raises(Refused) as refusal:
        request_report(match, user, depth)
    assert refusal.value.text
    return refusal.value.code


def test_an_analysis_is_requested_and_made(match: Match, ana: User) -> None:
    report = request_report(match, ana)
    assert (report.status, report.done, report.total, report.asked_by) == ("waiting", 0, match.version, ana)

    assert services.report_make(report_id=report.pk)

    report.refresh_from_db()
    assert (report.status, report.done, report.percent) == ("ready", match.version, 100)
    assert report.engine.startswith("Sage 2.")
    games = report.data["games"]
    assert [(game["number"], game["winner"], game["points"], game["kind"]) for game in games] == [
        (1, "black", 6, "backgammon"),
        (2, "black", 2, "gammon"),
    ]
    assert games[0]["start"] == 0.5
    assert set(report.data["sides"]) == {"white", "black"}
    assert report.data["sides"]["white"]["all"]["pr"] > report.data["sides"]["black"]["all"]["pr"]


def test_both_players_get_the_same_analysis(match: Match, ana: User, bea: User) -> None:
    assert request_report(match, ana) == request_report(match, bea)
    assert Report.objects.count() == 1


def test_only_the_players_may_request_an_analysis(match: Match, carlos: User) -> None:
    assert refused(match, carlos) == "report_not_yours"


def test_the_importer_of_a_match_may_request_an_analysis(match: Match, carlos: User) -> None:
    Match.objects.filter(pk=match.pk).update(source="mat", creator=carlos)
    assert request_report(match, carlos).asked_by == carlos


def test_a_match_in_play_is_never_analysed(open_table: Callable[..., Match], ana: User) -> None:
    assert refused(open_table(), ana) == "report_not_over"


def test_a_match_that_cannot_be_analysed_is_refused(match: Match, ana: User) -> None:
    assert refused(match, ana, "bottomless") == "report_depth"
    for facts, code in (
        ({"source": "board"}, "report_no_moves"),
        ({"version": 0}, "report_no_moves"),
        ({"variant": "acey"}, "engine_variant"),
        ({"options": {"desahogo": True}}, "engine_options"),
    ):
        before = {name: getattr(match, name) for name in facts}
        Match.objects.filter(pk=match.pk).update(**facts)
        assert refused(match, ana) == code
        Match.objects.filter(pk=match.pk).update(**before)


def test_a_site_may_switch_analyses_off(match: Match, ana: User, settings: Any) -> None:
    settings.REPORTS = "off"
    assert refused(match, ana) == "report_off"


def test_there_is_a_daily_quota(match: Match, ana: User, bea: User, settings: Any) -> None:
    settings.REPORTS_A_DAY = 1
    first = request_report(match, ana)
    assert refused(match, ana, "normal") == "report_quota"
    assert request_report(match, ana) == first  # an existing analysis uses no quota
    Report.objects.update(asked_at=now() - timedelta(days=2))
    assert request_report(match, ana, "normal").depth == "normal"


def test_a_guest_has_a_smaller_quota(person: Callable[..., User]) -> None:
    assert services.quota_of(person("guest-1", is_guest=True)) == 3


# Workers


def test_an_analysis_is_made_once(match: Match, ana: User) -> None:
    report = request_report(match, ana)
    assert services.report_make(report_id=report.pk)
    made = Report.objects.get()
    assert not services.report_make(report_id=report.pk)
    assert Report.objects.get().made_at == made.made_at


def test_two_workers_do_not_run_the_same_analysis(match: Match, ana: User) -> None:
    report = request_report(match, ana)
    assert reports.report_claim(report_id=report.pk) is not None
    assert reports.report_claim(report_id=report.pk) is None


def test_after_a_killed_worker_the_analysis_resumes_with_the_next_game(
    match: Match, ana: User, monkeypatch: Any
) -> None:
    report = request_report(match, ana)
    whole: list[str] = []

    def killed(report: Report, done: int, games: Any) -> bool:
        if games is None:
            return True
        assert save(report, done, games)
        raise SystemExit

    save = reports._save
    monkeypatch.setattr(reports, "_save", killed)
    with pytest.raises(SystemExit):
        services.report_make(report_id=report.pk)
    monkeypatch.undo()
    half = Report.objects.get()
    assert (half.status, len(half.data["games"]), 0 < half.done < half.total) == ("making", 1, True)
    assert not services.report_make(report_id=report.pk)  # its worker may be alive

    Report.objects.update(touched_at=now() - reports.PATIENCE - timedelta(seconds=1))
    assert services.reports_sweep() == 1
    assert services.reports_sweep() == 0  # already queued
    assert Report.objects.get().status == "waiting"
    assert services.report_make(report_id=report.pk)
    assert [game["number"] for game in Report.objects.get().data["games"]] == [1, 2]
    assert whole == []


def test_an_analysis_that_keeps_failing_is_given_up_and_can_be_requested_again(match: Match, ana: User) -> None:
    report = request_report(match, ana)
    Report.objects.update(tries=reports.MOST_TRIES, touched_at=now() - timedelta(hours=1))
    assert services.reports_sweep() == 0
    assert Report.objects.get().status == "failed"
    restarted = request_report(match, ana)
    assert (restarted.pk, restarted.status, restarted.tries) == (report.pk, "waiting", 0)


def test_the_position_in_the_queue_is_shown(match: Match, ana: User) -> None:
    first, second = request_report(match, ana), request_report(match, ana, "deep")
    assert (selectors.queue_position(first), selectors.queue_position(second)) == (1, 2)


# Always


def test_every_match_of_a_user_who_opted_in_is_analysed(match: Match, ana: User) -> None:
    assert services.report_after_match(match_id=match.pk) is None
    services.preferences_save(user=ana, always=True)
    report = services.report_after_match(match_id=match.pk)
    assert report is not None
    assert (report.asked_by, report.depth) == (ana, "quick")


def test_a_site_may_analyse_every_match(match: Match, settings: Any) -> None:
    settings.REPORTS = "always"
    report = services.report_after_match(match_id=match.pk)
    assert report is not None
    assert report.asked_by is None


def test_an_omitted_preference_stays(ana: User) -> None:
    services.preferences_save(user=ana, always=True)
    services.preferences_save(user=ana, public=True)
    assert AnalysisPreferences.objects.values_list("always", "public").get() == (True, True)


# Pages


def test_the_page_requests_waits_and_shows_the_analysis(client: Client, match: Match, ana: User, bea: User) -> None:
    client.force_login(ana)
    page = f"/match/{match.pk}/report/"
    assert "Analyse this match" in client.get(page).content.decode()
    assert f'action="{page}ask/"' in client.get(f"/match/{match.pk}/").content.decode()

    assert client.post(f"{page}ask/").headers["Location"] == page
    waiting = client.get(page).content.decode()
    assert 'hx-trigger="every 2s"' in waiting
    part = client.get(page, headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<section class="card" id="coming"')

    services.report_make(report_id=Report.objects.get().pk)
    assert client.get(page, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    shown = client.get(page).content.decode()
    assert "Drop: you win 23% of games and need 41% to take." in shown
    assert shown.count('class="error-item ') == len(selectors.report_errors(match, Report.objects.get()))


def test_an_analysis_is_private_until_its_players_share_it(
    client: Client, match: Match, ana: User, bea: User, carlos: User
) -> None:
    services.report_make(report_id=request_report(match, ana).pk)
    page = f"/match/{match.pk}/report/"
    client.force_login(carlos)
    assert client.get(page).status_code == 404
    services.preferences_save(user=ana, public=True)
    assert client.get(page).status_code == 404
    services.preferences_save(user=bea, public=True)
    assert client.get(page).status_code == 200
    client.logout()
    assert client.get(page).status_code == 200


def test_nothing_of_a_match_in_play_is_shown(client: Client, open_table: Callable[..., Match], ana: User) -> None:
    live = open_table()
    client.force_login(ana)
    assert client.get(f"/match/{live.pk}/report/").status_code == 404
    assert client.get(f"/match/{live.pk}/report/", headers={"HX-Request": "true"}).status_code == 404
    answer = client.post(f"/match/{live.pk}/report/ask/")
    assert answer.headers["Location"] == f"/match/{live.pk}/"
    page, result = client.get(f"/match/{live.pk}/").content.decode().split('data-part="result-dialog"')
    assert "report/" not in page
    assert result.count(f'action="/match/{live.pk}/report/ask/"') == 1  # for when it is over
    assert not Report.objects.exists()


def test_preferences_are_saved(client: Client, match: Match, ana: User) -> None:
    client.force_login(ana)
    client.post("/analysis/wishes/", {"always": "on", "match": match.pk})
    assert AnalysisPreferences.objects.values_list("user", "always", "public").get() == (ana.pk, True, False)


def test_progress_never_decreases_when_a_game_is_analysed_again(match: Match, ana: User, monkeypatch: Any) -> None:
    """A worker was killed in the second game: the next one restarts that game, and reports progress."""
    whole = request_report(match, ana)
    monkeypatch.setattr(reports, "SAVE_EVERY", 0.0)
    progress: list[int] = []
    save = reports._save

    def watched(report: Report, done: int, games: Any) -> bool:
        if not progress and games is None:
            Report.objects.filter(pk=report.pk).update(done=match.version - 1)
        answer = save(report, done, games)
        progress.append(Report.objects.get(pk=report.pk).done)
        return answer

    monkeypatch.setattr(reports, "_save", watched)
    assert services.report_make(report_id=whole.pk)
    assert progress[0] == match.version - 1
    assert progress == sorted(progress)


def test_the_trainer_link_is_shown_to_players_with_errors(
    client: Client, match: Match, ana: User, bea: User, carlos: User
) -> None:
    services.report_make(report_id=request_report(match, ana).pk)
    report, page = Report.objects.get(), f"/match/{match.pk}/report/"
    errors, erred = selectors.report_errors(match, report), {"side": "white", "grade": "blunder"}
    assert training.cards_added(report, [erred], ana)  # not counted yet: the training cards come in a moment
    assert not training.cards_added(report, [erred], bea)
    tallies.report_count(report_id=report.pk)
    assert training.cards_added(report, errors, ana)
    TrainerCard.objects.filter(user=bea).delete()
    assert not training.cards_added(report, errors, bea)
    assert not training.cards_added(report, errors, carlos)
    for user, shown in ((ana, True), (bea, False)):
        client.force_login(user)
        assert ("Practise your mistakes" in client.get(page).content.decode()) is shown


def test_the_result_has_the_analyse_button_where_an_engine_supports_the_game(
    client: Client, open_table: Callable[..., Match], ana: User, carlos: User, settings: Any
) -> None:
    def offered(live: Match, user: User) -> bool:
        client.force_login(user)
        return f"/match/{live.pk}/report/ask/" in client.get(f"/match/{live.pk}/").content.decode()

    live = open_table()
    assert offered(live, ana)
    assert not offered(live, carlos)
    assert not offered(open_table(variant="hypergammon"), ana)
    settings.REPORTS = "off"
    assert not offered(live, ana)


def test_the_result_dialog_requests_the_analysis_and_shows_it(
    client: Client, match: Match, ana: User, bea: User
) -> None:
    part = f"/match/{match.pk}/report/summary/"
    client.force_login(ana)
    assert f'action="/match/{match.pk}/report/ask/"' in client.get(part).content.decode()

    asked = client.post(f"/match/{match.pk}/report/ask/", headers={"HX-Request": "true"})
    assert asked.status_code == 200
    waiting = asked.content.decode()
    assert 'data-stage="coming"' in waiting
    assert "<progress" in waiting
    assert "hx-get" not in waiting  # the page of a live match has no htmx: a script loads the part again

    services.report_make(report_id=Report.objects.get().pk)
    for player in (ana, bea):
        client.force_login(player)
        shown = client.get(part).content.decode()
        assert 'data-stage="ready"' in shown
        assert "quick-card-table" in shown
        assert "Turning point in game" in shown
        assert "report/ask/" not in shown


def test_spectators_see_the_summary_when_the_players_share_their_analyses(
    client: Client, match: Match, ana: User, bea: User, carlos: User
) -> None:
    part = f"/match/{match.pk}/report/summary/"
    ask = f"/match/{match.pk}/report/ask/"
    client.force_login(carlos)
    assert client.get(part).status_code == 404
    assert client.post(ask, headers={"HX-Request": "true"}).status_code == 404

    for player in (ana, bea):
        services.preferences_save(user=player, public=True)
    refusal = "Only the players of a match can ask for its analysis."
    for answer in (client.get(part), client.post(ask, headers={"HX-Request": "true"})):
        assert refusal in answer.content.decode()
        assert "report/ask/" not in answer.content.decode()
    assert not Report.objects.exists()

    services.report_make(report_id=request_report(match, ana).pk)
    assert "quick-card-table" in client.get(part).content.decode()
    client.logout()
    assert "quick-card-table" in client.get(part).content.decode()
    assert client.post(ask, headers={"HX-Request": "true"}).status_code == 302  # to sign-in


def test_the_result_dialog_says_why_an_analysis_is_refused(
    client: Client, match: Match, ana: User, settings: Any
) -> None:
    settings.REPORTS_A_DAY = 0
    client.force_login(ana)
    refused = client.post(f"/match/{match.pk}/report/ask/", headers={"HX-Request": "true"}).content.decode()
    assert "You have reached today&#x27;s limit of 0 analyses. Try again tomorrow." in refused
    assert 'data-stage=""' in refused
    assert "Try again tomorrow" not in client.get(f"/match/{match.pk}/").content.decode()  # it was said


def test_a_guest_who_played_may_request_the_analysis(client: Client, match: Match, ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(is_guest=True)
    client.force_login(ana)
    asked = client.post(f"/match/{match.pk}/report/ask/", headers={"HX-Request": "true"})
    assert 'data-stage="coming"' in asked.content.decode()


def test_the_summary_of_a_match_in_play_is_hidden(
    client: Client, open_table: Callable[..., Match], ana: User, bea: User, carlos: User
) -> None:
    live = open_table()
    client.force_login(ana)
    assert client.get(f"/match/{live.pk}/report/summary/").status_code == 404
    assert client.post(f"/match/{live.pk}/report/ask/", headers={"HX-Request": "true"}).status_code == 404

    def has_part(user: User) -> bool:
        client.force_login(user)
        return 'data-part="analysis"' in client.get(f"/match/{live.pk}/").content.decode()

    assert has_part(ana)
    assert not has_part(carlos)
    for player in (ana, bea):
        services.preferences_save(user=player, public=True)
    assert has_part(carlos)


def test_the_page_of_the_match_has_the_analysis_in_short(match: Match, ana: User, carlos: User, client: Client) -> None:
    def shown() -> bool:
        return b"quick-card" in client.get(f"/match/{match.pk}/").content

    client.force_login(ana)
    assert not shown()
    services.report_make(report_id=request_report(match, ana).pk)
    assert shown()
    client.force_login(carlos)
    assert not shown()
    players = User.objects.filter(pk__in=match.seats.values("user"))
    AnalysisPreferences.objects.bulk_create([AnalysisPreferences(user=user, public=True) for user in players])
    assert shown()


def test_the_turning_point_is_the_largest_swing_of_a_game(match: Match) -> None:
    def decision(n: int, mwc: float) -> dict[str, Any]:
        return {"n": n, "mwc": mwc}

    numbers = list(match.actions.filter(game_number=2).order_by("n").values_list("n", flat=True))
    games = [
        {"number": 1, "start": 0.5, "decisions": [decision(3, 0.5), decision(6, 0.6)]},
        {"number": 2, "start": 0.2, "decisions": [decision(numbers[4], 0.3), decision(numbers[8], 0.05)]},
    ]
    turn = selectors.turning_point(match, Report(data={"games": games}))
    assert turn is not None
    assert (turn.seat.side, turn.game, turn.frame) == ("black", 2, 4)
    assert (round(turn.before, 2), round(turn.after, 2)) == (0.7, 0.95)
    assert selectors.turning_point(match, Report(data={"games": []})) is None


def test_the_worst_error_of_a_side_is_the_first_that_cost_the_most() -> None:
    errors = [{"n": n, "side": side, "loss": loss} for n, side, loss in ((4, "white", 0.1), (6, "black", 0.3))]
    errors += [{"n": n, "side": "white", "loss": 0.2} for n in (8, 12)]
    assert selectors.worst_error(errors, "white") == errors[2]
    assert selectors.worst_error(errors, "") is None
