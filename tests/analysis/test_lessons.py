"""A newcomer learns backgammon in ten steps; nothing is stored."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from analysis import puzzles
from analysis.lesson_texts import TEXTS
from analysis.lessons import STEPS, LessonStep
from games.engine import SIDES

HTMX = {"HX-Request": "true"}
RIGHT = {
    "move": "24/18 13/10",
    "point": "8/5 6/5",
    "doubles": "24/20(2) 13/9(2)",
    "hit": "8/5* 6/5",
    "bar": "bar/21 13/11",
    "home": "9/3 7/2",
    "off": "6/off 4/off",
    "gap": "5/off(2)",
    "double": "double",
    "take": "take",
}
WRONG = {
    "point": "24/23 13/10",
    "hit": "24/23 24/21",
    "home": "7/1 6/1",
    "off": "6/2 6/off",
    "double": "roll",
    "take": "drop",
}


def step(key: str) -> LessonStep:
    return next(each for each in STEPS if each.key == key)


def number(key: str) -> int:
    return 1 + [each.key for each in STEPS].index(key)


@pytest.mark.parametrize("key", [each.key for each in STEPS])
def test_every_step_is_a_whole_position_with_white_to_decide_and_takes_its_answer(key: str) -> None:
    view = step(key).position.view(puzzles.SOLVER)
    for side in SIDES:
        own = view["board"][side]
        assert sum(own["points"]) + own["bar"] + own["off"] == 15
    assert view["turn"] == puzzles.SOLVER
    assert step(key).is_right(RIGHT[key])


@pytest.mark.parametrize("key", [key for key, text in TEXTS.items() if text.nudge])
def test_a_legal_decision_that_misses_the_task_is_not_right(key: str) -> None:
    assert not step(key).is_right(WRONG[key])


def test_the_words_are_for_these_steps_and_a_step_that_can_be_missed_has_a_nudge() -> None:
    assert list(TEXTS) == [each.key for each in STEPS]
    missable = {
        each.key for each in STEPS if each.choices or not all(each.is_right(play) for play in each.position.actions())
    }
    assert {key for key, text in TEXTS.items() if text.nudge} == missable == set(WRONG)


def test_an_illegal_answer_is_refused() -> None:
    for key, answer in (("move", "24/20"), ("take", "double"), ("point", "")):
        with pytest.raises(puzzles.UnplayablePuzzle):
            step(key).is_right(answer)


@pytest.mark.django_db
def test_a_visitor_goes_from_step_to_step_and_ends_at_the_computer(client: Client) -> None:
    page = client.get(reverse("lesson")).content.decode()
    assert "step 1 of 10" in page
    assert "Play 6-3 any way you like" in page
    for key, answer in RIGHT.items():
        html = client.post(
            reverse("lesson-answer", args=[number(key)]), {"answer": answer}, headers=HTMX
        ).content.decode()
        assert "Well done." in html, key
        following = reverse("lesson-step", args=[number(key) + 1]) if key != "take" else reverse("guest-create")
        assert following in html, key


@pytest.mark.django_db
def test_a_missed_task_and_an_illegal_play_leave_the_board_open(client: Client) -> None:
    url = reverse("lesson-answer", args=[number("hit")])
    missed = client.post(url, {"answer": WRONG["hit"]}, headers=HTMX)
    assert (missed.status_code, "data-refused" in missed.content.decode()) == (200, True)
    assert "nothing was hit" in missed.content.decode()
    illegal = client.post(url, {"answer": "24/1"})
    assert (illegal.status_code, "That play isn&#x27;t legal here." in illegal.content.decode()) == (422, True)


@pytest.mark.django_db
def test_a_step_that_does_not_exist_is_not_found(client: Client) -> None:
    for there in (0, 11):
        assert client.get(reverse("lesson-step", args=[there])).status_code == 404
