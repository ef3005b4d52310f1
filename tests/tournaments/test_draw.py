"""The draw: its commitment, its order, and its verification."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path

from tournaments import draw

SEED = bytes(range(32))
NONCES = {1: b"\x01" * 32, 2: b"\x02" * 32, 3: draw.HELD, 10: b"\x0a" * 32}


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert draw.commitment(SEED) == hashlib.sha256(b"bgdice/1/draw" + SEED).hexdigest()


def test_the_order_follows_the_hmacs() -> None:
    head = b"k3xPq9Zt" + NONCES[1] + NONCES[2] + NONCES[3] + NONCES[10]
    marks = {n: hmac.new(SEED, head + n.to_bytes(4, "big"), "sha256").digest() for n in NONCES}
    assert list(draw.order(SEED, "k3xPq9Zt", NONCES)) == sorted(NONCES, key=marks.__getitem__)


def test_another_nonce_changes_the_whole_draw() -> None:
    many = {n: bytes([n]) * 32 for n in range(1, 21)}
    other = {**many, 20: b"\xff" * 32}
    assert draw.order(SEED, "t", many) != draw.order(SEED, "t", other)
    assert sorted(draw.order(SEED, "t", many)) == list(many)


def test_a_document_of_a_draw_can_be_verified(tmp_path: Path) -> None:
    document = draw.document(SEED, "t", NONCES, draw.order(SEED, "t", NONCES))
    assert draw.verify(document) == ""
    assert draw.verify({**document, "order": document["order"][::-1]}) == "order"
    assert draw.verify({**document, "seed": "00" * 32}) == "commitment"
    assert draw.verify({**document, "nonces": {"1": "xx"}}) == "file"
    assert draw.verify({}) == "file"
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(document))
    bad.write_text(json.dumps({**document, "tournament": "another"}))
    assert draw.main([str(good)]) == 0
    assert draw.main([str(good), str(bad)]) == 1
