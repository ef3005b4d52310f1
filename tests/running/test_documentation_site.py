"""The documentation as a site: its navigation has every page once, and links to the code lead to it or are text."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tools.docs_links import replaced
from tools.services.environment import ROOT

NAV = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2]
PAGES = {"README.md", "bots.md", "deploy/README.md", "adr/0001-daphne.md"}


def test_every_page_is_in_the_navigation_once() -> None:
    listed = re.findall(r"- ([\w./-]+\.md)$", NAV, re.MULTILINE)
    pages = [str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(listed) == sorted(pages)


SPANISH = sorted((ROOT / "docs/es").rglob("*.md"))
OWN_TEXT = ROOT / "docs/es/README.md"


@pytest.mark.parametrize("path", [each for each in SPANISH if each != OWN_TEXT], ids=lambda path: path.stem)
def test_a_spanish_page_has_the_sections_tables_and_code_of_the_english_one(path: Path) -> None:
    english = ROOT / "docs" / path.relative_to(ROOT / "docs/es")
    assert structure(path.read_text("utf-8")) == structure(english.read_text("utf-8"))


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("guide", ["playing", "directing", "running-a-club"])
def test_a_guide_calls_buttons_and_pages_as_the_site_does(guide: str, language: str) -> None:
    folder = ROOT / "docs" if language == "en" else ROOT / "docs" / language
    bold = {
        " ".join(label.split()) for label in re.findall(r"\*\*([^*]+)\*\*", (folder / f"{guide}.md").read_text("utf-8"))
    }
    assert len(bold) > 10
    assert bold - labels(language) == set()


@cache
def labels(language: str) -> set[str]:
    """Every text of the site's pages in a language: English as in the code, plurals each for itself."""
    with (ROOT / "locale/es/LC_MESSAGES/django.po").open("rb") as file:
        texts = [message.id if language == "en" else message.string for message in read_po(file) if message.id]
    return {text for each in texts if each for text in ((each,) if isinstance(each, str) else each)}


def structure(markdown: str) -> list[str]:
    """The level of each heading, each row of a table and each line of code, in order."""
    found: list[str] = []
    code = False
    for line in markdown.splitlines():
        if line.startswith("```"):
            code = not code
            found.append(line)
        elif code:
            found.append("line of code")
        elif heading := re.match(r"#+(?= )", line):
            found.append(heading[0])
        elif line.startswith("|"):
            found.append("row")
    return found


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
