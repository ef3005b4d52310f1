"""Helpers of tests that use the director's desk as a browser does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tournaments.models import Tournament

As = Callable[[User], Client]
Make = Callable[..., Tournament]


def messages(answer: Any) -> list[str]:
    """The messages that the next page will show."""
    return [str(message) for message in get_messages(answer.wsgi_request)]


def page(client: Client, tournament: Tournament) -> str:
    answer = client.get(reverse("tournament-desk", args=[tournament.pk]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def do(client: Client, name: str, tournament: Tournament, /, **fields: Any) -> Any:
    client.cookies.pop("messages", None)  # those of earlier acts, which no page showed
    return client.post(reverse(name, args=[tournament.pk]), fields)


def view(client: Client, tournament: Tournament) -> Any:
    return client.get(reverse("tournament-desk", args=[tournament.pk])).context["view"]
