"""The site's bots in a real match: they pause before moving, play through the rows, and recover from a lost task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from accounts.programs.services import bot_create
from accounts.users.services import BOT_NAMES, house_bot_ensure, house_bots_ensure
from games import services
from games.models import Action, Match
from games.services import bots
from tests.games.clock_control import Time

pytestmark = pytest.mark.django_db

PATIENT = timedelta(seconds=6)


@pytest.fixture
def sat(ana: User, next_rolls: deque[tuple[int, int]]) -> Callable[..., Match]:
    """A match of ana's against a bot; the dice of the opening are in the script."""

    def sit(level: int = 4, **terms: object) -> Match:
        next_rolls.append((3, 1))
        wanted: dict[str, object] = {"variant": "hypergammon", "length": 3, "clock": "none", "rated": False}
        return services.match_create(creator=ana, invited=house_bot_ensure(level), **{**wanted, **terms})  # type: ignore[arg-type]

    return sit


def texts(match: Match) -> list[str]:
    return [f"{row.actor}: {row.text}" for row in Action.objects.filter(match=match).order_by("n")]


def called(match: Match, time: Time, *, most: int = 10) -> int:
    """Call the bot as a worker does, waiting as long as it asks for; how often it was called."""
    for count in range(most):
        if (wait := services.bot_act(match_id=match.pk)) is None:
            return count + 1
        time(seconds=wait + 0.01)
    raise AssertionError("it never acted")


def test_there_is_an_account_for_each_level_and_nobody_can_sign_in_to_it() -> None:
    made = house_bots_ensure()
    assert [(bot.username, bot.bot_level) for bot in made] == [(name, level) for level, name in BOT_NAMES.items()]
    assert house_bots_ensure() == made
    assert not any(bot.has_usable_password() or not bot.is_house_bot for bot in made)


def test_a_name_taken_by_a_player_is_left_to_them() -> None:
    User.objects.create_user(BOT_NAMES[1].lower())
    assert house_bot_ensure(1).username == f"{BOT_NAMES[1]}-2"


def test_it_rolls_for_the_opening_after_a_delay_and_not_before(sat: Callable[..., Match], time: Time) -> None:
    match = sat()
    wait = services.bot_act(match_id=match.pk)
    assert wait == pytest.approx(0.35, abs=0.05)
    assert texts(match) == []
    time(seconds=0.4)
    assert services.bot_act(match_id=match.pk) is None
    assert texts(match) == ["black: roll"]
    assert services.bot_act(match_id=match.pk) is None  # it waits for ana now


def test_it_plays_its_turn_and_a_second_call_changes_nothing(
    sat: Callable[..., Match], time: Time, ana: User, act: Callable[..., object], next_rolls: deque[tuple[int, int]]
) -> None:
    next_rolls.clear()
    match = sat()
    next_rolls[0] = (1, 3)
    called(match, time)
    act(match, ana, "roll")
    assert texts(match)[-1] == "chance: dice 13"
    assert called(match, time) > 1
    played = texts(match)
    assert played[-1].startswith("black: ")
    assert services.bot_act(match_id=match.pk) is None
    assert texts(match) == played


def test_the_sweep_restarts_a_silent_bot_once(sat: Callable[..., Match], time: Time) -> None:
    match = sat()
    assert services.bots_claim(patience=PATIENT) == []
    time(seconds=7)
    assert services.bots_claim(patience=PATIENT) == [match.pk]
    assert services.bots_claim(patience=PATIENT) == []


def test_it_answers_an_offer_of_a_draw(
    sat: Callable[..., Match], time: Time, ana: User, act: Callable[..., object]
) -> None:
    match = sat(2, variant="damas", length=1, options={"mode": "obligatoria"})
    called(match, time)
    act(match, ana, "roll")
    act(match, ana, "11-16")  # the higher die has Black, and opens
    called(match, time)
    act(match, ana, "offer-draw")
    called(match, time)
    assert texts(match)[-2] == "white: offer-draw"
    assert texts(match)[-1] in ("black: accept", "black: reject")


def test_it_answers_a_resignation(sat: Callable[..., Match], time: Time, ana: User, act: Callable[..., object]) -> None:
    match = sat()
    called(match, time)
    act(match, ana, "roll")
    act(match, ana, "resign 3")
    called(match, time)
    assert texts(match)[-1] == "black: accept"


def test_a_members_bot_is_not_played_by_the_server(ana: User, bea: User) -> None:
    bot, _ = bot_create(owner=bea, name="engine-of-bea")
    match = services.match_create(
        creator=ana, invited=bot, variant="longgammon", length=1, clock="none", rated=False, options={}
    )
    assert match.status == "open"  # it has to accept
    match = services.match_join(match_id=match.pk, user=bot)
    assert (match.status, match.bot_at) == ("live", None)
    assert services.bot_act(match_id=match.pk) is None


def test_decisions_are_cached_only_to_save_computation(sat: Callable[..., Match], time: Time) -> None:
    bots._cached_decision.cache_clear()
    match = sat()
    called(match, time)
    assert bots._cached_decision.cache_info().hits >= 1
    bots._cached_decision.cache_clear()
    assert services.bot_act(match_id=match.pk) is None
