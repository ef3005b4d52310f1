"""What both clients send and receive: requests, refusals, and the lines of an event stream."""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Sequence
from typing import Any

from tablero_client.operations import OPERATIONS

JSON, JSON_LINES = "application/json", "application/x-ndjson"
BREAK = 2.0  # seconds until an event stream is opened again


class Refused(Exception):
    """The site refused: `code` is stable, `text` is a sentence, `fields` says what is wrong with each field."""

    def __init__(self, status: int, answer: dict[str, Any], retry_after: float | None = None) -> None:
        self.status, self.retry_after = status, retry_after
        self.code, self.text = str(answer.get("code", "")), str(answer.get("text", ""))
        self.fields: dict[str, list[str]] = answer.get("fields", {})
        super().__init__(f"{status} {self.code}: {self.text}")


def build_request(operation: str, parameters: dict[str, Any]) -> tuple[str, str, bytes | None]:
    """Return the method, path and body of a call. Raises KeyError (no such operation, no such part of the path)."""
    method, path = OPERATIONS[operation]
    rest = dict(parameters)
    for name in re.findall(r"{(\w+)}", path):
        path = path.replace(f"{{{name}}}", urllib.parse.quote(str(rest.pop(name)), safe=""))
    if method in ("GET", "DELETE"):
        return method, path + (f"?{urllib.parse.urlencode(rest)}" if rest else ""), None
    return method, path, json.dumps(rest).encode()


def build_headers(token: str, body: bytes | None, accept: str) -> dict[str, str]:
    """Return the headers of a request."""
    headers = {"Accept": accept, "Accept-Encoding": "identity", "User-Agent": "tablero-client"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    headers |= {"Content-Type": JSON} if body is not None else {}
    return headers


def build_refusal(status: int, body: bytes, retry_after: str) -> Refused:
    """Return the refusal that an answer is; a proxy's answer has no code."""
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    wait = float(retry_after) if retry_after.isdecimal() else None
    return Refused(status, answer if isinstance(answer, dict) else {}, wait)


class EventCursor:
    """What an event stream asks for, and where it continues after a break."""

    def __init__(self, kinds: Sequence[str], subjects: Sequence[str], after: int | None) -> None:
        self.kinds, self.subjects, self.after = ",".join(kinds), ",".join(subjects), after

    @property
    def path(self) -> str:
        """The address to continue from."""
        query = {"kinds": self.kinds, "subjects": self.subjects, "after": "" if self.after is None else self.after}
        return "/api/v1/events/stream/?" + urllib.parse.urlencode(
            {name: query[name] for name in query if query[name] != ""}
        )

    def read(self, line: bytes) -> dict[str, Any] | None:
        """Return the event of a line, if it has one. A line that a break has cut is not read: it comes again."""
        if not line.endswith(b"\n") or not line.strip():
            return None
        event: dict[str, Any] = json.loads(line)
        self.after = event.get("after", event.get("number", self.after))
        return event if "number" in event else None


def pause_after(refused: Refused) -> float:
    """Return the seconds until a refused stream is opened again. Raises the refusal if waiting does not help."""
    if refused.status == 429 or refused.status >= 500:
        return max(BREAK, refused.retry_after or 0.0)
    raise refused
