"""Matches whose dice anyone can check, through the services: what is recorded passes docs/verify_dice.py."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import bots, services
from games.dice import match_dice
from games.dice.chain import Chain
from games.errors import Refused
from games.events import state_of
from games.frames import parse_dice
from games.models import Action, DiceSecret, Match
from games.selectors.dice_proofs import transcript_of
from games.services import dice_chains, dice_rolls, match_sql
from tests.games.dice.seats import Player, fresh, give, next_roll, play, script_result, shake

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # the same actions on any database

Open = Callable[..., Match]


@pytest.fixture
def table(open_table: Open) -> Open:
    return lambda **terms: fresh(open_table(**{"clock": "none", "length": 1, **terms}))


@pytest.fixture
def seats(ana: User, bea: User) -> tuple[Player, Player]:
    return Player(ana, "white"), Player(bea, "black")


def elements(match: Match) -> list[str]:
    return [
        f"{row.actor} {row.text}{'' if row.element else ' -'}"
        for row in Action.objects.filter(match=match)
        if row.actor == "chance" or row.text == "roll" or row.text.startswith("hold")
    ]


@pytest.fixture
def moving(table: Open, seats: tuple[Player, Player]) -> tuple[Match, Player, Player]:
    """The opening is rolled and played: one player is to roll, and the other waits."""
    match = play(table(), seats, until=lambda match, state: bool(match.roll_index) and state.position.rollers == ())
    first = seats[0] if state_of(match).position.turn == "white" else seats[1]
    match = play(match, seats, until=lambda match, state: "roll" in state.may(first.side) and not state.opening)
    return match, first, seats[1] if first is seats[0] else seats[0]


# Whole matches


def test_a_match_of_several_games_matches_its_commitments(table: Open, seats: tuple[Player, Player]) -> None:
    match, (ana, bea) = table(length=3), seats
    for game in (1, 2):
        match = play(match, seats, until=lambda match, state: match.roll_index >= 5 * state.game and not state.opening)
        ana.act(match, "resign 1")
        bea.act(match, "accept")
        assert fresh(match).games.count() == game + 1
    match = play(fresh(match), seats)
    assert match.status == Match.Status.OVER
    assert script_result(match) == (None, set())
    assert {side: match.dice[side]["held"] for side in ("white", "black")} == {"white": False, "black": False}
    shown = Action.objects.filter(match=match, text="roll").exclude(element="").count()
    assert match.dice["white"]["used"] + match.dice["black"]["used"] == shown


@pytest.mark.parametrize(
    ("white", "black", "held"),
    [
        ({"silent": True}, {}, {"A"}),
        ({}, {"silent": True}, {"B"}),
        ({"silent": True}, {"silent": True}, {"A", "B"}),
        ({"forgets": 6}, {}, {"A"}),
        ({"forgets": 5}, {"forgets": 12}, {"A", "B"}),
        ({"forgets": 8}, {"silent": True}, {"A", "B"}),
    ],
)
def test_held_seats_are_recorded_in_the_transcript(
    table: Open, ana: User, bea: User, white: dict[str, Any], black: dict[str, Any], held: set[str]
) -> None:
    match = play(table(), [Player(ana, "white", **white), Player(bea, "black", **black)])
    assert match.roll_index > 15
    assert script_result(match) == (None, held)


def test_a_bot_is_held_from_the_start_and_the_player_is_not(
    ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "why_unavailable", lambda variant, options: "")
    bea.is_bot = True
    bea.save()
    match = services.match_create(
        creator=ana, variant="backgammon", length=1, clock="none", rated=False, options={}, invited=bea
    )
    assert fresh(match).dice["black"]["held"]
    match = play(match, [Player(ana, "white"), Player(bea, "black", silent=True)])
    assert script_result(match) == (None, {"B"})
    assert not match.dice["white"]["held"]


def test_a_tie_at_the_opening_uses_the_index_up_and_new_deposits(table: Open, seats: tuple[Player, Player]) -> None:
    match, (ana, bea) = table(), seats
    while True:  # a nonce under which the first roll is a tie: quickly found with all secrets known
        ana.nonce = ana.nonce[1:] + bytes([(ana.nonce[0] + 1) % 256])
        dice = match_dice.restore(match.dice).commit("white", ana.end, ana.commit).commit("black", bea.end, bea.commit)
        for player in seats:
            dice = dice.reveal(player.side, player.nonce.hex(), player.chain.element(1).hex())
        if len(set(next_roll(Match(pk=match.pk, dice=dice.snapshot())).dice)) == 1:
            break
    match = shake(match, seats)
    ana.roll(match)
    bea.roll(fresh(match))
    match = fresh(match)
    assert state_of(match).opening
    assert (match.roll_index, match.dice["white"]["used"], match.dice["white"]["deposit"]) == (1, 1, None)
    assert script_result(play(match, seats)) == (None, set())


def test_acey_deucey_opens_with_both_and_the_winner_rolls_anew(table: Open, seats: tuple[Player, Player]) -> None:
    match = play(table(variant="acey-deucey", length=15), seats)
    assert script_result(match) == (None, set())
    rolls = transcript_of(match)["rolls"]
    first = next(number for number, roll in enumerate(rolls) if len(set(roll["dice"])) == 2)
    white_die, black_die = rolls[first]["dice"]
    assert [roll["who"] for roll in rolls[: first + 2]] == ["O"] * (first + 1) + ["A" if white_die > black_die else "B"]


def test_the_damas_opening_is_a_roll_and_the_match_may_be_resigned(table: Open, seats: tuple[Player, Player]) -> None:
    match = play(table(variant="damas", length=3), seats, until=lambda match, state: match.version > 8)
    seats[0].act(match, "resign match")
    assert script_result(match) == (None, set())


def test_a_cancelled_match_keeps_its_transcript(ana: User, bea: User) -> None:
    match = services.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="club")
    for user in (ana, bea):
        services.match_arrive(match_id=match.pk, user=user)
    seats = [Player(ana, "white"), Player(bea, "black")]
    play(match, seats, until=lambda match, state: match.roll_index == 4)
    services.match_call_off(match_id=match.pk)
    assert script_result(match) == (None, set())
    assert fresh(match).ended_by == "stopped"


def test_a_deposit_of_an_opening_that_nobody_finished_counts_for_nothing(
    table: Open, seats: tuple[Player, Player]
) -> None:
    match = shake(table(), seats)
    seats[0].roll(match)
    seats[1].act(match, "resign match")
    assert transcript_of(fresh(match))["rolls"] == []
    assert script_result(match) == (None, set())


# The secret


def test_a_start_publishes_the_end_of_a_chain_and_the_end_of_a_match_deletes_it(
    table: Open, seats: tuple[Player, Player]
) -> None:
    match = table()
    secret = DiceSecret.objects.get(pk=match.pk)
    assert secret.length == 2048
    assert dice_chains.chain_of(match.pk, 0).element(0).hex() == match.dice["s0"]
    assert DiceSecret.objects.get(pk=table(variant="damas").pk).seed != secret.seed
    seats[0].act(match, "resign match")
    secret.refresh_from_db()
    assert bytes(secret.marks) == b""
    dice_chains.forget()
    assert dice_chains.chain_of(match.pk, 0).element(0).hex() == match.dice["s0"]  # the seed is enough to find it again


def test_a_roll_with_proof_takes_no_extra_query(moving: tuple[Match, Player, Player]) -> None:
    match, first, _ = moving
    dice_chains.chain_of(match.pk, match.roll_index + 1)
    with CaptureQueriesContext(connection) as proved:
        first.roll(match)
    Match.objects.filter(pk=match.pk).update(dice=None)
    match = play_on(match)
    roller = match.seats.get(side=state_of(match).position.turn)
    with CaptureQueriesContext(connection) as plain:
        services.match_act(match_id=match.pk, user_id=roller.user_id, action="roll", client_id="plain")
    assert len(proved) == len(plain)


def play_on(match: Match) -> Match:
    """Any play, so that the other side is to roll."""
    while "roll" not in state_of(match := fresh(match)).may(state_of(match).position.turn):  # type: ignore[arg-type]
        seat = match.seats.get(side=state_of(match).position.turn)
        text = sorted(state_of(match).position.actions())[0]
        services.match_act(match_id=match.pk, user_id=seat.user_id, action=text, client_id=f"on-{match.version}")
    return match


def test_older_matches_continue_with_system_dice_and_say_so(moving: tuple[Match, Player, Player]) -> None:
    match, first, _ = moving
    Match.objects.filter(pk=match.pk).update(dice=None)
    first.act(match, "roll", element="ab" * 32)
    assert (transcript_of(fresh(match))["v"], transcript_of(fresh(match))["rolls"]) == (None, [])
    with pytest.raises(Refused, match="dice_none"):
        first.commit_opening(match)


def test_a_match_of_more_rolls_than_are_kept_reads_its_chain_again(moving: tuple[Match, Player, Player]) -> None:
    match, first, _ = moving
    DiceSecret.objects.filter(pk=match.pk).delete()
    chain = Chain.of(b"x" * 32, 5000)
    DiceSecret.objects.create(match=match, length=chain.length, seed=chain.marks[:32], marks=chain.marks)
    match.roll_index = 2100
    match.save(update_fields=["roll_index"])
    dice_chains.forget()
    for indexes in ((1, 2, 1900), (2100, 2101, 3800), (2,)):
        with CaptureQueriesContext(connection) as queries:
            for k in indexes:
                assert dice_chains.chain_of(match.pk, k).element(k) == chain.element(k)
        assert len(queries) == 1
    dice = match_dice.restore(match.dice)
    assert dice_rolls.needs_database(match.pk, 2101, dice)
    first.roll(match)
    assert not dice_rolls.needs_database(match.pk, 2102, dice)

    dice_chains.forget()
    dice_chains.read([match.pk])
    assert not dice_rolls.needs_database(match.pk, 2102, dice)


def test_past_the_end_of_the_servers_chain_play_continues_without_proof(moving: tuple[Match, Player, Player]) -> None:
    match, first, _ = moving
    DiceSecret.objects.filter(pk=match.pk).update(length=match.roll_index)
    dice_chains.forget()
    proved = len(transcript_of(match)["rolls"])
    first.roll(match)
    assert fresh(match).roll_index == match.roll_index + 1
    assert len(transcript_of(fresh(match))["rolls"]) == proved


# Retries and crashes


def test_a_retry_of_a_roll_has_the_same_dice(moving: tuple[Match, Player, Player]) -> None:
    match, first, _ = moving
    c, promised = first.c(match), fresh(match).roll_index + 1
    answers = {first.act(match, "roll", client_id="again", element=c, after=match.version) for _ in range(3)}
    assert len(answers) == 1
    assert fresh(match).roll_index == promised


def test_a_crash_while_a_roll_is_written_changes_nothing_and_the_retry_has_the_promised_dice(
    moving: tuple[Match, Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    match, first, _ = moving
    c = first.c(match)
    put = match_dice.restore(match.dice).rolled(first.side, c)
    promised = next_roll(Match(pk=match.pk, roll_index=match.roll_index, dice=put.snapshot()), first.side)
    for name in ("actions_insert", "match_update"):
        with monkeypatch.context() as broken:
            broken.setattr(match_sql, name, lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                first.act(match, "roll", client_id="crash", element=c)
        assert Match.objects.values().get(pk=match.pk) == Match.objects.filter(pk=match.pk).values().get()
        assert (fresh(match).version, fresh(match).dice) == (match.version, match.dice)
    first.act(match, "roll", client_id="crash", element=c)
    row = Action.objects.filter(match=match, actor="chance").order_by("-n")[0]
    assert (row.text, row.element) == ("dice {}{}".format(*promised.dice), promised.s)


# What is refused


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"element": "00" * 32}, "element_wrong"),
        ({"element": "ab" * 31}, "element"),
        ({"element": "AB" * 32}, "element"),
    ],
)
def test_a_wrong_element_is_refused_and_nothing_changes(
    moving: tuple[Match, Player, Player], action: dict[str, Any], code: str
) -> None:
    match, first, _ = moving
    before = Match.objects.values().get(pk=match.pk)
    with pytest.raises(Refused) as refused:
        first.act(match, "roll", **action)
    assert (refused.value.code, refused.value.ruling) in ((code, "V"), (code, ""))
    assert Match.objects.values().get(pk=match.pk) == before


def test_a_revealed_element_is_not_accepted_again(moving: tuple[Match, Player, Player]) -> None:
    match, first, _ = moving
    with pytest.raises(Refused, match="element_wrong"):
        first.act(match, "roll", element=match.dice[first.side]["shown"])


def test_a_deposit_out_of_turn_is_refused_with_its_code(table: Open, ana: User, bea: User, carlos: User) -> None:
    match, white, black = table(), Player(ana, "white"), Player(bea, "black")

    def code(give: Callable[[], object]) -> str:
        before = Match.objects.values().get(pk=match.pk)
        with pytest.raises(Refused) as refused:
            give()
        assert refused.value.text
        assert Match.objects.values().get(pk=match.pk) == before
        return refused.value.code

    def deposit(player: Player, element: str) -> int:
        return give(match, player.user, c=element)

    c = [white.chain.element(k).hex() for k in range(4)]
    assert code(lambda: Player(carlos, "white").commit_opening(match)) == "not_seated"
    assert code(lambda: white.reveal(match)) == "dice_early"
    white.commit_opening(match)
    white.commit_opening(match)
    assert code(lambda: Player(ana, "white").commit_opening(match)) == "dice_hand"
    assert code(lambda: white.reveal(match)) == "dice_early"
    assert code(lambda: deposit(white, c[1])) == "dice_early"
    black.commit_opening(match)
    assert code(lambda: give(match, ana, nonce="ab" * 32, c=c[1])) == "dice_nonce"
    assert code(lambda: give(match, ana, nonce=white.nonce.hex(), c=c[2])) == "element_wrong"
    assert code(lambda: give(match, ana, nonce=white.nonce.hex(), c="")) == "element"
    white.reveal(match)
    white.reveal(match)
    deposit(white, c[1])
    assert code(lambda: deposit(white, c[2])) == "element_wrong"
    black.act(match, "roll")
    assert fresh(match).dice["black"]["held"]
    assert code(lambda: black.reveal(match)) == "dice_held"
    white.roll(match)
    deposit(white, c[1])
    if not state_of(fresh(match)).opening:
        assert code(lambda: deposit(white, c[2])) == "dice_not_now"
    white.act(match, "resign match")
    assert code(lambda: deposit(white, c[2])) == "match_over"


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"end": "ab" * 32, "commit": "ab" * 32}, "bad_id"),
        ({"id": "no spaces", "c": "ab" * 32}, "bad_id"),
        ({"id": "d-1"}, "element"),
        ({"id": "d-1", "c": 7}, "element"),
        ({"id": "d-1", "end": "ab" * 32}, "element"),
        ({"id": "d-1", "end": ["ab"], "commit": None}, "element"),
        ({"id": "d-1", "nonce": "ab" * 32, "c": "xy" * 32}, "element"),
    ],
)
def test_a_malformed_frame_is_refused(table: Open, ana: User, frame: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        services.dice_give(match_id=table().pk, user_id=ana.pk, frame=parse_dice(frame))
    assert refused.value.code == code


# Held


def test_a_held_seat_stays_held_whatever_it_sends(moving: tuple[Match, Player, Player]) -> None:
    match, first, other = moving
    first.act(match, "roll")
    assert fresh(match).dice[first.side]["held"]
    first.silent = True
    match = play(match, [first, other], until=lambda match, state: "roll" in state.may(first.side))
    if not state_of(match).opening:
        used = match.dice[first.side]["used"]
        first.act(match, "roll", element=first.chain.element(used + 1).hex())
        assert fresh(match).dice[first.side]["used"] == used
        assert Action.objects.filter(match=match, text="roll").order_by("-n")[0].element == ""
    with pytest.raises(Refused, match="dice_held"):
        Player(first.user, first.side).commit_opening(match)
    assert script_result(match) == (None, {match_dice.LETTER[first.side]})


def late(match: Match) -> Match:
    """The wait of the opening is over."""
    match = fresh(match)
    assert match.flag_at is not None
    Match.objects.filter(pk=match.pk).update(flag_at=match.flag_at - timedelta(seconds=60))
    services.match_touch(match_id=match.pk)
    return fresh(match)


def test_a_slow_player_who_deposited_an_element_is_rolled_for_and_not_held(
    table: Open, seats: tuple[Player, Player]
) -> None:
    match = shake(table(), seats)
    seats[0].roll(match)
    match = late(match)
    assert elements(match)[:2] == ["white roll", "server hold black"]
    assert not match.dice["black"]["held"]
    assert script_result(match) == (None, set())


def test_a_seat_without_a_commitment_is_held_and_the_other_gets_a_fresh_wait(
    table: Open, seats: tuple[Player, Player]
) -> None:
    match, (ana, _) = table(clock="club"), seats
    ana.commit_opening(match)
    match = late(match)
    assert elements(match) == ["server hold black -"]
    assert (match.dice["black"]["held"], match.dice["white"]["held"], match.roll_index) == (True, False, 0)
    assert match.flag_at is not None
    assert match.clock_at is not None
    assert match.flag_at - match.clock_at == timedelta(seconds=20)
    assert match.clock["running"] is None
    ana.reveal(match)
    match = late(match)
    assert elements(match)[:2] == ["server hold black -", "server hold white"]
    assert script_result(match) == (None, {"B"})


def test_without_commitments_both_seats_are_held_and_play_begins(table: Open) -> None:
    match = late(table())
    assert elements(match)[:2] == ["server hold white -", "server hold black -"]
    assert match.roll_index == 1
    assert script_result(match) == (None, {"A", "B"})


def test_a_late_commitment_leaves_time_to_reveal_the_nonces(table: Open, seats: tuple[Player, Player]) -> None:
    match, (ana, bea) = table(), seats
    ana.commit_opening(match)
    soon = fresh(match).flag_at - timedelta(seconds=19)
    Match.objects.filter(pk=match.pk).update(flag_at=soon)
    bea.commit_opening(match)
    assert fresh(match).flag_at > soon + timedelta(seconds=15)
    ana.reveal(match)
    bea.reveal(match)
    assert fresh(match).version == 0
