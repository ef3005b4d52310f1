"""Hash chains and verifiable dice: byte for byte, and against every change."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import runpy
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import chain, proof
from games.dice.chain import Chain

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests/data/dice"
SCRIPT = ROOT / "docs/verify_dice.py"
PRIMITIVES = json.loads((DATA / "primitives.json").read_text())
VERIFY: dict[str, Any] = runpy.run_path(str(SCRIPT))


def transcript(*, rolls: int = 12, held: dict[str, int] | None = None, match: str = "k3xPq9Zt") -> dict[str, Any]:
    """A match as this site would roll it; a seat in `held` deposits nothing from that roll on."""
    held = held or {}
    server = Chain.of(b"s" * 32, rolls)
    chains = {"A": Chain.of(b"a" * 32, rolls), "B": Chain.of(b"b" * 32, rolls)}
    nonces = {"A": b"n" * 32, "B": b"m" * 32}
    promised = {seat: proof.commitment(nonce) for seat, nonce in nonces.items()}
    for seat, since in held.items():
        if since <= 1:
            nonces[seat] = proof.HELD
    ends = [server.element(0), chains["A"].element(0), chains["B"].element(0)]
    x = proof.context(match, *ends, nonces["A"], nonces["B"])
    data: dict[str, Any] = {"v": "bgdice/1", "match": match}
    data |= dict(zip(("s0", "a0", "b0"), (end.hex() for end in ends), strict=True))
    data |= {"cA": promised["A"].hex(), "cB": promised["B"].hex()}
    data |= {"nA": nonces["A"].hex(), "nB": nonces["B"].hex(), "rolls": []}
    used = Counter[str]()
    for i in range(1, rolls + 1):
        rollers: proof.RollerLetter = "O" if i == 1 else "A" if i % 2 else "B"
        row: dict[str, Any] = {"i": i, "who": rollers}
        c = b""
        for seat in "AB" if rollers == "O" else rollers:
            is_held = i >= held.get(seat, rolls + 1)
            used[seat] += 1
            element = proof.HELD if is_held else chains[seat].element(used[seat])
            row[seat.lower()] = element.hex()
            c += element
            if is_held:
                row["held"] = True
        s = server.element(i)
        data["rolls"].append({**row, "s": s.hex(), "dice": list(proof.roll(x, i, rollers, s, c))})
    return data


def verdict(data: Any) -> int | None:
    """The first wrong roll by the script, or None when all are right."""
    try:
        VERIFY["check"](data)
    except VERIFY["Wrong"] as wrong:
        return int(wrong.args[0])
    return None


def test_a_chain_matches_the_test_vectors() -> None:
    vector = [bytes.fromhex(each) for each in PRIMITIVES["chain_of_32_zero_bytes"]]
    made = Chain.of(bytes(32), 3)
    assert [made.element(k) for k in range(4)] == vector
    assert all(chain.follows(after, before) for before, after in pairwise(vector))
    assert not any(chain.follows(after, before) for before, after in pairwise(vector[::-1]))


@pytest.mark.parametrize("length", [1, 255, 256, 257, 1000])
def test_checkpoints_change_nothing(length: int) -> None:
    plain = [b"x" * 32]
    for _ in range(length):
        plain.append(chain.link(plain[-1]))
    made = Chain.of(b"x" * 32, length)
    assert [made.element(k) for k in range(length + 1)] == plain[::-1]
    assert made.marks == b"".join(plain[::256])


@pytest.mark.parametrize("k", [0, 1, 5, 255, 256, 1800, 2047, 2048, 4900, 5000])
def test_a_part_of_a_chain_has_an_element_and_1792_after_it(k: int) -> None:
    whole = Chain.of(b"x" * 32, 5000)
    part = whole.part(k)
    assert len(part.marks) <= 8 * 32
    kept = range(k, min(k + 1792, 5000) + 1)
    assert all(part.holds(each) for each in kept)
    assert [part.element(each) for each in kept] == [whole.element(each) for each in kept]
    assert part.part(kept[-1]).element(kept[-1]) == whole.element(kept[-1])


def test_a_part_of_a_chain_says_what_it_has_not() -> None:
    part = Chain.of(b"x" * 32, 5000).part(2500)
    for k in (1, 2000, 4900):
        assert not part.holds(k)
        with pytest.raises(LookupError):
            part.element(k)


def test_the_last_part_knows_that_the_chain_has_ended() -> None:
    whole = Chain.of(b"x" * 32, 5000)
    assert [whole.part(k).holds(5001) for k in (1, 4900, 6000)] == [False, True, True]


def test_a_chain_ends() -> None:
    made = Chain.of(b"x" * 32, 3)
    for k in (-1, 4):
        with pytest.raises(IndexError):
            made.element(k)
    with pytest.raises(ValueError, match="32 bytes"):
        Chain.of(b"short", 3)


def test_rolls_match_the_test_vectors() -> None:
    assert len(PRIMITIVES["rolls"]) == 20
    for vector in PRIMITIVES["rolls"]:
        x, s, c = (bytes.fromhex(vector[name]) for name in ("X", "s", "c"))
        assert list(proof.roll(x, vector["i"], vector["who"], s, c)) == vector["dice"]


def test_bytes_that_would_favour_low_faces_are_skipped() -> None:
    """Six digests that begin with 252: the dice come from the bytes after it."""
    found = 0
    for i in range(1, 1_500):
        digest = hmac.new(b"s" * 32, b"x" * 32 + i.to_bytes(4, "big") + b"A" + b"c" * 32, hashlib.sha256).digest()
        if digest[0] == 252:
            found += 1
            assert proof.roll(b"x" * 32, i, "A", b"s" * 32, b"c" * 32) == tuple(
                byte % 6 + 1 for byte in [byte for byte in digest[1:] if byte < 252][:2]
            )
    assert found == 6


def test_a_digest_with_fewer_than_two_faces_is_hashed_again() -> None:
    assert proof.dice_of(bytes([255] * 30 + [251, 6])) == (6, 1)
    for digest in (bytes([252] * 32), bytes([252] * 31 + [6])):
        again = hashlib.sha256(digest).digest()
        assert proof.dice_of(digest) == (again[0] % 6 + 1, again[1] % 6 + 1)


def test_a_transcript_of_this_site_is_valid() -> None:
    assert verdict(transcript()) is None


@pytest.mark.parametrize("held", [{"A": 1}, {"B": 1}, {"A": 1, "B": 1}, {"A": 5}, {"A": 5, "B": 8}])
def test_held_seats_are_valid_and_reported(held: dict[str, int]) -> None:
    data = transcript(held=held)
    assert verdict(data) is None
    assert VERIFY["check"](data) == set(held)


def test_the_script_accepts_valid_transcripts_and_names_the_first_wrong_roll() -> None:
    def run(name: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-I", str(SCRIPT), str(DATA / name)], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.replace(str(DATA / name), "FILE").strip()

    assert run("transcript1.json") == (0, "FILE: all 150 rolls are as they were promised")
    assert run("tampered_dice.json") == (1, "FILE: WRONG at roll 21: the dice are not what the elements say")
    assert run("tampered_nonce.json") == (1, "FILE: WRONG at roll 1: the dice are not what the elements say")
    assert run("missing.json")[0] == 1


def other(value: Any) -> list[Any]:
    """Values an attacker might substitute."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value % 6 + 1, -value, str(value), None]
    if isinstance(value, list):
        return [value[::-1]] if value[0] != value[-1] else [value[:-1]]
    flipped = ("1" if value[:1] != "1" else "2") + value[1:]
    return [flipped, value[:-1] + ("0" if value[-1:] != "0" else "3"), value.upper() + "", "0" * len(value), None]


