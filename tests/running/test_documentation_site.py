"""The documentation as a site: its navigation has every page once, and links to the code lead to it or are text."""

from __future__ import annotations

import re

import pytest

from tools.docs_links import replaced
from tools.services.environment import ROOT

NAV = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
PAGES = {"README.md", "bots.md", "deploy/README.md", "adr/0001-daphne.md"}


def test_every_page_is_in_the_navigation_once() -> None:
    listed = re.findall(r"- ([\w./-]+\.md)$", NAV, re.MULTILINE)
    pages = [str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(listed) == sorted(pages)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("README.md", "[bots](bots.md) and [their levels](bots.md#levels)"),
        ("deploy/README.md", "[bots](../bots.md)"),
        ("README.md", "[a site](https://club.example/x.md) and [here](#levels)"),
        ("README.md", "![a picture](img/board.png)"),
    ],
)
def test_links_between_pages_and_to_other_sites_stay(page: str, text: str) -> None:
    assert replaced(text, page, PAGES, "") == text


def test_links_to_the_code_lead_to_the_repository_or_are_text() -> None:
    text = "See [CONTRIBUTING](../CONTRIBUTING.md#layers) and [adr/](adr)."
    assert replaced(text, "README.md", PAGES, "") == "See CONTRIBUTING and adr/."
    there = replaced(text, "README.md", PAGES, "https://code.example/tablero/")
    assert there == (
        "See [CONTRIBUTING](https://code.example/tablero/CONTRIBUTING.md) and [adr/](https://code.example/tablero/docs/adr)."
    )
