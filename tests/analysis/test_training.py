"""One's own errors are asked again, on the board, until they are known."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import services as people
from accounts.models import User
from analysis.errors import Refused
from analysis.models import Card, Puzzle
from analysis.selectors import training as selectors
from analysis.services import dailies, tallies, training
from games.errors import NotFound
from games.models import Match
from tests.analysis.cards import play, played, report_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def card(ana: User, bea: User) -> Card:
    """A card of ana: she played her 3-1 badly."""
    report = report_of(played(ana, bea), play(4, "white", loss=0.1), play(6, "black"))
    tallies.report_count(report_id=report.pk)
    return Card.objects.get()


def today() -> date:
    return dailies.today()


def answer(card: Card, text: str) -> training.Answered:
    return training.card_answer(user=card.user, card_id=card.pk, answer=text)


def test_the_best_play_takes_the_card_to_the_next_box(card: Card) -> None:
    done = answer(card, "6/5 8/5")
    assert (done.answer, done.loss, done.verdict) == ("8/5 6/5", 0.0, "best")
    card.refresh_from_db()
    assert (card.box, card.due, card.seen, card.right, card.begun) == (1, today() + timedelta(1), 1, 1, today())


@pytest.mark.parametrize("text", ["24/23 13/10", "24/20"])
def test_another_play_brings_it_again_today(card: Card, text: str) -> None:
    assert answer(card, text).verdict == "wrong"
    card.refresh_from_db()
    assert (card.box, card.due, card.seen, card.right) == (0, today(), 1, 0)


def test_what_is_no_play_changes_nothing(card: Card, bea: User) -> None:
    with pytest.raises(Refused, match="puzzle_answer"):
        answer(card, "1/2")
    with pytest.raises(NotFound):
        training.card_answer(user=bea, card_id=card.pk, answer="8/5 6/5")
    card.refresh_from_db()
    assert card.seen == 0


def made(user: User, loss: float, **more: Any) -> Card:
    first = Puzzle.objects.get(n=4)
    puzzle = Puzzle.objects.create(
        match=first.match, n=100 + Puzzle.objects.count(), game=1, side="white", user=user, kind="play",
        phase="contact", xgid=first.xgid, played=first.played, options=first.options, loss=loss,
    )  # fmt: skip
    return Card.objects.create(user=user, puzzle=puzzle, **{"due": today(), **more})


def test_what_is_due_comes_first_then_the_worst_errors_and_what_was_missed_last(card: Card, ana: User) -> None:
    worse = made(ana, 0.5)
    known = made(ana, 0.06, box=2, seen=2, due=today() - timedelta(days=1))
    missed = made(ana, 0.07, seen=1, due=today(), begun=today())
    order = []
    for _ in range(4):
        found = selectors.next_card(ana, today())
        assert found is not None
        order.append(found.pk)
        Card.objects.filter(pk=found.pk).update(due=today() + timedelta(days=3), seen=1)
    assert order == [known.pk, worse.pk, card.pk, missed.pk]
    assert selectors.next_card(ana, today()) is None


def test_a_day_begins_only_so_many_new_cards(card: Card, ana: User) -> None:
    for _ in range(9):
        made(ana, 0.05, seen=1, begun=today(), due=today() + timedelta(days=1))
    assert selectors.standing(ana, today()).due == 1
    made(ana, 0.05, seen=1, begun=today(), due=today() + timedelta(days=1))
    assert selectors.next_card(ana, today()) is None
    assert selectors.standing(ana, today()).due == 0
    assert selectors.next_card(ana, today() + timedelta(days=1)) is not None


def test_the_page_asks_and_says_why(card: Card, ana: User, client: Client) -> None:
    client.force_login(ana, backend=people.BACKEND)
    page = client.get(reverse("train")).content.decode()
    assert "Play 3-1" in page
    assert "8/5 6/5</" not in page
    wrong = client.post(reverse("train-answer", args=[card.pk]), {"answer": "24/23 13/10"}, headers=HTMX)
    said = wrong.content.decode()
    assert "Better: 8/5 6/5." in said
    assert "The better play makes your 5-point, in your home." in said
    assert "You will be asked again today." in said
    right = client.post(reverse("train-answer", args=[card.pk]), {"answer": "8/5 6/5"}, headers=HTMX)
    assert "Right: that is the best." in right.content.decode()


def test_an_impossible_answer_is_refused_in_place(card: Card, ana: User, client: Client) -> None:
    client.force_login(ana, backend=people.BACKEND)
    url = reverse("train-answer", args=[card.pk])
    assert b"data-refused" in client.post(url, {"answer": "nonsense"}, headers=HTMX).content
    assert client.post(url, {"answer": "nonsense"}).status_code == 422


def test_nobody_trains_on_a_position_of_a_running_match(
    card: Card, ana: User, bea: User, client: Client, open_table: Callable[..., Match], act: Any, thrown: deque[Any]
) -> None:
    thrown.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    client.force_login(ana, backend=people.BACKEND)
    said = client.post(reverse("train-answer", args=[card.pk]), {"answer": "24/20"}, headers=HTMX).content.decode()
    assert "being played now" in said
    assert "8/5" not in said
    card.refresh_from_db()
    assert card.seen == 0


def test_who_has_no_report_is_told_where_cards_come_from(carlos: User, client: Client) -> None:
    client.force_login(carlos, backend=people.BACKEND)
    assert "nothing to train yet" in client.get(reverse("train")).content.decode()
