"""The deposits of the seats for the dice, stepped by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import dice as source
from games.dice import proof, transcript
from games.dice.chain import Chain
from games.dice.match_dice import HELD, DiceRefused, MatchDice, SeatDice, restore, waits_for_opponent
from games.engine import SIDES, Side

SERVER, WHITE, BLACK = (Chain.of(byte * 32, 40) for byte in (b"s", b"w", b"b"))
NONCES = {"white": b"n" * 32, "black": b"m" * 32}
START = MatchDice(SERVER.element(0).hex())


def c(chain: Chain, k: int) -> str:
    return chain.element(k).hex()


def promise(side: str) -> str:
    return proof.commitment(NONCES[side]).hex()


BOTH = START.commit("white", c(WHITE, 0), promise("white")).commit("black", c(BLACK, 0), promise("black"))
SHOWN = BOTH.reveal("white", NONCES["white"].hex(), c(WHITE, 1)).reveal("black", NONCES["black"].hex(), c(BLACK, 1))


def test_a_snapshot_is_restored_to_an_equal_value() -> None:
    for dice in (START, BOTH, SHOWN, SHOWN.hold("black")):
        assert restore(dice.snapshot()) == dice


def test_nonces_may_be_revealed_when_no_commitment_is_missing() -> None:
    alone = START.commit("white", c(WHITE, 0), promise("white"))
    assert [START.ready, alone.ready, BOTH.ready, alone.hold("black").ready] == [False, False, True, True]
    assert (
        waits_for_opponent(alone, "white"),
        waits_for_opponent(alone, "black"),
        waits_for_opponent(BOTH, "white"),
    ) == (True, False, False)
    assert not waits_for_opponent(alone.hold("white"), "white")


def test_a_repeated_deposit_changes_nothing() -> None:
    assert BOTH.commit("white", c(WHITE, 0), promise("white")) == BOTH
    assert SHOWN.reveal("white", NONCES["white"].hex(), c(WHITE, 1)) == SHOWN
    assert SHOWN.deposit("white", c(WHITE, 1)) == SHOWN
    assert SHOWN.hold("white").commit("white", c(WHITE, 0), promise("white")) == SHOWN.hold("white")


def test_an_opening_uses_both_deposits_and_shows_them() -> None:
    rolled = SHOWN.roll("k3xPq9Zt", SERVER, i=1, rollers=("white", "black"))
    assert rolled.proof == {"i": 1, "who": "O", "a": c(WHITE, 1), "b": c(BLACK, 1), "s": c(SERVER, 1)}
    assert (rolled.match_dice.white.used, rolled.match_dice.white.shown, rolled.match_dice.white.deposit) == (
        1,
        c(WHITE, 1),
        None,
    )
    x = proof.context(
        "k3xPq9Zt", *(chain.element(0) for chain in (SERVER, WHITE, BLACK)), NONCES["white"], NONCES["black"]
    )
    assert rolled.dice == proof.roll(x, 1, "O", SERVER.element(1), WHITE.element(1) + BLACK.element(1))


def test_the_same_roll_asked_for_again_has_the_same_dice() -> None:
    put = SHOWN.roll("m", SERVER, i=1, rollers=("white", "black")).match_dice.rolled("black", c(BLACK, 2))
    first, second = (put.roll("m", SERVER, i=2, rollers=("black",)) for _ in range(2))
    assert first == second
    assert first.proof == {"i": 2, "who": "B", "b": c(BLACK, 2), "s": c(SERVER, 2)}
    assert put.roll("m", SERVER, i=3, rollers=("black",)).s != first.s


def test_a_held_seat_gives_zero_bytes_to_the_end() -> None:
    held = SHOWN.roll("m", SERVER, i=1, rollers=("white", "black")).match_dice.rolled("white", "")
    assert held.rolled("white", c(WHITE, 2)) == held
    held_proof = held.roll("m", SERVER, i=2, rollers=("white",)).proof
    assert held_proof == {"i": 2, "who": "A", "a": HELD, "s": c(SERVER, 2), "held": True}
    assert held.context("m") == SHOWN.context("m")  # a nonce that was shown stays: X never changes


def test_a_deposit_is_acknowledged_without_revealing_it() -> None:
    view = SHOWN.view()
    assert view["white"]["deposited"]
    assert c(WHITE, 1) not in str(view)
    assert set(view["white"]) == {"end", "commit", "nonce", "held", "used", "shown", "deposited"}


@pytest.mark.parametrize(
    ("dice", "give", "code"),
    [
        (BOTH, lambda h: h.commit("white", c(BLACK, 0), promise("white")), "dice_hand"),
        (START.hold("white"), lambda h: h.commit("white", c(WHITE, 0), promise("white")), "dice_held"),
        (START, lambda h: h.reveal("white", NONCES["white"].hex(), c(WHITE, 1)), "dice_early"),
        (BOTH, lambda h: h.reveal("white", NONCES["black"].hex(), c(WHITE, 1)), "dice_nonce"),
        (BOTH, lambda h: h.reveal("white", NONCES["white"].hex(), c(WHITE, 2)), "element_wrong"),
        (BOTH, lambda h: h.deposit("white", c(WHITE, 1)), "dice_early"),
        (SHOWN, lambda h: h.deposit("white", c(WHITE, 2)), "element_wrong"),
        (SHOWN.hold("white"), lambda h: h.deposit("white", c(WHITE, 1)), "dice_held"),
        (SHOWN, lambda h: h.rolled("black", c(WHITE, 1)), "element_wrong"),
        (BOTH, lambda h: h.rolled("black", c(BLACK, 1)), "element_wrong"),
    ],
)
def test_an_invalid_deposit_is_refused(dice: MatchDice, give: object, code: str) -> None:
    with pytest.raises(DiceRefused) as unfit:
        give(dice)  # type: ignore[operator]
    assert (unfit.value.code, str(unfit.value)) == (code, code)


def test_rows_yield_the_proofs_and_an_unfinished_opening_has_none() -> None:
    reader = transcript.ProofReader(4)
    steps = [
        (1, "white", "roll", "aa"),
        (1, "black", "resign match", ""),
        (2, "server", "hold black", "bb"),
        (2, "white", "roll", "aa"),
        (2, "chance", "dice 31", "ss"),
        (2, "white", "8/5 6/5", ""),
        (2, "black", "roll", ""),
        (2, "chance", "dice 66", "tt"),
        (2, "white", "roll", "cc"),
        (2, "chance", "dice 21", ""),
    ]
    proofs = [reader.after(*step) for step in steps]
    assert [each for each in proofs if each] == [
        {"i": 5, "who": "O", "s": "ss", "a": "aa", "b": "bb"},
        {"i": 6, "who": "B", "s": "tt", "b": HELD, "held": True},
    ]
    assert reader.index == 7


def test_a_seat_without_a_deposit_has_no_proof() -> None:
    assert not SeatDice().follows(c(WHITE, 1))


# Orders: the server rolls for a seat, with the element that was left for that

ROLLED = SHOWN.roll("m", SERVER, i=1, rollers=("white", "black")).match_dice
"""After the opening roll: element 2 of each seat is the next."""


def test_an_order_keeps_an_element_for_one_roll() -> None:
    ordered = ROLLED.order("white", True, c(WHITE, 2))
    assert ordered.white == replace(ROLLED.white, order=True, left=c(WHITE, 2))
    assert ordered.black == ROLLED.black
    assert ordered.order("white", True, c(WHITE, 2)) == ordered
    assert [ordered.is_ordered(side, double=True) for side in SIDES] == [True, False]
    opened = ordered.opened("white")
    assert (opened.white.deposit, opened.white.left) == (c(WHITE, 2), c(WHITE, 2))
    shown = opened.shown(("white",)).white
    assert (shown.shown, shown.deposit, shown.left, shown.used, shown.order) == (c(WHITE, 2), None, None, 2, True)


def test_an_order_without_an_element_waits_for_one() -> None:
    assert not ROLLED.order("white", True, "").is_ordered("white", double=False)
    assert ROLLED.order("white", True, c(WHITE, 1)).white == replace(ROLLED.white, order=True)  # it was shown already


def test_an_order_is_taken_back_with_its_element() -> None:
    ordered = ROLLED.order("black", True, c(BLACK, 2), unless_double=True)
    assert ordered.order("black", False, "", unless_double=True) == ROLLED


def test_an_order_can_leave_turns_with_a_double_to_the_player() -> None:
    ordered = ROLLED.order("black", True, c(BLACK, 2), unless_double=True)
    assert ordered.black.unless_double
    assert [ordered.is_ordered("black", double=double) for double in (True, False)] == [False, True]


def test_a_held_seat_orders_without_an_element() -> None:
    held = ROLLED.hold("white").order("white", True, c(WHITE, 2))
    assert held.white == replace(ROLLED.white, held=True, order=True)
    assert held.is_ordered("white", double=True)


@pytest.mark.parametrize(("match_dice", "element", "code"), [(BOTH, 1, "dice_early"), (ROLLED, 3, "element_wrong")])
def test_an_order_needs_the_next_element(match_dice: MatchDice, element: int, code: str) -> None:
    with pytest.raises(DiceRefused) as refused:
        match_dice.order("white", True, c(WHITE, element))
    assert refused.value.code == code


def test_who_gives_nothing_for_an_opening_is_held() -> None:
    assert SHOWN.opened("white") == SHOWN
    assert ROLLED.opened("white") == ROLLED.hold("white")
    assert ROLLED.order("white", True, c(WHITE, 2)).hold("white").white == replace(ROLLED.white, held=True, order=True)


@pytest.mark.parametrize(
    ("match_dice", "side", "nonce", "k", "code"),
    [
        (BOTH.hold("black"), "black", NONCES["black"], 1, "dice_held"),
        (SHOWN.hold("white"), "white", NONCES["black"], 1, "dice_held"),
        (START.commit("white", c(WHITE, 0), promise("white")), "white", NONCES["white"], 1, "dice_early"),
        (SHOWN, "white", NONCES["black"], 1, "dice_nonce"),
        (SHOWN, "white", NONCES["white"], 2, "element_wrong"),
    ],
)
def test_a_nonce_is_refused(match_dice: MatchDice, side: Side, nonce: bytes, k: int, code: str) -> None:
    with pytest.raises(DiceRefused) as refused:
        match_dice.reveal(side, nonce.hex(), c(WHITE if side == "white" else BLACK, k))
    assert refused.value.code == code


def test_a_nonce_may_be_revealed_again_before_and_after_its_deposit_was_used() -> None:
    for match_dice in (SHOWN, ROLLED, ROLLED.hold("white")):
        assert match_dice.reveal("white", NONCES["white"].hex(), c(WHITE, 1)) == match_dice


def test_a_nonce_is_revealed_where_the_opponent_is_held() -> None:
    alone = START.commit("white", c(WHITE, 0), promise("white"))
    shown = alone.hold("black").reveal("white", NONCES["white"].hex(), c(WHITE, 1))
    assert (shown.white.nonce, shown.white.deposit) == (NONCES["white"].hex(), c(WHITE, 1))
    assert [waits_for_opponent(START.commit(side, "aa", "bb"), side) for side in SIDES] == [True, True]
    assert [waits_for_opponent(alone, side) for side in SIDES] == [True, False]


def test_who_rolls_alone_deposits_for_it() -> None:
    for side, chain in (("white", WHITE), ("black", BLACK)):
        rolled = ROLLED.rolled(side, c(chain, 2))
        assert rolled.of(side).deposit == c(chain, 2)
        assert rolled.roll("m", SERVER, i=2, rollers=(side,)).match_dice.of(side).shown == c(chain, 2)


def test_everybody_sees_of_each_seat_what_it_has_shown() -> None:
    white, black = ROLLED.hold("black").view()["white"], ROLLED.hold("black").view()["black"]
    assert white == {
        "end": c(WHITE, 0),
        "commit": promise("white"),
        "nonce": NONCES["white"].hex(),
        "held": False,
        "used": 1,
        "shown": c(WHITE, 1),
        "deposited": False,
    }
    assert (black["end"], black["held"], black["shown"]) == (c(BLACK, 0), True, c(BLACK, 1))
    assert START.view() == {"ready": False, "s0": c(SERVER, 0), "white": SeatDice().view(), "black": SeatDice().view()}


def test_a_snapshot_has_every_field_of_both_seats() -> None:
    seat = {
        "end": None,
        "commit": None,
        "nonce": None,
        "shown": None,
        "used": 0,
        "held": False,
        "deposit": None,
        "order": False,
        "unless_double": False,
        "left": None,
    }
    assert START.snapshot() == {"s0": c(SERVER, 0), "white": seat, "black": seat}


# The transcript


def test_a_transcript_has_the_commitments_and_every_roll_that_can_be_proved() -> None:
    actions = [
        (1, "white", "roll", "aa"),
        (1, "black", "roll", "bb"),
        (1, "chance", "dice 31", "ss"),
        (1, "white", "8/5 6/5", ""),
        (1, "server", "hold black", ""),
        (1, "chance", "dice 66", ""),
        (2, "white", "roll", "cc"),
        (3, "black", "roll", "dd"),
        (3, "chance", "dice 65", "tt"),
    ]
    assert transcript.transcript("m", SHOWN, actions) == {
        "v": "bgdice/1",
        "match": "m",
        "s0": c(SERVER, 0),
        "a0": c(WHITE, 0),
        "b0": c(BLACK, 0),
        "cA": promise("white"),
        "cB": promise("black"),
        "nA": NONCES["white"].hex(),
        "nB": NONCES["black"].hex(),
        "rolls": [
            {"i": 1, "who": "O", "a": "aa", "b": "bb", "s": "ss", "dice": [3, 1]},
            {"i": 3, "who": "B", "b": "dd", "s": "tt", "dice": [6, 5]},
        ],
    }


def test_what_a_seat_never_gave_is_zero_bytes_in_the_transcript() -> None:
    empty = transcript.transcript("m", START, [])
    assert [empty[name] for name in ("a0", "b0", "cA", "cB", "nA", "nB")] == [HELD] * 6
    assert transcript.no_transcript("m", "why") == {"v": None, "match": "m", "note": "why", "rolls": []}


# The source of dice


def test_dice_of_the_system_have_six_faces_and_tests_may_replace_their_source() -> None:
    assert {die for _ in range(300) for die in source.system_roll("m", 1, {})} == set(range(1, 7))
    assert not source.is_replaced()
    before = source.replace_roller(lambda match_id, index, elements: (index + int(match_id), len(elements)))
    try:
        assert source.is_replaced()
        assert source.roll("100", 5, {"white": "aa"}) == (105, 1)
    finally:
        assert source.replace_roller(before)("100", 5, {}) == (105, 0)
    assert before is source.system_roll
    assert not source.is_replaced()
