"""Tournaments for browser tests: members without a sign-up, and players who report results by forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.load.forms import Form, forms_of
from tests.load.people import MEMBERS
from tests.load.visitor import Visitor
from tests.services.site import Site


def members(site: Site, *names: str) -> dict[str, str]:
    """New members of the site, each with the key of a session."""
    found: dict[str, str] = site.ask(MEMBERS.format(names=list(names)))
    return found


def come_in(page: Any, session: str) -> None:
    """Let a browser's profile be somebody who has logged in."""
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": page.url}])


def visitor(site: Site, session: str) -> Visitor:
    """The same without a browser."""
    one = Visitor(site.url)
    one.known_by(session)
    return one


class Clerk:
    """A player without a browser: he enters, checks in, reports and confirms by the forms of the tournament's page.

    Of two players the one whose name stands first in `strongest` wins, 1-0.
    """

    def __init__(self, site: Site, name: str, session: str, path: str, strongest: Sequence[str]) -> None:
        self.name, self.path, self.strongest = name, path, strongest
        self.visitor = visitor(site, session)

    def page(self) -> str:
        return self.visitor.get(self.path)[1]

    def send(self, action: str, **more: str) -> bool:
        """Send the form with this address, if the page has it."""
        for form in forms_of(self.page(), action):
            self.visitor.send(form, self.path, **more)
            return True
        return False

    def step(self, *, leave_to: Sequence[str] = ()) -> bool:
        """Confirm what the rival told, or tell how it ended; what `leave_to` have to tell is theirs. Whether he did."""
        page = self.page()
        for form in forms_of(page, "/confirm/"):
            self.visitor.send(form, self.path)
            return True
        if "You reported" in page:
            return False
        for form in forms_of(page, "/report/"):
            if rival_in(page, self.name) in leave_to:
                return False
            self.visitor.send(form, self.path, winner=winner_in(page, form, self.strongest), lost="0")
            return True
        return False


def sides_in(page: str) -> dict[str, str]:
    """The two of the form that asks who won, and the value of each."""
    chips = re.findall(r'name="winner" value="(\d+)" required><span><bdi>([^<]+)</bdi>', page)
    return {name: value for value, name in chips[:2]}


def rival_in(page: str, name: str) -> str:
    return next(one for one in sides_in(page) if one != name)


def winner_in(page: str, form: Form, strongest: Sequence[str]) -> str:
    """The value of the stronger of the two."""
    sides = sides_in(page)
    assert set(form.choices["winner"]) == set(sides.values())
    return sides[min(sides, key=strongest.index)]


def make_by_form(dora: Visitor, blueprint: str, **wishes: str) -> str:
    """A tournament from a blueprint, with these fields changed; the path of its page."""
    path = f"/tournaments/new/?from={blueprint}"
    form = next(one for one in forms_of(dora.get(path)[1]) if "lengths" in one.fields)
    form.fields.pop("check_in", None)
    url, page = dora.send(form, path, **wishes)
    found = re.search(r"(/tournaments/\w+/)desk/$", url)
    assert found, re.findall(r'class="errors.*?</ul>', page, re.DOTALL)
    return found[1]
