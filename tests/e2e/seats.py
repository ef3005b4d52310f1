"""Players who join a match in one step, and play over HTTP what a test is not about. The dice are real."""

from __future__ import annotations

import http.client
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
SEES = "version => Number(document.querySelector('.match').dataset.version) >= version"
PATIENCE = 60  # seconds for what is immediate on an idle machine; a busy one is ten times slower
LONG = 200  # seconds for a whole match


class Player:
    """A browser context: its page, and HTTP requests with the same session."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.match_id = ""
        self._headers: dict[str, str] = {}
        self._site = ""
        self._ids = (f"{secrets.token_hex(8)}-{n}" for n in itertools.count(1))

    # Over HTTP

    def token(self) -> str:
        """The CSRF token of the browser; one that has opened no page of the site yet gets a new one."""
        found = next(
            (str(cookie["value"]) for cookie in self.page.context.cookies() if cookie["name"] == "csrftoken"), ""
        )
        if not found:
            found = secrets.token_hex(16)
            self.page.context.add_cookies([{"name": "csrftoken", "value": found, "url": origin_of(self.page)}])
        return found

    def post(self, path: str, **form: str) -> str:
        """Send a form of the site and return the URL of the response."""
        whole = {**form, "csrfmiddlewaretoken": self.token()}
        answer = self.page.context.request.post(path, form=whole, timeout=1000 * PATIENCE)
        assert answer.ok, (path, answer.status)
        self._headers = {}
        return str(answer.url)

    def _ask(self, path: str, frame: dict[str, Any] | None = None) -> dict[str, Any]:
        status, answer = self._answer(path, frame)
        assert status == http.client.OK, (path, frame, status, answer)
        return answer

    def _answer(self, path: str, frame: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        """The API's response to the browser's session, without the browser driver, which takes 0.1 s per request.

        Returns (status, JSON); a status other than 200 means that the action was stale.
        """
        if not self._headers:
            cookies = self.page.context.cookies()
            self._headers = {
                "Cookie": "; ".join(f"{each['name']}={each['value']}" for each in cookies),
                "X-CSRFToken": self.token(),
                "Content-Type": "application/json",
            }
            self._site = origin_of(self.page)
        body = None if frame is None else json.dumps(frame).encode()
        request = urllib.request.Request(self._site + path, data=body, headers=self._headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                return answer.status, dict(json.load(answer))
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.code == http.client.CONFLICT:
                return error.code, dict(json.loads(text))
            raise AssertionError((path, frame, error.code, text)) from error

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

    def act_after(self, state: dict[str, Any], action: str) -> bool:
        """Act in this state. False if the match has moved on: a page may have sent an action before it was closed."""
        frame = {"id": next(self._ids), "after": state["version"], "action": action}
        return self._answer(f"/api/v1/matches/{self.match_id}/act/", frame)[0] == http.client.OK

    def reaches(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the server has a state for which this holds: a page shows some choices before the answer."""
        end = time.monotonic() + PATIENCE
        while not holds(state := self.state()):
            assert time.monotonic() < end, state
            self.page.wait_for_timeout(100)
        return state

    # By the page

    def sit(self) -> Any:
        """Open the match page and wait for the board."""
        self.page.goto(f"/match/{self.match_id}/")
        self.page.locator(".bd-grid button").first.wait_for(state="attached")
        return self.page

    def sees(self, state: dict[str, Any]) -> None:
        """Wait until the page shows this state or a later one: the server has it earlier."""
        self.page.wait_for_function(SEES, arg=state["version"])

    def prefer(self, **preferences: bool | str) -> None:
        """Change preferences on the settings page."""
        prefer(self.page, **preferences)


def prefer(page: Any, **preferences: bool | str) -> None:
    """Change the preferences of whoever uses this page."""
    page.goto("/settings/")
    for name, value in preferences.items():
        if isinstance(value, bool):
            page.locator(f"#id_{name}").set_checked(value, force=True)
        else:
            page.locator(f"input[name={name}][value={value}]").check(force=True)
    with page.expect_navigation():
        page.locator("[data-settings] button[type=submit]").click()


