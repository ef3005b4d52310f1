"""The messages after an act: each is said once, on the page that the reader waits for."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpResponse
from django.test import RequestFactory

from accounts.web.message_storage import MessageStorage

SAVED = "Result saved."


def storage(cookie: str = "", **headers: str) -> BaseStorage:
    """The messages of a request with this cookie."""
    request = RequestFactory().get("/", headers=headers)
    request.session = {}  # type: ignore[assignment]
    request.user = AnonymousUser()
    if cookie:
        request.COOKIES["messages"] = cookie
    return MessageStorage(request)


def cookie_with(*texts: str) -> str:
    """The cookie after acts with these messages."""
    stored, response = storage(), HttpResponse()
    for text in texts:
        stored.add(messages.SUCCESS, text)
    stored.update(response)
    return response.cookies["messages"].value


def test_the_same_message_is_shown_once() -> None:
    shown = storage(cookie_with(SAVED, "Penalty saved.", SAVED))
    assert [str(message) for message in shown] == [SAVED, "Penalty saved."]


def test_a_page_that_a_script_fetches_leaves_the_messages_to_the_next_page() -> None:
    cookie, response = cookie_with(SAVED), HttpResponse()
    fetched = storage(cookie, **{"X-Requested-With": "fetch"})
    assert list(fetched) == []
    fetched.update(response)
    assert "messages" not in response.cookies
    assert [str(message) for message in storage(cookie)] == [SAVED]
