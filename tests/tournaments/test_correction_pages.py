"""Correcting, undoing and redoing at the desk, by clicks alone: what would be reset is shown, and asked again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.conftest import fresh
from tests.tournaments.desk_browser import As, do, messages, page, view
from tests.tournaments.test_corrections import enter, last_act, winners
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


@pytest.fixture
def cup(tournament: Make, dora: User) -> Tournament:
    """A knock-out of four that is over: W1 beat W4 and W2, W2 beat W3."""
    made = tournament(walk_ins=4, start=True)
    for key, winner in (("main-1-1", 1), ("main-1-2", 2), ("main-2-1", 1)):
        enter(made, dora, key, winner)
    return made


CORRECTION = {"key": "main-1-1", "how": "played", "winner": 4, "won": 3, "lost": 2, "why": "Mixed up"}


def test_the_desk_lists_the_last_results_with_links_to_correct_them(
    desk: Client,
    cup: Tournament,
) -> None:
    assert [recent.card.key for recent in view(desk, cup).recent_results] == ["main-2-1", "main-1-2", "main-1-1"]
    answer = desk.get(reverse("desk-correct", args=[cup.pk]), {"key": "main-1-1"})
    result = answer.context["result"]
    assert (result.winner, result.won, result.lost, answer.context["score"]) == (1, "3", "1", "3–1")


def test_a_corrected_score_is_marked_for_everybody(
    desk: Client,
    cup: Tournament,
    client: Client,
) -> None:
    answer = do(desk, "desk-correct", cup, **{**CORRECTION, "winner": 1})
    assert answer.headers["Location"].endswith("/desk/#results")
    assert messages(answer) == ["Result corrected."]
    text = client.get(reverse("tournament", args=[cup.pk])).content.decode()
    assert '<span class="mended">corrected</span>' in text
    assert "Result corrected: Mixed up" in text
    assert view(desk, cup).recent_log[0].text == "Corrected: 1-1: W1 won 3–2. Reason: Mixed up"


def test_the_pairings_to_reset_are_shown_and_confirmed(desk: Client, cup: Tournament) -> None:
    shown = do(desk, "desk-correct", cup, **CORRECTION)
    assert shown.status_code == 200
    assert [(reset.card.key, reset.score, reset.playing) for reset in shown.context["resets"]] == [
        ("main-2-1", "3–1", False)
    ]
    assert dict(shown.context["posted"]) == {key: str(value) for key, value in CORRECTION.items()}
    assert shown.context["change"] == "1-1: W4 won 3–2."
    assert "Yes, reset 1 match" in shown.content.decode()
    assert winners(cup)["main-1-1"] == 1
    assert messages(do(desk, "desk-correct", cup, **CORRECTION, agreed=["main-2-1"])) == ["Result corrected."]
    assert winners(cup) == {"main-1-1": 4, "main-1-2": 2}


def test_a_changed_list_of_resets_is_shown_again(desk: Client, cup: Tournament) -> None:
    shown = do(desk, "desk-correct", cup, **CORRECTION, agreed=["main-1-2"])
    assert shown.context["asked_again"]
    assert "The list has changed. Please check it again:" in shown.content.decode()


def test_an_act_of_the_log_is_undone_and_redone(desk: Client, cup: Tournament, dora: User) -> None:
    act = last_act(cup)
    line = next(entry for entry in view(desk, cup).recent_log if entry.act == act and entry.can)
    assert (line.text, line.can) == ("2-1: W1 won 3–1.", "undo")
    assert messages(do(desk, "desk-undo", cup, act=act)) == ["Undone."]
    happened = view(desk, cup).recent_log
    assert happened[0].text == "Undone: 2-1: W1 won 3–1."
    assert [(entry.text, entry.can) for entry in happened if entry.undone] == [
        ("The tournament is over.", ""),
        ("2-1: W1 won 3–1.", "redo"),
    ]
    assert "<del>2-1: W1 won 3–1.</del>" in page(desk, cup)
    assert fresh(cup).phase == "running"
    assert messages(do(desk, "desk-redo", cup, act=act)) == ["Redone."]
    assert fresh(cup).phase == "over"


def test_undoing_asks_before_it_resets_pairings(desk: Client, cup: Tournament) -> None:
    act = next(entry.act for entry in view(desk, cup).recent_log if entry.text == "1-1: W1 won 3–1.")
    shown = do(desk, "desk-undo", cup, act=act)
    assert [reset.card.key for reset in shown.context["resets"]] == ["main-2-1"]
    assert shown.context["change"] == "1-1: W1 won 3–1."
    do(desk, "desk-undo", cup, act=act, agreed=["main-2-1"])
    assert winners(cup) == {"main-1-2": 2}


def test_a_permanent_act_has_no_undo_button(desk: Client, cup: Tournament) -> None:
    can = {entry.text: entry.can for entry in view(desk, cup).recent_log}
    assert (can["Settings saved."], can["W1 registered."], can["Draw completed."]) == ("", "", "undo")
    assert messages(do(desk, "desk-undo", cup, act=1)) == ["That can't be undone."]
    assert messages(do(desk, "desk-undo", cup, act="x")) == ["Log entry not found."]


def test_a_correction_is_refused_with_its_reason(desk: Client, cup: Tournament) -> None:
    answer = do(desk, "desk-correct", cup, **{**CORRECTION, "why": ""})
    assert messages(answer) == ["Give a reason. Everyone can read it."]
    assert answer.headers["Location"].endswith("/desk/correct/?key=main-1-1")
    assert messages(do(desk, "desk-correct", cup, **{**CORRECTION, "key": "main-9-1"})) == ["Pairing not found."]


def test_the_log_is_filtered_by_kind_and_by_person(desk: Client, cup: Tournament) -> None:
    def lines(**asked: Any) -> list[str]:
        answer = desk.get(reverse("desk-log", args=[cup.pk]), asked)
        assert answer.status_code == 200
        return [entry.text for entry in answer.context["entries"]]

    assert lines(what="results") == ["2-1: W1 won 3–1.", "1-2: W2 won 3–1.", "1-1: W1 won 3–1."]
    text = desk.get(reverse("desk-log", args=[cup.pk]), {"what": "results"}).content.decode()
    assert text.count("/desk/correct/?key=main-") == 3
    assert lines(what="rounds", who="dora")[-1] == "Draw completed."
    assert lines(what="mended") == []
    assert lines(who="nobody") == []
    assert len(lines()) == cup.events.count()


def test_only_directors_correct(as_user: As, cup: Tournament, ana: User, client: Client) -> None:
    for name in ("desk-correct", "desk-undo", "desk-redo"):
        form = {**CORRECTION, "act": last_act(cup)}
        assert do(as_user(ana), name, cup, **form).status_code == 403
        assert do(client, name, cup, **form).status_code == 302  # to sign in
    for name in ("desk-correct", "desk-log"):
        assert as_user(ana).get(reverse(name, args=[cup.pk]), {"key": "main-1-1"}).status_code == 403
    assert winners(cup) == {"main-1-1": 1, "main-1-2": 2, "main-2-1": 1}


def test_a_director_added_later_can_correct_a_correction(
    as_user: As,
    cup: Tournament,
    ana: User,
    dora: User,
) -> None:
    services.director_add(tournament_id=cup.pk, user=dora, director=ana)
    do(as_user(ana), "desk-correct", cup, **CORRECTION, agreed=["main-2-1"])
    assert winners(cup)["main-1-1"] == 4
