"""What pages load, counted: requests and bytes, with an empty cache and with a full one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.seats import against_the_computer
from tools.bench.weight import READY_BOARD, SHIFT, Weight, visited
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
SHIFTED = 0.01  # of the screen; a tenth of what counts as good


def weigh(page: Any, path: str) -> tuple[Weight, Weight]:
    """The first visit to a page in a fresh profile, and the second one."""
    page.add_init_script(SHIFT + READY_BOARD)
    return visited(page, path), visited(page, path)


@pytest.mark.parametrize(
    ("path", "files", "kilobytes", "warm"),
    [("/", 8, 110, 1), ("/accounts/signup/", 6, 110, 1), ("/rules/backgammon/", 8, 160, 1), ("/wall/", 10, 160, 2)],
)
def test_a_page_loads_few_files(site: Site, open_page: Open, path: str, files: int, kilobytes: int, warm: int) -> None:
    cold, again = weigh(open_page(locale="es-ES"), path)
    assert cold.requests <= files, cold.urls
    assert cold.on_the_wire <= 1000 * kilobytes, cold.wire
    assert again.requests <= warm, again.urls
    assert max(cold.shift, again.shift) <= SHIFTED


LIVE_MATCHES = """
from accounts.models import User
from games import services
for number in range(3):
    ana, bea = (User.objects.create_user(f"{{name}}-{{number}}") for name in {names!r})
    opened = services.match_create(creator=ana, variant="backgammon", length=5, clock="club", rated=False)
    services.match_join(match_id=opened.pk, user=bea)
answer = None
"""


@pytest.mark.parametrize("width", [360, 1280])
def test_the_boards_of_the_wall_move_nothing_when_they_come(site: Site, open_page: Open, width: int) -> None:
    site.ask(LIVE_MATCHES.format(names=[site.name("ana"), site.name("bea")]))
    page = open_page(locale="es-ES", viewport=(width, 740))
    page.add_init_script(SHIFT)
    page.goto("/wall/")
    page.locator(".live-board").nth(2).wait_for()
    assert page.evaluate("window.shift") <= SHIFTED


def test_a_live_match_loads_few_files(site: Site, open_page: Open) -> None:
    player = against_the_computer(open_page(locale="es-ES"))
    cookies = player.page.context.cookies()
    page = open_page(locale="es-ES")
    page.context.add_cookies(cookies)
    cold, again = weigh(page, f"/match/{player.match_id}/")
    assert cold.requests <= 12, [*cold.urls, *cold.sockets]
    assert cold.on_the_wire <= 220 * 1024, cold.wire
    assert again.requests <= 5, [*again.urls, *again.sockets]
    assert max(cold.shift, again.shift) <= SHIFTED
