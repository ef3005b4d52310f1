"""Automatic rolls: in correspondence play the site rolls for a seat that asked for it, with a deposited element."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games import events, services
from games.dice import match_dice
from games.errors import Refused
from games.events import state_of
from games.models import Action, Match
from games.selectors import match_state as selectors
from tests.games.clock_control import Time
from tests.games.dice.seats import Player, fresh, give, play, script_result, shake

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # the same actions on any database

Open = Callable[..., Match]
Seats = tuple[Player, Player]


@pytest.fixture
def seats(ana: User, bea: User) -> Seats:
    return Player(ana, "white"), Player(bea, "black")


@pytest.fixture
def moving(time: Time, open_table: Open, seats: Seats) -> tuple[Match, Player, Player]:
    """At three days per turn: the first has rolled and is to play, then the second is to roll or double."""
    match = play(
        open_table(clock="days3", length=5),
        seats,
        until=lambda match, state: match.roll_index >= 2 and state.position.rollers == () and bool(state.dice),
    )
    turn = state_of(match).position.turn
    return match, *sorted(seats, key=lambda seat: seat.side != turn)  # type: ignore[return-value]


def order(match: Match, player: Player, on: bool = True, c: str | None = None) -> int:
    element = player.c(fresh(match)) if c is None and on else c or ""
    return give(match, player.user, order=on, c=element)


def move(match: Match, player: Player) -> Match:
    """Make any play of this player."""
    player.act(match, sorted(state_of(fresh(match)).position.actions())[0])
    return fresh(match)


def last(match: Match, count: int) -> list[str]:
    """The last recorded actions: actor and first word, without passes after unplayable dice."""
    rows = Action.objects.filter(match=match).exclude(text="pass").order_by("-n")[:count]
    return [f"{row.actor} {row.text.split()[0]}" for row in reversed(rows)]


def seen_by(match: Match, user: User) -> Any:
    event, side = selectors.match_event(match_id=match.pk, user_id=user.pk)
    return events.for_viewer(event, side, "state")


def test_the_site_rolls_as_soon_as_the_turn_begins(moving: tuple[Match, Player, Player], time: Time) -> None:
    match, first, second = moving
    left = second.c(match)
    assert order(match, second) == match.version
    time(days=1)
    match = move(match, first)
    assert last(match, 2) == [f"{second.side} roll", "chance dice"]
    rolled = Action.objects.filter(match=match, text="roll").latest("n")
    assert (rolled.element, rolled.client_id) == (left, None)
    assert (match.dice[second.side]["shown"], match.dice[second.side]["left"]) == (left, None)
    assert match.flag_at == time.moment + timedelta(days=3)
    assert script_result(match) == (None, set())


def test_an_order_rolls_once_for_each_element(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    order(match, second)
    match = move(match, first)
    match = move(match, second)
    first.roll(match)
    match = move(match, first)
    assert "roll" in state_of(match).may(second.side)  # no element was left for this one
    assert match.dice[second.side]["order"]
    order(match, second)  # it was meant for the turn that has begun meanwhile: at once
    assert last(match, 2) == [f"{second.side} roll", "chance dice"]
    assert script_result(play(fresh(match), moving[1:])) == (None, set())


def test_the_same_order_again_and_one_that_was_used_change_nothing(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    left = second.c(match)
    for _ in range(2):
        assert order(match, second, c=left) == match.version
    match = move(match, first)
    before = match.dice
    assert order(match, second, c=left) == match.version
    assert fresh(match).dice == before


def test_a_player_who_withdraws_an_order_decides_again(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    left = second.c(match)
    order(match, second)
    order(match, second, on=False)
    match = move(match, first)
    assert {"roll", "double"} <= set(state_of(match).may(second.side))
    second.roll(match)
    assert fresh(match).dice[second.side]["shown"] == left  # the next element is the same one
    assert script_result(match) == (None, set())


def test_an_own_roll_uses_up_the_element_that_was_left(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    order(match, first)
    match = move(match, first)
    second.roll(match)
    match = move(match, second)
    assert last(match, 2) == [f"{first.side} roll", "chance dice"]
    match = move(match, first)
    order(match, first)
    order(match, first, on=False)
    second.roll(match)
    match = move(match, second)
    first.roll(match)
    assert fresh(match).dice[first.side]["left"] is None


def test_no_roll_is_made_where_a_player_who_keeps_the_cube_could_double(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    left = second.c(match)
    give(match, second.user, order=True, c=left, unless_double=True)
    script_result = {"order": True, "unless_double": True, "left": True}
    assert script_result.items() <= seen_by(match, second.user)["dice"][second.side].items()
    match = move(match, first)
    assert {"roll", "double"} <= set(state_of(match).may(second.side))
    second.act(match, "double")
    first.act(fresh(match), "take")  # the cube is the opponent's: now there is nothing to decide
    assert last(match, 2) == [f"{second.side} roll", "chance dice"]
    rolled = Action.objects.filter(match=match, text="roll").latest("n")
    assert (rolled.element, rolled.asked) == (left, "")
    assert fresh(match).dice[second.side]["left"] is None


def test_after_an_ordered_drop_the_next_game_opens_with_what_was_left(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    order(match, first)  # the player who moved orders the next roll, and the answer to a double
    match = move(match, first)
    services.match_order(
        match_id=match.pk, user_id=first.user.pk, client_id="o-1", order="double drop", after=match.version
    )
    second.act(match, "double")
    assert last(match, 2) == [f"{first.side} drop", f"{first.side} roll"]
    assert (state_of(fresh(match)).game, fresh(match).dice[first.side]["deposit"]) == (
        2,
        fresh(match).dice[first.side]["left"],
    )


def test_an_offer_is_answered_first(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    order(match, second)
    first.act(match, "resign 1", after=match.version)
    assert last(match, 1) == [f"{first.side} resign"]
    second.act(match, "reject")
    match = move(match, first)
    assert last(match, 2) == [f"{second.side} roll", "chance dice"]


def test_both_may_preset_and_the_next_game_opens_automatically(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    for player in (first, second):
        order(match, player)
    first.act(match, "resign 1", after=match.version)
    second.act(match, "accept")
    match = fresh(match)
    assert match.games.count() == 2
    assert last(match, 3) == ["white roll", "black roll", "chance dice"]
    assert script_result(match) == (None, set())


def test_at_an_opening_the_left_deposit_is_used(time: Time, open_table: Open, seats: Seats) -> None:
    match = shake(open_table(clock="days3"), seats)
    ana, bea = seats
    order(match, ana, c=ana.chain.element(1).hex())
    assert last(match, 1) == ["white roll"]
    bea.roll(fresh(match))
    match = fresh(match)
    assert (match.roll_index, match.dice["white"]["shown"]) == (1, ana.chain.element(1).hex())
    assert script_result(match) == (None, set())


def test_a_held_seat_is_always_rolled_for(moving: tuple[Match, Player, Player]) -> None:
    match, first, second = moving
    match = move(match, first)
    second.silent = True
    second.roll(match)
    order(match, second)
    match = move(match, second)
    for _ in range(2):
        first.roll(match)
        match = move(match, first)
        assert last(match, 2) == [f"{second.side} roll", "chance dice"]
        match = move(match, second)
    assert script_result(match) == (None, {match_dice.LETTER[second.side]})


def test_only_its_owner_sees_an_order(moving: tuple[Match, Player, Player], carlos: User) -> None:
    match, first, second = moving
    before = {user: seen_by(match, user) for user in (first.user, carlos)}
    order(match, second)
    assert {user: seen_by(match, user) for user in before} == before
    assert seen_by(match, second.user)["dice"][second.side]["order"] is True
    assert before[first.user]["dice"][first.side]["order"] is False
    assert "order" not in before[first.user]["dice"][second.side]
    assert "order" not in str(before[carlos])


def test_a_paused_match_rolls_when_it_resumes(time: Time, ana: User, bea: User, dora: User, seats: Seats) -> None:
    match = services.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="days3")
    for user in (ana, bea):
        services.match_arrive(match_id=match.pk, user=user)
    match = play(match, seats, until=lambda match, state: match.roll_index >= 2 and "double" in state.may("white"))
    services.match_pause(match_id=match.pk, by=dora)
    order(match, seats[0])
    assert last(match, 1) == ["server pause"]
    services.match_resume(match_id=match.pk)
    assert last(match, 3) == ["server resume", "white roll", "chance dice"]


def test_an_invalid_order_is_refused(moving: tuple[Match, Player, Player], open_table: Open, carlos: User) -> None:
    match, _, second = moving
    element = second.c(match)
    stranger = Player(carlos, "white")
    at_the_table = shake(open_table(clock="club"), moving[1:])
    for player, table, fields, code in (
        (stranger, match, {"order": True, "c": element}, "not_seated"),
        (second, match, {"order": 1, "c": element}, "bad_frame"),
        (second, match, {"order": True, "unless_double": "no"}, "bad_frame"),
        (second, match, {"order": True, "c": None}, "element"),
        (second, match, {"order": True, "c": "ab" * 32}, "element_wrong"),
        (second, at_the_table, {"order": True}, "order_live"),
        (second, open_table(clock="days3"), {"order": True, "c": element}, "dice_early"),
    ):
        with pytest.raises(Refused) as refused:
            give(table, player.user, **fields)
        assert refused.value.code == code
    assert fresh(match).dice == match.dice