def test_every_change_to_a_transcript_is_detected() -> None:
    data = transcript(rolls=8, held={"B": 6})
    assert verdict(data) is None
    tried = 0
    for part in (data, *data["rolls"]):
        for name, value in part.items():
            if name == "rolls":
                continue
            for changed in other(value):
                if changed == value:
                    continue
                bad = copy.deepcopy(data)
                target = bad if part is data else bad["rolls"][data["rolls"].index(part)]
                target[name] = changed
                assert verdict(bad) is not None, (name, value, changed)
                tried += 1
            bad = copy.deepcopy(data)
            del (bad if part is data else bad["rolls"][data["rolls"].index(part)])[name]
            assert verdict(bad) is not None, f"without {name}"
    assert tried > 100


def test_missing_repeated_or_swapped_rolls_are_detected() -> None:
    data = transcript(rolls=8)
    for index in range(7):
        for rolls in (
            data["rolls"][:index] + data["rolls"][index + 1 :],
            data["rolls"][: index + 1] + data["rolls"][index:],
            [*data["rolls"][:index], data["rolls"][index + 1], data["rolls"][index], *data["rolls"][index + 2 :]],
        ):
            assert verdict({**data, "rolls": rolls}) is not None


def test_a_held_seat_cannot_return() -> None:
    data, good = transcript(held={"A": 3}), transcript()
    data["rolls"][4] = good["rolls"][4]
    assert verdict(data) == 5


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["v", "match", "rolls", "i"]), inner),
    max_leaves=8,
)


@given(json_like)
@settings(max_examples=100, deadline=None)
def test_invalid_input_neither_passes_nor_crashes(data: Any) -> None:
    assert verdict(data) is not None


def test_the_faces_are_evenly_distributed() -> None:
    """36,000 rolls of one chain: chi-square over the 36 pairs below the bound that chance passes once in 10,000."""
    x, c = b"x" * 32, b"c" * 32
    counts = Counter(proof.roll(x, i, "A", i.to_bytes(32, "big"), c) for i in range(36_000))
    chi = sum((counts[(first, second)] - 1000) ** 2 / 1000 for first in range(1, 7) for second in range(1, 7))
    assert chi < 73.5
