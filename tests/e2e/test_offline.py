"""Without a network the installed site opens, and says what can be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.seats import guest
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]
KEPT = "async () => Boolean(await caches.match('/offline/'))"


def test_a_page_that_cannot_be_reached_becomes_the_offline_page(site: Site, open_page: Callable[..., Any]) -> None:
    page = guest(open_page()).page
    page.goto("/")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.wait_for_function(KEPT)
    page.context.set_offline(True)
    page.goto("/history/")
    page.get_by_role("heading", name="You are offline").wait_for()
    assert page.evaluate("() => getComputedStyle(document.querySelector('.btn-primary')).backgroundColor") != (
        "rgba(0, 0, 0, 0)"
    )
    assert axe.violations(page) == []
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    page.locator("#seeks").wait_for()
