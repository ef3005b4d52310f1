"""A thin client of the Tablero API: every operation by its id, and the event stream. Standard library only."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

from tablero_client.operations import OPERATIONS

__all__ = ["OPERATIONS", "Client", "Refused"]


class Refused(Exception):
    """The site refused: `code` is stable, `text` is a sentence, `fields` says what is wrong with each field."""

    def __init__(self, status: int, answer: dict[str, Any], retry_after: float | None = None) -> None:
        self.status, self.retry_after = status, retry_after
        self.code, self.text = str(answer.get("code", "")), str(answer.get("text", ""))
        self.fields: dict[str, list[str]] = answer.get("fields", {})
        super().__init__(f"{status} {self.code}: {self.text}")


class Client:
    """A site and a token. Each call is one request; threads may share a client."""

    def __init__(self, site: str, token: str = "", *, timeout: float = 30.0) -> None:
        self.site, self.token, self.timeout = site.rstrip("/"), token, timeout

    def call(self, operation: str, **parameters: Any) -> Any:
        """Call an operation and return its answer (None for an empty one). Raises KeyError, Refused, OSError."""
        method, path = OPERATIONS[operation]
        for name in re.findall(r"{(\w+)}", path):
            path = path.replace(f"{{{name}}}", urllib.parse.quote(str(parameters.pop(name)), safe=""))
        body = None
        if method in ("GET", "DELETE"):
            path += f"?{urllib.parse.urlencode(parameters)}" if parameters else ""
        else:
            body = json.dumps(parameters).encode()
        with self._open(method, path, body) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def events(
        self, *, kinds: Sequence[str] = (), subjects: Sequence[str] = (), after: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield events for ever, from `after` on or from now; comes back after a break. Raises Refused."""
        while True:
            query = {"kinds": ",".join(kinds), "subjects": ",".join(subjects), "after": "" if after is None else after}
            asked = urllib.parse.urlencode({name: value for name, value in query.items() if value != ""})
            try:
                with self._open("GET", f"/api/v1/events/stream/?{asked}", accept="application/x-ndjson") as lines:
                    for line in filter(None, map(bytes.strip, lines)):
                        event = json.loads(line)
                        after = event.get("after", event.get("number", after))
                        if "number" in event:
                            yield event
            except OSError:
                pass  # the site restarts, or the network is away
            time.sleep(2)

    def _open(self, method: str, path: str, body: bytes | None = None, *, accept: str = "application/json") -> Any:
        headers = {"Accept": accept, "User-Agent": "tablero-client"}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        request = urllib.request.Request(f"{self.site}{path}", body, headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=self.timeout)
        except urllib.error.HTTPError as error:
            try:
                answer = json.load(error)
            except ValueError:
                answer = {}
            wait = error.headers.get("Retry-After", "")
            raise Refused(error.code, answer, float(wait) if wait.isdecimal() else None) from None
