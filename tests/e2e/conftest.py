"""A real browser on the site of tests/conftest.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import pytest

from tools.services import chromium
from tools.services.environment import missing
from tools.services.site import Site


@pytest.fixture(scope="package")
def browsers() -> Iterator[Callable[..., Any]]:
    """A function that starts a browser, by default the usual one: `browsers(path, arguments, **options)`.

    One driver serves all modules in a row: it takes a second to start. It ends with this folder, since its event loop
    would disturb async tests.
    """
    found = chromium.find()
    if found is None:
        missing("Chromium", install="apt install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        launched: list[Any] = []

        def launch(path: str = found, arguments: list[str] = chromium.ARGUMENTS, **options: Any) -> Any:
            launched.append(play.chromium.launch(executable_path=path, args=arguments, **options))
            return launched[-1]

        yield launch
        for browser in launched:
            browser.close()


@pytest.fixture(scope="package")
def browser(browsers: Callable[..., Any]) -> Any:
    """One browser for all tests; each person has a profile of their own in it."""
    return browsers()


@pytest.fixture
def open_page(site: Site, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """A function that opens a page of the site in a new profile, in a given browser or the usual one.

    `open_page(path="", browser=None, locale="en-GB", viewport=(1280, 800), **context)`; without a path it is blank.
    A script error, a breach of the Content-Security-Policy or a server error on any page fails the test.
    """
    contexts: list[Any] = []
    errors: list[str] = []

    def note(message: Any) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            errors.append(message.text)

    def note_server_error(response: Any) -> None:
        if response.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            errors.append(f"a server error at {response.url}")

    def open_in_profile(
        path: str = "",
        *,
        browser: Any = None,
        locale: str = "en-GB",
        viewport: tuple[int, int] = (1280, 800),
        **context: Any,
    ) -> Any:
        width, height = viewport
        profile = (browser or request.getfixturevalue("browser")).new_context(
            base_url=site.url, locale=locale, viewport={"width": width, "height": height}, **context
        )
        contexts.append(profile)
        page = profile.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", note)
        page.on("response", note_server_error)
        if path:
            page.goto(path)
        return page

    yield open_in_profile
    for profile in contexts:
        profile.close()
    assert errors == []
