"""The help pages: every ruling exists in every language that has them, every diagram agrees with the rules."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse
from django.utils.translation import override

import draughts
from backgammon.rules import Illegal
from draughts import fen
from games.diagrams import DIAGRAMS, POINTS, SQUARES, PointsDiagram, SquaresDiagram
from games.registry import RULES
from games.rules_pages import PAGE_BY_KEY, PAGE_BY_RULING, PAGES

pytestmark = pytest.mark.django_db
ROOT = Path(settings.BASE_DIR)
LANGUAGES = sorted(path.name for path in (ROOT / "templates" / "rules").iterdir() if path.is_dir())
OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:6"
ANCHOR = re.compile(r'<section class="rule" id="([^"]+)"')
FIGURE = re.compile(r'id="diagram-([^"]+)"')


def page_of(client: Client, language: str, url: str) -> str:
    answer = client.get(url, headers={"accept-language": language}, follow=True)
    assert answer.status_code == 200, url
    return answer.content.decode()


def cited() -> set[str]:
    """Every ruling that docs/rulings.md numbers, or that the rules cite when they refuse an action."""
    headings = re.findall(r"^### ([A-Z]\d+) ", (ROOT / "docs" / "rulings.md").read_text(), re.MULTILINE)
    sources = [path.read_text() for folder in ("backgammon/rules", "draughts") for path in (ROOT / folder).glob("*.py")]
    return {*headings, *(number for text in sources for number in re.findall(r'"([A-Z]\d{1,2})"', text))}


# The rules


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_has_its_sections_in_their_order(client: Client, language: str) -> None:
    for page in PAGES:
        text = page_of(client, language, reverse("rules-page", args=[page.key]))
        assert ANCHOR.findall(text) == [section.anchor for section in page.sections]
        assert f'<html lang="{language}"' in text


def test_the_prose_is_in_the_language_of_the_reader(client: Client) -> None:
    url = reverse("rules-page", args=["backgammon"])
    assert "Two players with fifteen checkers" in page_of(client, "en", url)
    assert "Dos personas, con quince fichas" in page_of(client, "es", url)
    assert "Dois jogadores" in page_of(client, "pt", url)


def test_a_page_that_is_not_translated_is_in_english_and_marked_so(client: Client, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates", tmp_path, dirs_exist_ok=True)
    (tmp_path / "rules" / "pt" / "backgammon.html").unlink()
    with override_settings(TEMPLATES=[{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]):
        text = page_of(client, "pt", reverse("rules-page", args=["backgammon"]))
    assert "Two players with fifteen checkers" in text
    assert '<html lang="pt"' in text
    assert '<div class="rules-body" lang="en">' in text


def test_the_index_links_to_every_page_and_rule(client: Client) -> None:
    text = page_of(client, "en", reverse("rules"))
    for page in PAGES:
        assert f'href="{reverse("rules-page", args=[page.key])}"' in text
    assert text.count('class="rule-badge"') == len(PAGE_BY_RULING)


def test_pages_link_to_the_next_and_previous(client: Client) -> None:
    for at, page in enumerate(PAGES):
        answer = client.get(reverse("rules-page", args=[page.key]))
        assert answer.context["before"] == (PAGES[at - 1] if at else None)
        assert answer.context["after"] == (PAGES[at + 1] if at + 1 < len(PAGES) else None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_that_is_cited_lands_on_its_section(client: Client, language: str) -> None:
    pages: dict[str, list[str]] = {}
    for number in sorted(cited() | {"T", "V"}):
        answer = client.get(reverse("ruling", args=[number]))
        assert answer.status_code == 302, number
        url, _hash, anchor = answer.headers["Location"].partition("#")
        if url not in pages:
            pages[url] = ANCHOR.findall(page_of(client, language, url))
        assert anchor == number
        assert anchor in pages[url]


def test_all_rulings_of_the_club_are_explained() -> None:
    wanted = [*(f"B{n}" for n in range(1, 18)), *(f"A{n}" for n in range(1, 7)), *(f"D{n}" for n in range(1, 10))]
    ladders = [f"L{n}" for n in range(1, 13)]
    ratings = [f"R{n}" for n in range(1, 7)]
    clubs = [f"K{n}" for n in range(1, 8)]
    tournaments = [
        *(f"E{n}" for n in range(1, 29)),
        *(f"U{n}" for n in range(1, 5)),
        *(f"P{n}" for n in range(1, 5)),
    ]
    assert set(PAGE_BY_RULING) == {*wanted, *ladders, *ratings, *clubs, *tournaments, "H1", "H2", "T", "V"}


def test_the_number_of_a_rule_may_be_lower_case(client: Client) -> None:
    assert client.get("/rules/of/b10/").headers["Location"] == "/rules/backgammon/#B10"


@pytest.mark.parametrize("path", ["/rules/of/B99/", "/rules/of/variants/", "/rules/chess/", "/rules/of/"])
def test_an_unknown_rule_is_a_404(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_links_inside_the_rules_are_valid(client: Client) -> None:
    anchors = {page.key: {section.anchor for section in page.sections} for page in PAGES}
    for language in LANGUAGES:
        for page in PAGES:
            text = page_of(client, language, reverse("rules-page", args=[page.key]))
            for link in re.findall(r'href="(/rules/[^"]*)"', text):
                url, _hash, anchor = link.partition("#")
                assert client.get(url, follow=True).status_code == 200, link
                if anchor:
                    assert anchor in anchors[url.split("/")[2]], link


def test_the_rules_take_no_queries(client: Client) -> None:
    for url in [reverse("rules"), *(reverse("rules-page", args=[key]) for key in PAGE_BY_KEY), reverse("position")]:
        with CaptureQueriesContext(connection) as queries:
            client.get(url)
        assert len(queries) == 0, url


# The diagrams


def position_of(diagram: PointsDiagram) -> Any:
    """The diagram as a position of the rules, which check its checkers."""
    board = diagram.json()["position"]["board"]
    white, black = board["white"], board["black"]
    points = [white["points"][n] - black["points"][23 - n] for n in range(24)]
    sides = [white["stock"], white["bar"], white["off"], *points, black["stock"], black["bar"], black["off"]]
    rules = RULES[diagram.variant]
    length = rules.lengths[0]
    score = rules.opening_score(length, {})
    snapshot = rules.start(score, {"cube": False} | dict(diagram.options) if diagram.options else {}).snapshot()
    moving = {"mover": "white", "phase": "move", "dice": list(diagram.dice)} if diagram.dice else {}
    return rules.restore({**snapshot, "board": sides, **moving})


@pytest.mark.parametrize("name", POINTS)
def test_a_diagram_shows_a_valid_position(name: str) -> None:
    diagram = POINTS[name]
    shown = diagram.json()["position"]["board"]
    assert position_of(diagram).view(None)["board"] == shown


@pytest.mark.parametrize("name", [name for name, diagram in POINTS.items() if diagram.play])
def test_the_play_of_a_diagram_is_legal(name: str) -> None:
    diagram = POINTS[name]
    position = position_of(diagram)
    assert position.canonical(diagram.play) in position.actions()


@pytest.mark.parametrize("name", [name for name, diagram in POINTS.items() if diagram.wrong])
def test_what_a_diagram_calls_illegal_is_refused_by_the_ruling_it_illustrates(name: str) -> None:
    diagram = POINTS[name]
    with pytest.raises(Illegal) as caught:
        position_of(diagram).canonical(diagram.wrong)
    assert caught.value.ruling == diagram.ruling


def moves_of(diagram: SquaresDiagram) -> dict[str, list[int]]:
    """Every legal move of a diagram of damas, with the men that it captures."""
    board, colour = fen.read(diagram.fen)
    captures, quiet = draughts.moves_of(board, colour)
    moves = captures if captures and diagram.mode == "obligatoria" else captures + quiet
    return {f"{move.source}{'x' if move.captured else '-'}{move.target}": sorted(move.takes) for move in moves}


@pytest.mark.parametrize("name", [name for name, diagram in SQUARES.items() if diagram.play])
def test_the_move_of_a_diagram_of_damas_is_legal(name: str) -> None:
    diagram = SQUARES[name]
    assert moves_of(diagram)[diagram.play] == sorted(diagram.captured)
    numbers = [int(number) for number in re.findall(r"[0-9]+", diagram.play)]
    assert numbers == [diagram.path[0], diagram.path[-1]]


def test_the_diagrams_of_damas_show_what_their_captions_say() -> None:
    assert sorted(moves_of(SQUARES["damas-king-first"])) == ["46x10", "46x14", "46x19", "46x5"]
    assert moves_of(SQUARES["damas-blocked"]) == {}
    assert "38x29" in moves_of(SQUARES["damas-huff"])
    assert len(moves_of(SQUARES["damas-start"])) == 9


def test_every_language_shows_every_diagram_where_it_belongs(client: Client) -> None:
    shown = {
        language: [
            name
            for page in PAGES
            for name in FIGURE.findall(page_of(client, language, reverse("rules-page", args=[page.key])))
        ]
        for language in LANGUAGES
    }
    assert [language for language in LANGUAGES if shown[language] != shown["en"]] == []
    assert sorted(shown["en"]) == sorted(DIAGRAMS)


def test_a_diagram_says_what_it_shows() -> None:
    with override("en"):
        assert POINTS["enter"].words() == (
            "White: 1 on the bar, 1 on 24, 5 on 13, 3 on 8, 5 on 6. "
            "Black, in White's numbering: 2 on 1, 4 on 12, 3 on 17, 4 on 19, 2 on 20. "
            "Dice: 6 and 3. White plays bar/22 24/18. Illegal: 13/7."
        )
        assert SQUARES["damas-king-first"].words() == (
            "White: men on 39; kings on 46. Black: men on 3, 23, 34. White moves 46x19."
        )


# A position by its id


def position_page(client: Client, text: str) -> Any:
    return client.get(reverse("position") + "?" + urlencode({"id": text}))


def test_a_position_is_shown_with_its_plays(client: Client) -> None:
    page = position_page(client, OPENING)
    assert page.status_code == 200
    assert (page.context["count"], page.context["xgid"]) == (16, OPENING)
    assert "8/5 6/5" in page.context["plays"]
    assert page.context["position"]["pips"] == {"white": 167, "black": 167}
    data = re.search(r'<script id="position-data" type="application/json">(.*?)</script>', page.content.decode())
    assert data
    assert json.loads(data[1])["may"] == ["move"]


def test_the_same_position_is_found_by_either_id(client: Client) -> None:
    page = position_page(client, OPENING)
    second_page = position_page(client, page.context["gnubg"])
    assert (second_page.status_code, second_page.context["gnubg"]) == (200, page.context["gnubg"])
    assert second_page.context["plays"] == page.context["plays"]


def ids() -> Iterator[str]:
    yield "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:6"
    yield "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:5:6"
    yield "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:66:3:4:0:7:10"
    yield OPENING.removeprefix("XGID=")


@pytest.mark.parametrize("text", ids())
def test_positions_to_roll_to_answer_and_to_move_are_shown(client: Client, text: str) -> None:
    page = position_page(client, text)
    assert page.status_code == 200
    assert bool(page.context["plays"]) == (page.context["position"]["phase"] == "move")


def test_an_id_is_found_among_words_and_with_a_plus_sign_lost_on_its_way(client: Client) -> None:
    assert position_page(client, f"look at this: {OPENING} what would you play?").status_code == 200
    page = client.get(reverse("position") + "?id=xNfgATDg6+ABUA:MAGgAAAAAAAE")
    assert (page.status_code, page.context["gnubg"]) == (200, "xNfgATDg6+ABUA:MAGgAAAAAAAE")


def test_many_plays_are_collapsed(client: Client) -> None:
    page = position_page(client, "XGID=-a-a-BD-B---dE---d-e----B-:0:0:1:44:0:0:0:5:6")
    assert len(page.context["plays"]) == 24
    assert page.context["count"] == 24 + len(page.context["more"]) > 40


@pytest.mark.parametrize(
    "text",
    ["nonsense", "XGID=", "XGID=" + "A" * 26 + ":0:0:1:31:0:0:0:5:6", "4HPwATDgc/ABMA", "x" * 500, "\x00", "é:ñ"],
)
def test_an_invalid_id_is_refused_on_the_page(client: Client, text: str) -> None:
    page = position_page(client, text)
    assert page.status_code == 422
    assert 'aria-invalid="true"' in page.content.decode()
    assert "position-data" not in page.content.decode()


def test_without_an_id_the_page_asks_for_one(client: Client) -> None:
    text = page_of(client, "en", reverse("position"))
    for link in re.findall(r'href="(/position/\?id=[^"]+)"', text):
        assert client.get(link).status_code == 200
