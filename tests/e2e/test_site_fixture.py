"""The fixtures of browser tests: the site as processes, and a real browser that reaches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]


def test_two_browsers_open_the_front_page(
    site: Site, browsers: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    pages = [open_page("/", browser=browsers(), locale=locale) for locale in ("en-GB", "es-ES")]
    assert [page.locator("html").get_attribute("lang") for page in pages] == ["en", "es"]
    assert site.rows("SELECT count(*) FROM accounts_user WHERE username IN (?, ?)", "ana", "bea") == [(0,)]
    assert (
        site.ask("from accounts.models import User; answer = User.objects.filter(bot_level__isnull=False).count()") == 5
    )
