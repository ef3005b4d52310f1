"""The deposits of the seats for the dice, stepped by hand."""

from __future__ import annotations

import pytest

from games.dice import proof, transcript
from games.dice.chain import Chain
from games.dice.match_dice import HELD, DiceRefused, MatchDice, SeatDice, restore, waits_for_opponent

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
    assert unfit.value.code == code


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
