"""Tournaments for browser tests: members without a sign-up, and players who report results by forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.e2e.seats import origin_of
from tools.load.html_forms import Form, forms_of
from tools.load.http_visitor import Visitor
from tools.load.sessions import MEMBERS
from tools.services.site import Site


def members(site: Site, *names: str) -> dict[str, str]:
    """Create members and return the session key of each."""
    found: dict[str, str] = site.ask(MEMBERS.format(names=list(names)))
    return found


def sign_in(page: Any, session: str) -> None:
    """Sign a browser context in with a session key."""
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": origin_of(page)}])


def unfold_settings(page: Any) -> None:
    """Show all settings of the form of a tournament, and require check-in."""
    for summary in page.locator(".form-more > summary").all():
        summary.click()
    page.locator("label", has=page.locator("input[name=check_in]")).click()


def act(page: Any, button: Any) -> None:
    """Press a button of the desk, and wait until the desk has changed, or asks first on a page of its own."""
    button.click()
    page.locator("#tournament-live:not([aria-busy]), .desk-resets").first.wait_for()


def visitor(site: Site, session: str) -> Visitor:
    """A signed-in HTTP client without a browser."""
    dora = Visitor(site.url)
    dora.use_session(session)
    return dora


class FormPlayer:
    """A player without a browser who registers, checks in, reports and confirms with the forms of the tournament page.

    Of two players the one who is first in `strongest` wins, 1-0.
    """

    def __init__(self, site: Site, name: str, session: str, path: str, strongest: Sequence[str]) -> None:
        self.name, self.path, self.strongest = name, path, strongest
        self.visitor = visitor(site, session)

    def page(self) -> str:
        return self.visitor.get(self.path)[1]

    def send(self, action: str, **more: str) -> bool:
        """Send the form with this action URL, if the page has it."""
        for form in forms_of(self.page(), action):
            self.visitor.send(form, self.path, **more)
            return True
        return False

    def step(self, *, leave_to: Sequence[str] = ()) -> bool:
        """Confirm the opponent's report, or report unless the opponent is in `leave_to`; whether it acted."""
        page = self.page()
        for form in forms_of(page, "/confirm/"):
            self.visitor.send(form, self.path)
            return True
        if "You reported" in page:
            return False
        for form in forms_of(page, "/report/"):
            if opponent_in(page, self.name) in leave_to:
                return False
            self.visitor.send(form, self.path, winner=winner_in(page, form, self.strongest), lost="0")
            return True
        return False


def sides_in(page: str) -> dict[str, str]:
    """The two players of the result form, and the value of each."""
    chips = re.findall(r'name="winner" value="(\d+)" required><span><bdi>([^<]+)</bdi>', page)
    return {name: value for value, name in chips[:2]}


def opponent_in(page: str, name: str) -> str:
    return next(side for side in sides_in(page) if side != name)


def winner_in(page: str, form: Form, strongest: Sequence[str]) -> str:
    """The value of the stronger of the two."""
    sides = sides_in(page)
    assert set(form.choices["winner"]) == set(sides.values())
    return sides[min(sides, key=strongest.index)]


def create_by_form(dora: Visitor, preset: str, **changes: str) -> str:
    """Create a tournament from a preset with these fields changed, and return the path of its page."""
    path = f"/tournaments/new/?from={preset}"
    form = next(form for form in forms_of(dora.get(path)[1]) if "lengths" in form.fields)
    form.fields.pop("check_in", None)
    url, page = dora.send(form, path, **changes)
    found = re.search(r"(/tournaments/\w+/)desk/$", url)
    assert found, re.findall(r'class="errors.*?</ul>', page, re.DOTALL)
    return found[1]
