"""Match chat in real browsers: two languages, the spectators' room, a mute, a report and its moderation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.director import members, sign_in
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

CREATE_MATCH = """
from accounts.models import Club, Membership, User
from games import services
who = {{name: User.objects.get(username=name) for name in {names!r}}}
ana, bea, carlos, dora = who.values()
Membership.objects.create(club=Club.objects.get(is_default=True), user=dora, role="owner")
seek = services.match_create(creator=ana, variant="backgammon", length=1, clock="none", rated=False)
answer = services.match_join(match_id=seek.pk, user=bea).pk
"""
RESIGN = """
from accounts.models import User
from games import services
bea = User.objects.get(username={bea!r})
services.match_act(match_id={match!r}, user_id=bea.pk, action="resign match", client_id="the-end")
answer = None
"""


def open_chat(page: Any, match: str) -> Any:
    """The match page with its chat open."""
    page.goto(f"/match/{match}/")
    page.locator(".match.ready").wait_for()
    page.locator(".chat-box > summary").click()
    return page


def write(page: Any, text: str) -> None:
    page.locator("#chat-text").fill(text)
    page.keyboard.press("Enter")
    line(page, text).wait_for()


def line(page: Any, text: str) -> Any:
    """The chat line with this text."""
    return page.locator(".chat-line", has_text=text)


@pytest.mark.timeout(600)
def test_users_chat_watch_mute_report_and_are_moderated(site: Site, open_page: Callable[..., Any]) -> None:
    names = [site.name(name) for name in ("ana", "bea", "carlos", "dora")]
    sessions = members(site, *names)
    match = site.ask(CREATE_MATCH.format(names=names))

    def browser(name: str, **more: Any) -> Any:
        page = open_page(reduced_motion="reduce", **more)
        sign_in(page, sessions[name])
        return page

    ana_name, bea_name, carlos_name, dora_name = names
    ana = open_chat(browser(ana_name), match)
    bea = open_chat(browser(bea_name, locale="es-ES", viewport=(360, 740)), match)
    carlos = open_chat(browser(carlos_name), match)

    # In two languages; the rooms are separate.
    write(ana, "Hello bea, see https://example.org")
    line(bea, "Hello bea").wait_for()
    assert bea.locator(".chat-line a[href^='https://example.org']").count() == 0  # a link is text
    bea.locator(".chat-phrases button[value=luck]").click()
    line(ana, "Good luck!").wait_for()
    assert bea.locator(".chat-line.mine .chat-text").inner_text() == bea.locator("button[value=luck]").inner_text()
    write(carlos, "she has to double")
    write(ana, "your move")
    line(bea, "your move").wait_for()
    for page in (ana, bea):
        assert line(page, "double").count() == 0
        assert "double" not in page.locator("[data-chat=spoken]").text_content()
    assert line(carlos, "your move").count() == 0

    # On a phone the chat does not cover the board.
    sheet, board = (bea.locator(selector).bounding_box() for selector in (".chat-box", ".bd"))
    assert sheet["y"] >= board["y"] + board["height"]

    # When closed, it counts unread messages.
    ana.locator(".chat-box > summary").click()
    write(bea, "hola")
    ana.locator(".chat-unread", has_text="1").wait_for()
    ana.locator(".chat-box > summary").click()
    ana.locator(".chat-unread").wait_for(state="hidden")

    # ana mutes and unmutes bea.
    line(ana, "hola").locator(".chat-menu").click()
    line(ana, "hola").locator(".chat-actions button").click()
    line(ana, "hola").wait_for(state="detached")
    write(bea, "sigues ahí?")
    ana.locator(".chat-status button").click()
    line(ana, "sigues").wait_for()

    # At the end both rooms are open to all.
    write(bea, "you fool")
    site.ask(RESIGN.format(bea=bea_name, match=match))
    for page in (ana, bea, carlos):
        page.locator("dialog[open]").wait_for()  # the result
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
    ana.locator(".chat-rooms button[value=watchers]").click()
    line(ana, "she has to double").wait_for()
    carlos.locator(".chat-rooms button[value=players]").click()
    fool = line(carlos, "you fool")
    fool.wait_for()

    # carlos reports it, dora removes it and silences bea.
    fool.locator(".chat-menu").click()
    href = fool.locator(".chat-actions a").get_attribute("href")
    report = browser(carlos_name)
    report.goto(href)
    report.locator("label", has=report.locator("input[value=rude]")).click()
    report.locator("main form.card button[type=submit]").click()
    report.wait_for_url("**/reports/")

    dora = browser(dora_name)
    dora.goto("/moderation/")
    dora.locator(".row-title a", has_text=bea_name).click()
    for act in ("remove", "silence"):
        dora.locator("label", has=dora.locator(f"input[name=act][value={act}]")).click()
        dora.locator("#id_why").fill("An insult.")
        with dora.expect_navigation():
            dora.locator("#act button[type=submit]").click()
    assert dora.locator("ol.rows > li").count() == 2
    line(ana, "you fool").wait_for(state="detached")
    carlos.locator(".chat-line.removed").wait_for()
    bea.locator(".chat-why:visible").wait_for()
    assert not bea.locator("#chat-text").is_visible()
    report.reload()
    report.locator(".badge-good").wait_for()
