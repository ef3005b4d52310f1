"""The frames that clients send, parsed once into typed values (docs/protocol.md).

`decode` reads the JSON of a frame, `parse_match_frame` and `parse_boards_frame` check its fields. Whatever is wrong
raises `Refused` with the code that goes back over the wire. The HTTP API for the same acts shares the parsers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

from games.engine import Json
from games.errors import Refused
from games.orders import ORDER_TEXTS

MAX_FRAME_BYTES = 4096  # that a client may send at once
MAX_ACTION_LENGTH = 100
MAX_ECHOED_ID = 40
CLIENT_ID = re.compile(r"[A-Za-z0-9-]{1,40}")
ELEMENT = re.compile(r"[0-9a-f]{64}")
_MATCH_ID = re.compile(r"[A-Za-z0-9]{1,16}")
_Frame = TypeVar("_Frame")


# At a match


@dataclass(frozen=True, slots=True)
class Act:
    """An action of a player: `after` is the version they saw, `element` their dice element for a roll."""

    id: str
    action: str
    after: int | None
    element: str


@dataclass(frozen=True, slots=True)
class Claim:
    """Win the match because the opponent is away."""

    id: str


@dataclass(frozen=True, slots=True)
class Adjourn:
    """Adjourn the match because the opponent is away."""

    id: str


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on with an adjourned match."""

    id: str | None


@dataclass(frozen=True, slots=True)
class DiceCommit:
    """The end of a seat's chain, and the commitment to its nonce."""

    id: str
    end: str
    commit: str


@dataclass(frozen=True, slots=True)
class DiceReveal:
    """The nonce of a seat, and its element for the first roll."""

    id: str
    nonce: str
    element: str


@dataclass(frozen=True, slots=True)
class DiceDeposit:
    """The element of a seat for the next opening roll."""

    id: str
    element: str


@dataclass(frozen=True, slots=True)
class DiceOrder:
    """Roll for a seat by correspondence (`on`), or no more, with an element for one roll, or an empty text."""

    id: str
    on: bool
    element: str
    unless_double: bool


DiceFrame = DiceCommit | DiceReveal | DiceDeposit | DiceOrder


@dataclass(frozen=True, slots=True)
class Order:
    """An order by correspondence (games.orders)."""

    id: str
    order: str
    after: int | None


@dataclass(frozen=True, slots=True)
class Sync:
    """Ask for the actions after a version."""

    after: int


@dataclass(frozen=True, slots=True)
class Why:
    """Ask why a half-move is illegal."""

    id: str | None
    path: str
    attempt: str


@dataclass(frozen=True, slots=True)
class Ping:
    """A heartbeat."""


@dataclass(frozen=True, slots=True)
class Lag:
    """The stamp of the last `pong`, sent back to measure one round trip."""

    stamp: object


AcknowledgedFrame = Act | Claim | Adjourn | GoOn | DiceFrame | Order
MatchFrame = AcknowledgedFrame | Sync | Why | Ping | Lag


# At a screen of live boards


@dataclass(frozen=True, slots=True)
class Refresh:
    """Ask for these boards as they are now."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Show these boards; without any the server chooses."""

    ids: tuple[str, ...]


BoardsFrame = Ping | Refresh | Show


# Parsers


def decode(text: str | None) -> Json:
    """The JSON object of a frame. Raises Refused: bad_frame, too_large."""
    if text is None:
        raise Refused("bad_frame")
    if len(text) > MAX_FRAME_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_FRAME_BYTES:
        raise Refused("too_large")
    try:
        frame = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError, RecursionError) as error:
        raise Refused("bad_frame") from error
    if not isinstance(frame, dict):
        raise Refused("bad_frame")
    return frame


def id_of(frame: Json) -> str | None:
    """The id to echo, cut to a length that cannot be abused."""
    value = frame.get("id")
    return value[:MAX_ECHOED_ID] if isinstance(value, str) else None


def parse_match_frame(frame: Json) -> MatchFrame:
    """The typed value of a frame at a match.

    Raises Refused: unknown_command, bad_version, bad_action, bad_id, element, bad_order, bad_frame.
    """
    return _parser_of(frame, _MATCH_PARSERS)(frame)


def parse_boards_frame(frame: Json) -> BoardsFrame:
    """The typed value of a frame at a screen of live boards. Raises Refused: unknown_command, bad_frame."""
    return _parser_of(frame, _BOARDS_PARSERS)(frame)


def _parser_of(frame: Json, parsers: Mapping[str, Callable[[Json], _Frame]]) -> Callable[[Json], _Frame]:
    parser = parsers.get(frame["t"]) if isinstance(frame.get("t"), str) else None
    if parser is None:
        raise Refused("unknown_command")
    return parser


