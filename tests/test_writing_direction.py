"""Pages may be written from right to left: styles name the start and the end of a line, not left and right."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tools.services.environment import ROOT

SIDES = re.compile(
    r"\b(?:margin|padding|border)-(?:left|right)\b|\bborder-(?:top|bottom)-(?:left|right)-radius"
    r"|(?:text-align|float|clear): *(?:left|right)\b|(?:^|[\s;{])(?:left|right): "
)
SAME_EVERYWHERE = {"board.css", "overlay.css"}
"""Boards, and what lies over the picture of a stream."""
MAY_STAY = {
    ("forms.css", "left: 2px;"),  # the knob of a switch, which moves to the right
    ("match.css", "left: 50%;"),
    ("match-actions.css", "left: var(--x);"),  # over the board
}


def test_no_style_names_left_or_right() -> None:
    found = {
        (path.name, line.strip())
        for path in sorted((ROOT / "static/css").glob("*.css"))
        if path.name not in SAME_EVERYWHERE
        for line in path.read_text("utf-8").splitlines()
        if SIDES.search(line)
    }
    assert found == MAY_STAY


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "written"), [("en", '<html lang="en" data-'), ("ar", '<html lang="ar" dir="rtl" ')]
)
def test_a_page_tells_its_direction(language: str, written: str) -> None:
    with translation.override(language):
        assert written in render_to_string("base.html", request=RequestFactory().get("/"))
