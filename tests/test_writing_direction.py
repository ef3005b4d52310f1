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
@pytest.mark.parametrize("page", ["base.html", "400.html", "500.html", "503.html", "notifications/mail/digest.html"])
def test_a_page_tells_its_direction(page: str) -> None:
    for language, right_to_left in (("en", False), ("ar", True)):
        with translation.override(language):
            opening = re.search(r"<html[^>]*>", render_to_string(page, request=RequestFactory().get("/")))
        assert opening
        assert (' dir="rtl"' in opening[0]) is right_to_left