def parse_dice(frame: Mapping[str, Any]) -> DiceFrame:
    """What a seat gives for the dice: `order`, or `end` and `commit`, or `nonce` and `c`, or `c` alone.

    Raises Refused: bad_id, bad_frame, element.
    """
    client_id, element = check_client_id(frame.get("id")), frame.get("c", "")
    if "order" in frame:
        on, unless_double = frame["order"], frame.get("unless_double", False)
        if not isinstance(on, bool) or not isinstance(unless_double, bool):
            raise Refused("bad_frame")
        return DiceOrder(client_id, on, "" if element == "" else check_element(element), unless_double)
    if "end" in frame:
        return DiceCommit(client_id, check_element(frame["end"]), check_element(frame.get("commit", "")))
    if "nonce" in frame:
        return DiceReveal(client_id, check_element(frame["nonce"]), check_element(element))
    return DiceDeposit(client_id, check_element(element))


def check_action(action: object) -> str:
    """The text of an action. Raises Refused("bad_action")."""
    if not isinstance(action, str) or not action.strip():
        raise Refused("bad_action")
    if len(action) > MAX_ACTION_LENGTH or not action.isprintable():
        raise Refused("bad_action")
    return action


def check_client_id(client_id: object) -> str:
    """An id that can be stored. Raises Refused("bad_id")."""
    if not isinstance(client_id, str) or not CLIENT_ID.fullmatch(client_id):
        raise Refused("bad_id")
    return client_id


def check_element(element: object) -> str:
    """An element, a nonce or a commitment: 64 hexadecimal digits. Raises Refused("element", ruling V)."""
    if not isinstance(element, str) or not ELEMENT.fullmatch(element):
        raise Refused("element", ruling="V")
    return element


def check_act(*, action: object, client_id: object, element: object) -> tuple[str, str, str]:
    """The three texts of an act, whose element may be empty. Raises Refused: bad_action, bad_id, element."""
    checked = check_action(action), check_client_id(client_id)
    if not isinstance(element, str) or (element and not ELEMENT.fullmatch(element)):
        raise Refused("element")
    return *checked, element


def check_order(*, client_id: object, order: object) -> tuple[str, str]:
    """The id and the text of an order. Raises Refused: bad_id, bad_order."""
    checked = check_client_id(client_id)
    if not isinstance(order, str) or order not in ORDER_TEXTS:
        raise Refused("bad_order")
    return checked, order


def _act(frame: Json) -> Act:
    after = _version(frame)
    action, client_id, element = check_act(
        action=frame.get("action", ""), client_id=frame.get("id", ""), element=frame.get("c", "")
    )
    return Act(client_id, action, after, element)


def _order(frame: Json) -> Order:
    after = _version(frame)
    client_id, order = check_order(client_id=frame.get("id", ""), order=frame.get("order"))
    return Order(client_id, order, after)


def _sync(frame: Json) -> Sync:
    after = frame.get("after", 0)
    if not isinstance(after, int) or isinstance(after, bool) or after < 0:
        raise Refused("bad_version")
    return Sync(after)


def _why(frame: Json) -> Why:
    path, attempt = frame.get("path", ""), frame.get("attempt", "")
    if not isinstance(path, str) or not isinstance(attempt, str):
        raise Refused("bad_frame")
    return Why(id_of(frame), path, attempt)


def _version(frame: Json) -> int | None:
    """The version that a client saw, if it says so. Raises Refused("bad_version")."""
    after = frame.get("after")
    if after is not None and (not isinstance(after, int) or isinstance(after, bool)):
        raise Refused("bad_version")
    return after


def _match_ids(ids: object) -> tuple[str, ...]:
    if not isinstance(ids, list):
        raise Refused("bad_frame")
    return possible_match_ids(ids)


def possible_match_ids(ids: Iterable[object]) -> tuple[str, ...]:
    """Those of these that can be the ids of matches, each once."""
    return tuple(dict.fromkeys(each for each in ids if isinstance(each, str) and _MATCH_ID.fullmatch(each)))


_MATCH_PARSERS: dict[str, Callable[[Json], MatchFrame]] = {
    "act": _act,
    "claim": lambda frame: Claim(check_client_id(frame.get("id", ""))),
    "adjourn": lambda frame: Adjourn(check_client_id(frame.get("id", ""))),
    "go-on": lambda frame: GoOn(id_of(frame)),
    "dice": parse_dice,
    "order": _order,
    "sync": _sync,
    "why": _why,
    "ping": lambda frame: Ping(),
    "lag": lambda frame: Lag(frame.get("stamp")),
}

_BOARDS_PARSERS: dict[str, Callable[[Json], BoardsFrame]] = {
    "ping": lambda frame: Ping(),
    "again": lambda frame: Refresh(_match_ids(frame.get("ids"))),
    "show": lambda frame: Show(_match_ids(frame.get("ids", []))),
}
