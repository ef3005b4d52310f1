"""The grammar of frames: valid ones and damaged ones, reproducible by seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

TEXT, BINARY = 1, 2
Sent = tuple[int, bytes]
"""An opcode and the bytes of one message."""
Frame = dict[str, Any]

DEEP = "[" * 2000 + "]" * 2000
BIDI = "‮⁦evil⁩"
HOSTILE: Sequence[Any] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**300, 1e308, -0.0, 0.5),
    *(
        "",
        " ",
        "\0",
        "a" * 41,
        "a" * 3000,
        "é" * 40,
        BIDI,
        "\ud800",
        "٣",
        "null",
        "__proto__",
        "' OR 1=1 --",
        "../../etc",
    ),
    *([], {}, [[]], [None] * 50, {"": ""}, {"t": "act"}, ["a", 1, None], {"id": {"id": {"id": []}}}),
)
RAW: Sequence[Sent] = (
    (TEXT, b""),
    (TEXT, b"null"),
    (TEXT, b"[]"),
    (TEXT, b'"act"'),
    (TEXT, b"{"),
    (TEXT, b'{"t":"act","t":"ping"}'),
    (TEXT, b'{"t":"act","id":"x","action":"roll",}'),
    (TEXT, b"NaN"),
    (TEXT, b'{"t":"ping","x":1e999}'),
    (TEXT, b'{"t":"ping","x":' + b"9" * 3000 + b"}"),
    (TEXT, DEEP.encode()),
    (TEXT, b'{"t":' * 600 + b"1" + b"}" * 600),
    (TEXT, b"\xff\xfe\xfd"),
    (TEXT, b'{"t":"ping","x":"\xed\xa0\x80"}'),
    (TEXT, b'{"t":"ping","x":"\\ud800"}'),
    (TEXT, b'{"t":"say","id":"s-1","text":"\\u0000\\u202e"}'),
    (TEXT, b"\xef\xbb\xbf{}"),
    (TEXT, b'{"t":"ping"}' + b" " * 4090),
    (TEXT, b"x" * 4097),
    (TEXT, b"x" * 70_000),
    (BINARY, b""),
    (BINARY, b'{"t":"ping"}'),
    (BINARY, bytes(range(256))),
    (TEXT, b"ping"),
    (TEXT, b"<xml/>"),
)
ACTIONS = (
    *("roll", "double", "take", "drop", "pass", "beaver", "8/5 6/5", "24/18 13/11", "bar/20", "6/off(2)", "13/7*"),
    *("dice 31", "dice 66", "start", "stop", "hold", "flag", "name 6", "11-16", "17x28", "huff 32", "compel", "1/2"),
    *("resign 1", "accept", "reject", "offer-draw", "claim-draw", "8/5 8/5 8/5 8/5 8/5", "25/24", "0/0", "-1/off"),
)
ORDERS = ("double drop", "double take", "double take game", "forced on", "forced off", "double beaver", "double", "x")


class Grammar:
    """The valid frames of a socket, each made with what was received on the connection."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.count = 0
        self.used_ids: list[str] = []

    def fresh(self) -> str:
        """Return an id, mostly a new one, sometimes a used one."""
        if self.used_ids and self.dice.random() < 0.15:
            return self.dice.choice(self.used_ids)
        self.count += 1
        self.used_ids = [*self.used_ids[-50:], f"f{self.dice.getrandbits(32):x}-{self.count}"]
        return self.used_ids[-1]

    def element(self) -> str:
        return self.dice.choice(["0" * 64, f"{self.dice.getrandbits(256):064x}", "zz", "", "F" * 64, "0" * 63])

    def act(self, received: Frame) -> Frame:
        may = [name for name in received.get("may", []) if "/" not in name and name not in ("move", "resign match")]
        action = self.dice.choice(may) if may and self.dice.random() < 0.4 else self.dice.choice(ACTIONS)
        tree = (received.get("position") or {}).get("tree")
        if tree and self.dice.random() < 0.4:
            action = self.play(tree)
        version = received.get("version", 0)
        frame = {"t": "act", "id": self.fresh(), "after": version, "action": action}
        if self.dice.random() < 0.3:
            frame["after"] = self.dice.choice([0, version - 1, version + 1, 10**9, 2**31])
        if self.dice.random() < 0.2:
            frame["c"] = self.element()
        return frame

    def play(self, tree: Any) -> str:
        node, text = 0, []
        while node != -1:
            edge = self.dice.choice(tree[node])
            start = {25: "bar", 26: "stock"}.get(edge[0], str(edge[0]))
            text.append(f"{start}/{'off' if edge[1] == 0 else edge[1]}")
            node = edge[4]
        return " ".join(text)

    def dice_frame(self, received: Frame) -> Frame:
        frame = {"t": "dice", "id": self.fresh()}
        for key in ("end", "commit", "nonce", "c"):
            if self.dice.random() < 0.5:
                frame[key] = self.element()
        if self.dice.random() < 0.3:
            frame |= {"order": self.dice.choice([True, False]), "unless_double": True}
        return frame

    def order(self, received: Frame) -> Frame:
        after = received.get("version", 0)
        return {"t": "order", "id": self.fresh(), "after": after, "order": self.dice.choice(ORDERS)}

    def at_table(self, received: Frame) -> Frame:
        kind = self.dice.choice(("act", "act", "act", "dice", "order", "sync", "why", "ping", "lag", "claim"))
        kind = self.dice.choice(("adjourn", "go-on", "bogus")) if self.dice.random() < 0.1 else kind
        if kind in ("act", "order"):
            return self.act(received) if kind == "act" else self.order(received)
        if kind == "dice":
            return self.dice_frame(received)
        more: dict[str, Frame] = {
            "sync": {"after": self.dice.choice([0, 1, received.get("version", 0), 10**6])},
            "why": {"path": self.dice.choice(ACTIONS), "attempt": self.dice.choice(ACTIONS)},
            "lag": {"stamp": received.get("stamp", 1)},
        }
        return {"t": kind, "id": self.fresh(), **more.get(kind, {})}

    def at_wall(self, received: Frame) -> Frame:
        ids = received.get("ids") or ["nothing"]
        kind = self.dice.choice(("ping", "again", "show"))
        return {"t": kind, "ids": ids} if kind != "ping" else {"t": kind}

    def in_chat(self, received: Frame) -> Frame:
        if self.dice.random() < 0.3:
            return {"t": "ping"}
        frame = {
            "t": "say",
            "id": self.fresh(),
            "text": self.dice.choice(["Good roll", BIDI, "<b>x</b>", "a" * 900, " "]),
        }
        if self.dice.random() < 0.3:
            frame |= {"text": "", "phrase": self.dice.choice(["luck", "thanks", "nope", "__class__"])}
        return frame

    def anywhere(self, received: Frame) -> Frame:
        return {"t": self.dice.choice(("ping", "hello", "act", "")), "id": self.fresh()}

    def listening(self, received: Frame) -> Frame:
        kind = self.dice.choice(("ping", "auth", "listen", "listen", "listen"))
        if kind == "auth":
            return {"t": kind, "token": self.fresh()}
        subjects = self.dice.choice([[], ["me"], ["match:nothing"], ["tournament:1"], [BIDI], ["me"] * 500])
        kinds = self.dice.choice([[], ["match.started"], ["x"], [""]])
        return {"t": kind, "id": self.fresh(), "subjects": subjects, "kinds": kinds, "after": self.dice.randrange(100)}


