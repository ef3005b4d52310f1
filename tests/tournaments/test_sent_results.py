"""Results that the desk sends by itself: each takes effect once, and a refusal says who was there before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

SENT = {"key": "main-1-1", "of": "1 4", "winner": "1", "how": "played", "sent": "0123456789abcdef-1"}
SCORED = {**SENT, "won": "3", "lost": "1"}


@pytest.fixture
def cup(tournament: Callable[..., Tournament], carlos: User, dora: User) -> Tournament:
    """Four walk-ins in a knockout to 3; carlos directs beside dora."""
    made = tournament(walk_ins=4, start=True)
    services.director_add(tournament_id=made.pk, user=dora, director=carlos)
    return made


def client_of(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user, backend=people.BACKEND)
    return client


def send(user: User, cup: Tournament, data: dict[str, str], route: str = "desk-send") -> tuple[int, dict[str, Any]]:
    answer = client_of(user).post(reverse(route, args=[cup.pk]), data)
    return answer.status_code, answer.json()


def result_of(cup: Tournament, key: str = "main-1-1") -> tuple[int | None, Any] | None:
    result = fresh(cup).by_key[key].result
    return None if result is None else (result.winner, result.points)


def test_a_sent_result_is_saved_and_said_in_words(cup: Tournament, dora: User) -> None:
    status, answer = send(dora, cup, SCORED)
    assert (status, answer["text"]) == (200, "1-1: W1 won 3\u20131.")
    assert result_of(cup) == (1, (3, 1))
    assert answer["act"] == cup.events.get(kind="result").act


def test_a_win_is_entered_without_a_score(cup: Tournament, dora: User) -> None:
    assert send(dora, cup, SENT)[1]["text"] == "1-1: W1 won."
    assert result_of(cup) == (1, None)


def test_a_result_that_is_sent_again_is_saved_once(cup: Tournament, dora: User) -> None:
    first = send(dora, cup, SCORED)
    assert send(dora, cup, SCORED) == first
    assert cup.events.filter(kind="result").count() == 1


def test_a_result_that_was_undone_since_does_not_come_back_when_it_is_sent_again(cup: Tournament, dora: User) -> None:
    act = send(dora, cup, SCORED)[1]["act"]
    assert send(dora, cup, {"act": str(act)}, "desk-take-back") == (200, {"undone": act})
    assert send(dora, cup, SCORED)[0] == 200
    assert result_of(cup) is None


def test_a_refusal_says_who_entered_what_and_where_to_correct_it(cup: Tournament, carlos: User, dora: User) -> None:
    send(carlos, cup, SCORED)
    status, answer = send(dora, cup, {**SCORED, "winner": "4", "sent": "0123456789abcdef-2"})
    assert (status, answer["code"], answer["text"]) == (409, "has_result", "This match already has a result.")
    assert answer["entered"].startswith("carlos entered it at ")
    assert answer["entered"].endswith(": 1-1: W1 won 3\u20131.")
    assert answer["correct"] == reverse("desk-correct", args=[cup.pk]) + "?key=main-1-1"
    assert result_of(cup) == (1, (3, 1))


def test_the_same_result_of_two_directors_is_no_conflict(cup: Tournament, carlos: User, dora: User) -> None:
    send(carlos, cup, SCORED)
    status, answer = send(dora, cup, {**SCORED, "sent": "0123456789abcdef-2"})
    assert (status, "act" in answer, answer["text"].startswith("carlos entered it at ")) == (200, False, True)


def test_a_late_result_for_two_who_do_not_meet_there_any_more_is_refused(cup: Tournament, dora: User) -> None:
    status, answer = send(dora, cup, {**SCORED, "of": "1 3"})
    assert (status, answer["code"]) == (409, "other_pairing")
    assert result_of(cup) is None


def test_an_impossible_score_is_refused_with_the_reason(cup: Tournament, dora: User) -> None:
    status, answer = send(dora, cup, {**SCORED, "won": "2"})
    assert (status, answer["code"]) == (409, "report_score")


def test_taking_back_a_result_that_others_build_on_asks_first(cup: Tournament, dora: User) -> None:
    act = send(dora, cup, SCORED)[1]["act"]
    for key, of, sent in (("main-1-2", "2 3", "2"), ("main-2-1", "1 2", "3")):
        winner = of.split()[0]
        send(dora, cup, {**SENT, "key": key, "of": of, "winner": winner, "sent": f"0123456789abcdef-{sent}"})
    status, answer = send(dora, cup, {"act": str(act)}, "desk-take-back")
    assert (status, answer["code"]) == (409, "affected")
    assert result_of(cup) == (1, (3, 1))
