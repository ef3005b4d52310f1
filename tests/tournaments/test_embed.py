"""The brackets and tables of a tournament in a frame of another website."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.staging import staged

pytestmark = pytest.mark.django_db

As = Callable[[User], Client]


def test_only_the_embedded_page_may_be_shown_in_a_frame(client: Client) -> None:
    made = staged("knockout", 4, online=0)
    framed = client.get(reverse("tournament-embed", args=[made.pk]))
    policy = framed.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "script-src 'none'" in policy
    assert "X-Frame-Options" not in framed.headers
    page = client.get(reverse("tournament", args=[made.pk]))
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"


def test_it_is_the_same_for_everybody_and_may_be_cached(client: Client, as_user: As, ana: User) -> None:
    made = staged("swiss", 4, people=(ana,), played=0.5, rounds=3)
    url = reverse("tournament-embed", args=[made.pk])
    visitor, player = client.get(url, headers={"accept-language": "es"}), as_user(ana).get(url)
    assert visitor.content == player.content
    assert visitor.headers["Cache-Control"] == "public, max-age=60"
    assert not visitor.cookies
    assert "Cookie" not in visitor.headers.get("Vary", "")
    assert b"<script" not in visitor.content
    assert b"<form" not in visitor.content


def test_its_language_and_theme_are_in_its_address(client: Client) -> None:
    url = reverse("tournament-embed", args=[staged("knockout", 4, online=0).pk])
    spanish = client.get(url, {"lang": "es", "theme": "dark"})
    assert spanish.headers["Content-Language"] == "es"
    assert '<html lang="es" data-theme="dark">' in spanish.content.decode()
    assert '<html lang="en" data-theme="auto">' in client.get(url, {"lang": "xx", "theme": "x"}).content.decode()


def test_before_the_draw_it_says_so_and_an_unknown_one_is_not_found(client: Client) -> None:
    made = staged("knockout", 4, online=0, drawn=False)
    page = client.get(reverse("tournament-embed", args=[made.pk])).content.decode()
    assert "The draw has not been made yet." in page
    assert client.get(reverse("tournament-embed", args=["nothing"])).status_code == 404
