#!/usr/bin/env python3
"""Check the dice of a match (bgdice/1): python3 verify_dice.py TRANSCRIPT.json ...

This script needs only Python 3. It exits with 0 when every roll of every transcript matches what was committed before
the match; otherwise it prints the first wrong roll. How it works, with H(x) = SHA-256("bgdice/1/chain" + x):

1. Before the match the server and both players publish the ends of their hash chains (s0, a0, b0). The players also
   publish the hashes of their nonces (cA, cB), and then the nonces (nA, nB). X is the hash
   of the match id, s0, a0, b0, nA and nB.
2. Each roll reveals the next element of the server's chain and of the roller's: H(element) is the previous element.
3. The dice are the first two bytes below 252, each mod 6, plus 1, of HMAC-SHA256(server's element, X, number of the
   roll, who rolls, roller's element).

A held seat (a computer player, a device without the secret) gives 32 zero bytes from then on. Its rolls depend on the
server's chain and on the opponent only. With both seats held nothing is proved; the script prints this, and it is
not an error.
"""

import hashlib
import hmac
import json
import sys

ZERO = bytes(32)
SEATS = {"A": "A", "B": "B", "O": "AB"}


class Wrong(Exception):
    """A wrong roll: its number (0: before the first one) and the reason."""


def sha(word, *parts):
    return hashlib.sha256(b"bgdice/1/" + word + b"".join(parts)).digest()


def hexed(transcript, name, at):
    """Decode 64 lower-case hex digits to 32 bytes."""
    value = transcript.get(name)
    if not isinstance(value, str) or len(value) != 64 or not set(value) <= set("0123456789abcdef"):
        raise Wrong(at, f"{name} is not 32 bytes in hex")
    return bytes.fromhex(value)


def dice_of(key, message):
    digest = hmac.new(key, message, hashlib.sha256).digest()
    while True:
        dice = [byte % 6 + 1 for byte in digest if byte < 252]
        if len(dice) >= 2:
            return dice[:2]
        digest = hashlib.sha256(digest).digest()


def check(transcript):
    """Check a transcript and return the seats that are held at its end. Raises Wrong."""
    if (
        not isinstance(transcript, dict)
        or transcript.get("v") != "bgdice/1"
        or not isinstance(transcript.get("match"), str)
    ):
        raise Wrong(0, "this is no transcript of bgdice/1")
    s0, a0, b0, cA, cB, nA, nB = (hexed(transcript, name, 0) for name in ("s0", "a0", "b0", "cA", "cB", "nA", "nB"))
    x = sha(b"ctx", transcript["match"].encode(), s0, a0, b0, nA, nB)
    server, chains, held, shown = s0, {"A": a0, "B": b0}, set(), set()
    rolls = transcript.get("rolls")
    if not isinstance(rolls, list):
        raise Wrong(0, "there are no rolls")
    for number, roll in enumerate(rolls, 1):
        if not isinstance(roll, dict) or type(roll.get("i")) is not int or roll["i"] != number:
            raise Wrong(number, "the rolls are not numbered 1, 2, 3 without a gap")
        seats = SEATS.get(roll.get("who")) if isinstance(roll.get("who"), str) else None
        if seats is None:
            raise Wrong(number, "nobody rolls")
        if sorted(key for key in ("a", "b") if key in roll) != [seat.lower() for seat in seats]:
            raise Wrong(number, "the elements are not those of the roller")
        s = hexed(roll, "s", number)
        if sha(b"chain", s) != server:
            raise Wrong(number, "the server's element does not follow the one before")
        server, elements, zeros = s, b"", 0
        for seat in seats:
            c = hexed(roll, seat.lower(), number)
            elements += c
            if c == ZERO and roll.get("held") is True:
                held.add(seat)
                zeros += 1
            elif seat in held:
                raise Wrong(number, f"seat {seat} was held before, and cannot come back")
            elif sha(b"chain", c) != chains[seat]:
                raise Wrong(number, f"the element of seat {seat} does not follow the one before")
            else:
                chains[seat] = c
                shown.add(seat)
        if roll.get("held", False) not in (True, False) or (roll.get("held") is True) != (zeros > 0):
            raise Wrong(number, "it is not said rightly who is held")
        message = x + number.to_bytes(4, "big") + roll["who"].encode() + elements
        dice = roll.get("dice")
        if not isinstance(dice, list) or [type(die) for die in dice] != [int, int] or dice != dice_of(s, message):
            raise Wrong(number, "the dice are not what the elements say")
    for seat, nonce, promised in (("A", nA, cA), ("B", nB, cB)):
        never = nonce == ZERO and seat not in shown
        if not never and sha(b"nonce", nonce) != promised:
            raise Wrong(0, f"the nonce of seat {seat} is not the one that was promised")
    return held


def main(paths):
    bad = 0
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                transcript = json.load(file)
            held = check(transcript)
        except Wrong as wrong:
            number, why = wrong.args
            print(f"{path}: WRONG at roll {number}: {why}" if number else f"{path}: WRONG before roll 1 (0): {why}")
            bad = 1
        except (OSError, ValueError, RecursionError) as error:
            print(f"{path}: cannot be read: {error}")
            bad = 1
        else:
            count = len(transcript["rolls"])
            note = f"; held: {', '.join(sorted(held))}" if held else ""
            note += "; both seats were held, so nothing is proved" if len(held) == 2 else ""
            print(f"{path}: all {count} rolls are as they were promised{note}")
    return bad


if __name__ == "__main__":
    if len(sys.argv) < 2:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(sys.argv[1:]))