def origin_of(page: Any) -> str:
    """The URL of the page's site, which it may not have opened yet."""
    url = page.url if page.url.startswith("http") else page.context.request.get("/health/live").url
    return urlsplit(url)._replace(path="", query="", fragment="").geturl()


def guest(page: Any) -> Player:
    """A visitor who plays at once."""
    player = Player(page)
    player.post("/guest/")
    return player


def against_the_computer(page: Any) -> Player:
    """A guest in a match against the computer."""
    player = Player(page)
    player.match_id = _id_in(player.post("/guest/", go="bot"))
    return player


def two_in_a_match(
    first: Any, second: Any, *, length: int = 3, variant: str = "backgammon", **terms: str
) -> list[Player]:
    """Two guests in one match: the first has White."""
    ana, bea = guest(first), Player(second)
    play_together(ana, bea, length=length, variant=variant, **terms)
    return [ana, bea]


def play_together(ana: Player, bea: Player, *, length: int = 3, variant: str = "backgammon", **terms: str) -> None:
    """ana posts a game and bea joins it. If bea is not signed in, she becomes a guest."""
    offer = {"opponent": "anyone", "variant": variant, "length": str(length), "clock": "none", "cube": "on", **terms}
    ana.post("/play/seek/", **{name: value for name, value in offer.items() if value})
    lists = ana.page.context.request.get("/lobby/lists/").text()
    found = re.search(r"/match/(\w+)/cancel/", lists)
    assert found, lists
    ana.match_id = bea.match_id = _id_in(bea.post("/guest/", join=found[1]))


def _id_in(address: str) -> str:
    found = re.search(r"/match/(\w+)/$", address)
    assert found, address
    return found[1]


def plays(tree: Sequence[Sequence[Half]]) -> list[Play]:
    """All complete plays in a tree of half-moves."""

    def below(node: int) -> Iterator[Play]:
        if node < 0:
            yield []
            return
        for half in tree[node]:
            for rest in below(half[4]):
                yield [half, *rest]

    return list(below(0))


def play_without_a_hit(tree: Sequence[Sequence[Half]]) -> Play:
    """A play that hits nobody, as there is at the first turns: whoever is on the bar may have to pass."""
    return next(play for play in plays(tree) if not any(hit for *_, hit, _ in play))


def text_of(play: Play) -> str:
    """The play in notation: `8/5 6/5*`."""
    name = {BAR: "bar", OFF: "off"}
    return " ".join(f"{name.get(half[0], half[0])}/{name.get(half[1], half[1])}" for half in play)


def result_of(play: Play) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """What a play changes, whatever the order of its half-moves: (own checkers, where it hits)."""
    change: dict[int, int] = {}
    for start, end, *_ in play:
        change[start] = change.get(start, 0) - 1
        change[end] = change.get(end, 0) + 1
    moved = tuple(sorted((place, count) for place, count in change.items() if count))
    return moved, tuple(sorted(half[1] for half in play if half[3]))


def first(player: Player, state: dict[str, Any], whole: list[Play]) -> Play:
    return whole[0]


def waiting_for(players: Sequence[Player], act: str, *, seconds: float = PATIENCE) -> tuple[Player, dict[str, Any]]:
    """Wait until one of the players may do this, and return that player and their state."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for player in players:
            state = player.state()
            if act in state["may"]:
                return player, state
        players[0].page.wait_for_timeout(100)
    raise AssertionError(f"nobody may {act}: {state}")


def play_on(
    players: Sequence[Player],
    *,
    until: Callable[[Player, dict[str, Any]], bool],
    choose: Choose = first,
) -> tuple[Player, dict[str, Any]]:
    """Play without the cube, over HTTP, until the condition holds for a player; return them and their state."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        acted = False
        for player in players:
            state = player.state()
            if until(player, state):
                return player, state
            if "move" in state["may"]:
                acted |= player.act_after(state, text_of(choose(player, state, plays(state["position"]["tree"]))))
            elif "roll" in state["may"]:
                acted |= player.act_after(state, "roll")
        if not acted:  # the computer is thinking, or an open page has acted
            time.sleep(0.1)
    raise AssertionError(f"it did not come to that in {LONG} seconds: {players[0].state()}")
