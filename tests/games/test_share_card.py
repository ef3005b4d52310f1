"""The picture of a finished match for shared links."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from PIL import Image

from accounts.models import User
from games import replay
from games.diagrams.share_card import ShareCard, share_card
from games.models import Match
from games.registry import RULES
from games.selectors.match_files import FONT

SQUARES = {"a black man": (127, 73), "an empty square": (73, 234), "a white man": (73, 557)}
"""The middle of the squares 1, 16 and 46."""
NAMES = {"white": "María José de la Fuente y Pérez", "black": "Iñaki"}


def drawn(variant: str) -> Image.Image:
    position = replay.start(RULES[variant], 3, {}).position.view(None)
    card = ShareCard(position, NAMES, {"white": "3", "black": "2½"}, ["Backgammon", "match to 3 points"], "Tablero")
    return Image.open(BytesIO(share_card(card, Path(settings.BASE_DIR) / FONT)))


@pytest.mark.parametrize("variant", sorted(RULES))
def test_every_game_has_a_picture_of_the_size_of_a_card(variant: str) -> None:
    image = drawn(variant)
    assert (image.size, image.format) == ((1200, 630), "PNG")


def test_checkers_stand_where_the_position_has_them() -> None:
    image = drawn("damas").convert("L")
    light = {place: image.getpixel(centre) for place, centre in SQUARES.items()}
    assert light["a black man"] < 80 < light["an empty square"] < 160 < light["a white man"]


def test_a_long_name_stays_on_the_paper() -> None:
    image = drawn("damas").convert("RGB")
    margin = image.crop((1175, 0, 1200, 630)).getcolors()
    assert margin is not None
    assert [value for _, value in margin] == [image.getpixel((1199, 0))]


@pytest.mark.django_db
def test_a_finished_match_has_a_picture_and_its_page_names_it(
    open_table: Callable[..., Match], act: Callable[..., Any], ana: User, client: Client
) -> None:
    match = open_table()
    url = reverse("match-card", args=[match.pk])
    assert client.get(url).status_code == 404
    assert url not in client.get(reverse("match", args=[match.pk])).content.decode()
    act(match, ana, "resign match")
    answer = client.get(url)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert Image.open(BytesIO(answer.content)).size == (1200, 630)
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert f'<meta property="og:image" content="http://testserver{url}">' in page


@pytest.mark.django_db
def test_a_match_that_does_not_exist_has_no_picture(client: Client) -> None:
    assert client.get(reverse("match-card", args=["nothing"])).status_code == 404


@pytest.mark.django_db
def test_a_player_who_is_renamed_is_at_once_named_anew_in_the_picture(
    open_table: Callable[..., Match], act: Callable[..., Any], ana: User, client: Client
) -> None:
    match = open_table()
    act(match, ana, "resign match")
    url = reverse("match-card", args=[match.pk])
    before = client.get(url).content
    assert client.get(url).content == before
    User.objects.filter(pk=ana.pk).update(username="player-12345678")
    assert client.get(url).content != before
