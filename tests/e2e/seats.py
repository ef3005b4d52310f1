"""People who get to a table in one step, and play over HTTP whatever a test is not about. The dice are real."""

from __future__ import annotations

import itertools
import json
import re
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

Half = Sequence[int]  # [from, to, die, hit, next], in the mover's numbering
Play = list[Half]
Choose = Callable[["Player", dict[str, Any], list[Play]], Play]

BAR, OFF = 25, 0


class Player:
    """One profile of a browser: its page, and requests that carry the same session."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.match_id = ""
        self._headers: dict[str, str] = {}
        self._site = ""
        self._ids = (f"{secrets.token_hex(8)}-{n}" for n in itertools.count(1))

    # Over HTTP

    def token(self) -> str:
        return next(str(each["value"]) for each in self.page.context.cookies() if each["name"] == "csrftoken")

    def post(self, path: str, **form: str) -> str:
        """Send a form of the site and return the address where it leads."""
        answer = self.page.context.request.post(path, form={**form, "csrfmiddlewaretoken": self.token()})
        assert answer.ok, (path, answer.status)
        self._headers = {}
        return str(answer.url)

    def _ask(self, path: str, frame: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask the API with the browser's session but past its driver, which takes a tenth of a second a request."""
        if not self._headers:
            cookies = self.page.context.cookies()
            self._headers = {
                "Cookie": "; ".join(f"{each['name']}={each['value']}" for each in cookies),
                "X-CSRFToken": self.token(),
                "Content-Type": "application/json",
            }
            self._site = urlsplit(self.page.url)._replace(path="", query="", fragment="").geturl()
        body = None if frame is None else json.dumps(frame).encode()
        request = urllib.request.Request(self._site + path, data=body, headers=self._headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            raise AssertionError((path, frame, error.code, error.read().decode())) from error

    def state(self) -> dict[str, Any]:
        """The match as this player may see it."""
        return self._ask(f"/api/v1/matches/{self.match_id}/")

    def played(self, side: str) -> list[str]:
        """The plays of a side so far, in notation."""
        record: list[dict[str, Any]] = []
        while page := self._after(record[-1]["n"] if record else 0):
            record += page
        return [each["text"] for each in record if each["seat"] == side and "/" in each["text"]]

    def _after(self, number: int) -> list[dict[str, Any]]:
        """The next page of the record."""
        return list(self._ask(f"/api/v1/matches/{self.match_id}/sync/?after={number}")["actions"])

    def act(self, action: str) -> None:
        self._ask(f"/api/v1/matches/{self.match_id}/act/", {"id": next(self._ids), "action": action})

    # By the page

    def sit(self) -> Any:
        """Open the table and wait until the board stands."""
        self.page.goto(f"/match/{self.match_id}/")
        self.page.locator(".bd-grid button").first.wait_for(state="attached")
        return self.page

    def prefer(self, **wishes: bool | str) -> None:
        """Change the settings, in the settings page."""
        self.page.goto("/settings/")
        for name, wish in wishes.items():
            if isinstance(wish, bool):
                self.page.locator(f"#id_{name}").set_checked(wish, force=True)
            else:
                self.page.locator(f"input[name={name}][value={wish}]").check(force=True)
        self.page.locator("[data-settings] button[type=submit]").click()
        self.page.wait_for_load_state()


def guest(page: Any) -> Player:
    """A visitor who plays at once. The page is already on the site."""
    player = Player(page)
    player.post("/guest/")
    return player


def against_the_computer(page: Any) -> Player:
    """A guest at the computer's table."""
    player = Player(page)
    player.match_id = _id_in(player.post("/guest/", go="bot"))
    return player


def two_at_a_table(one: Any, other: Any, *, length: int = 3, variant: str = "backgammon", **terms: str) -> list[Player]:
    """Two guests who sit at one table: the first has White."""
    ana, bea = guest(one), Player(other)
    offer = {"rival": "anyone", "variant": variant, "length": str(length), "clock": "none", "cube": "on", **terms}
    ana.post("/play/seek/", **{name: value for name, value in offer.items() if value})
    mine = ana.page.context.request.get("/lobby/lists/").text()
    found = re.search(r"/match/(\w+)/cancel/", mine)
    assert found, mine
    ana.match_id = bea.match_id = _id_in(bea.post("/guest/", join=found[1]))
    return [ana, bea]


def _id_in(address: str) -> str:
    found = re.search(r"/match/(\w+)/$", address)
    assert found, address
    return found[1]


def plays(tree: Sequence[Sequence[Half]]) -> list[Play]:
    """All whole plays that a tree of half-moves holds."""

    def below(node: int) -> Iterator[Play]:
        if node < 0:
            yield []
            return
        for half in tree[node]:
            for rest in below(half[4]):
                yield [half, *rest]

    return list(below(0))


def text_of(play: Play) -> str:
    """The play in notation: `8/5 6/5*`."""
    name = {BAR: "bar", OFF: "off"}
    return " ".join(f"{name.get(half[0], half[0])}/{name.get(half[1], half[1])}" for half in play)


def result_of(play: Play) -> tuple[tuple[int, int], ...]:
    """What a play changes, whatever the order of its half-moves."""
    change: dict[int, int] = {}
    for start, end, *_ in play:
        change[start] = change.get(start, 0) - 1
        change[end] = change.get(end, 0) + 1
    return tuple(sorted((place, count) for place, count in change.items() if count))


def first(player: Player, state: dict[str, Any], whole: list[Play]) -> Play:
    return whole[0]


def waiting_for(players: Sequence[Player], what: str, *, seconds: float = 10) -> tuple[Player, dict[str, Any]]:
    """Do nothing until one of them may do this: he and what he sees."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for player in players:
            state = player.state()
            if what in state["may"]:
                return player, state
        players[0].page.wait_for_timeout(50)
    raise AssertionError(f"nobody may {what}: {state}")


def play_on(
    players: Sequence[Player],
    *,
    until: Callable[[Player, dict[str, Any]], bool],
    choose: Choose = first,
    steps: int = 600,
) -> tuple[Player, dict[str, Any]]:
    """Play without the cube, over HTTP, until somebody is where the test wants him: he and what he sees."""
    for _ in range(steps):
        for player in players:
            state = player.state()
            if until(player, state):
                return player, state
            if "move" in state["may"]:
                player.act(text_of(choose(player, state, plays(state["position"]["tree"]))))
            elif "roll" in state["may"]:
                player.act("roll")
    raise AssertionError(f"it did not come to that in {steps} steps: {players[0].state()}")
