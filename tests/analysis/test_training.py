"""A user's own errors are asked again, on the board, until they are learned."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from analysis.errors import Refused
from analysis.models import Puzzle, TrainerCard
from analysis.selectors import training as selectors
from analysis.services import daily_puzzles, tallies, training
from games.errors import NotFound
from games.models import Match
from tests.analysis.cards import play, played, report_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def card(ana: User, bea: User) -> TrainerCard:
    """A training card of ana: she played her 3-1 badly."""
    report = report_of(played(ana, bea), play(4, "white", loss=0.1), play(6, "black"))
    tallies.report_count(report_id=report.pk)
    return TrainerCard.objects.get()


def today() -> date:
    return daily_puzzles.today()


def answer(card: TrainerCard, text: str) -> training.AnswerResult:
    return training.card_answer(user=card.user, card_id=card.pk, answer=text)


def test_the_best_play_moves_the_card_to_the_next_box(card: TrainerCard) -> None:
    done = answer(card, "6/5 8/5")
    assert (done.answer, done.loss, done.verdict) == ("8/5 6/5", 0.0, "best")
    card.refresh_from_db()
    assert (card.box, card.due, card.seen, card.right, card.begun) == (1, today() + timedelta(1), 1, 1, today())


@pytest.mark.parametrize("text", ["24/23 13/10", "24/20"])
def test_another_play_repeats_the_card_today(card: TrainerCard, text: str) -> None:
    assert answer(card, text).verdict == "wrong"
    card.refresh_from_db()
    assert (card.box, card.due, card.seen, card.right) == (0, today(), 1, 0)


def test_an_invalid_play_changes_nothing(card: TrainerCard, bea: User) -> None:
    with pytest.raises(Refused, match="puzzle_answer"):
        answer(card, "1/2")
    with pytest.raises(NotFound):
        training.card_answer(user=bea, card_id=card.pk, answer="8/5 6/5")
    card.refresh_from_db()
    assert card.seen == 0


def made(user: User, loss: float, **more: Any) -> TrainerCard:
    first = Puzzle.objects.get(n=4)
    puzzle = Puzzle.objects.create(
        match=first.match, n=100 + Puzzle.objects.count(), game=1, side="white", user=user, kind="play",
        phase="contact", xgid=first.xgid, played=first.played, options=first.options, loss=loss,
    )  # fmt: skip
    return TrainerCard.objects.create(user=user, puzzle=puzzle, **{"due": today(), **more})


def test_due_cards_come_first_then_the_worst_errors_and_missed_cards_last(card: TrainerCard, ana: User) -> None:
    worse = made(ana, 0.5)
    known = made(ana, 0.06, box=2, seen=2, due=today() - timedelta(days=1))
    missed = made(ana, 0.07, seen=1, due=today(), begun=today())
    order = []
    for _ in range(4):
        found = selectors.next_card(ana, today())
        assert found is not None
        order.append(found.pk)
        TrainerCard.objects.filter(pk=found.pk).update(due=today() + timedelta(days=3), seen=1)
    assert order == [known.pk, worse.pk, card.pk, missed.pk]
    assert selectors.next_card(ana, today()) is None


def test_new_cards_per_day_are_limited(card: TrainerCard, ana: User) -> None:
    for _ in range(9):
        made(ana, 0.05, seen=1, begun=today(), due=today() + timedelta(days=1))
    assert selectors.trainer_standing(ana, today()).due == 1
    made(ana, 0.05, seen=1, begun=today(), due=today() + timedelta(days=1))
    assert selectors.next_card(ana, today()) is None
    assert selectors.trainer_standing(ana, today()).due == 0
    assert selectors.next_card(ana, today() + timedelta(days=1)) is not None


def test_the_page_asks_and_explains_the_answer(card: TrainerCard, ana: User, client: Client) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    page = client.get(reverse("train")).content.decode()
    assert "Play 3-1" in page
    assert "8/5 6/5</" not in page
    wrong = client.post(reverse("train-answer", args=[card.pk]), {"answer": "24/23 13/10"}, headers=HTMX)
    html = wrong.content.decode()
    assert "Better: 8/5 6/5." in html
    assert "The best play makes your 5-point, in your home board." in html
    assert "You will see this one again today." in html
    right = client.post(reverse("train-answer", args=[card.pk]), {"answer": "8/5 6/5"}, headers=HTMX)
    assert "Correct: that's the best choice." in right.content.decode()


def test_an_impossible_answer_is_refused_in_place(card: TrainerCard, ana: User, client: Client) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    url = reverse("train-answer", args=[card.pk])
    assert b"data-refused" in client.post(url, {"answer": "nonsense"}, headers=HTMX).content
    assert client.post(url, {"answer": "nonsense"}).status_code == 422


def test_positions_of_a_running_match_are_not_trained(
    card: TrainerCard,
    ana: User,
    bea: User,
    client: Client,
    open_table: Callable[..., Match],
    act: Any,
    next_rolls: deque[Any],
) -> None:
    next_rolls.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    client.force_login(ana, backend=user_services.BACKEND)
    html = client.post(reverse("train-answer", args=[card.pk]), {"answer": "24/20"}, headers=HTMX).content.decode()
    assert "from a match in progress" in html
    assert "8/5" not in html
    card.refresh_from_db()
    assert card.seen == 0


def test_a_user_without_analyses_sees_where_cards_come_from(carlos: User, client: Client) -> None:
    client.force_login(carlos, backend=user_services.BACKEND)
    assert "Nothing to practise yet" in client.get(reverse("train")).content.decode()