def mutated(dice: random.Random, frame: Frame) -> Sent:
    """Return a frame with something wrong in it, in its values or in its bytes."""
    frame = dict(frame)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        dice.choice(DAMAGES)(dice, frame)
    text = json.dumps(frame, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass")
    if dice.random() < 0.15:
        text = scratched(dice, text)
    return TEXT, text


def replaced(dice: random.Random, frame: Frame) -> None:
    if frame:
        frame[dice.choice(list(frame))] = dice.choice(HOSTILE)


def dropped(dice: random.Random, frame: Frame) -> None:
    if frame:
        del frame[dice.choice(list(frame))]


def added(dice: random.Random, frame: Frame) -> None:
    frame[dice.choice(("match_id", "user_id", "seat", "side", "version", "admin", "c", "", "x" * 200))] = dice.choice(
        HOSTILE
    )


def renamed(dice: random.Random, frame: Frame) -> None:
    frame["t"] = dice.choice(
        ("dispatch", "match_event", "__init__", "say_state", "ACT", "act ", "close", 7, None, ["act"])
    )


def nested(dice: random.Random, frame: Frame) -> None:
    value: Any = dice.choice(HOSTILE)
    for _ in range(dice.choice((1, 5, 60))):
        value = [value] if dice.random() < 0.5 else {"id": value}
    frame[dice.choice(("id", "action", "ids", "order", "after", "text", "c", "path"))] = value


DAMAGES: Sequence[Callable[[random.Random, Frame], None]] = (
    replaced,
    replaced,
    replaced,
    dropped,
    added,
    renamed,
    nested,
)


def scratched(dice: random.Random, text: bytes) -> bytes:
    data = bytearray(text)
    for _ in range(dice.randint(1, 4)):
        if data:
            data[dice.randrange(len(data))] = dice.randrange(256 if dice.random() < 0.02 else 128)
    return bytes(data[: dice.randrange(len(data) + 1)] if dice.random() < 0.2 else data)


def next_message(dice: random.Random, good: Callable[[Frame], Frame], received: Frame) -> Sent:
    """Return the next message of a connection: valid, damaged, or one that no client would ever send."""
    luck = dice.random()
    if luck < 0.02:
        return dice.choice(RAW)
    frame = good(received)
    if luck < 0.55:
        return mutated(dice, frame)
    return TEXT, json.dumps(frame).encode("utf-8", "surrogatepass")
