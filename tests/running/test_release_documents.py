"""What comes with a release: the version is in one place, the changelog names it, the forms of .github can be read."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from backgammon import __version__
from tools.services.environment import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
PAGES = ("CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md", ".github/pull_request_template.md")
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))


def test_the_version_is_a_semantic_one_and_written_once() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"]["path"] == "backgammon/__init__.py"


def test_the_changelog_has_this_version() -> None:
    head = CHANGELOG[CHANGELOG.index("\n## ") :]
    assert head.startswith("\n## [Unreleased]\n")
    assert f"## [{__version__}] - 2" in head or f"The first release will be {__version__}." in head


def test_the_changelog_has_the_usual_sections_only() -> None:
    usual = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Upgrade"}
    assert set(re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)) <= usual


@pytest.mark.parametrize("page", PAGES)
def test_its_links_lead_to_files(page: str) -> None:
    links = re.findall(r"\]\((?!https://)([^)#]+)", (ROOT / page).read_text())
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_for_issues_has_questions_with_labels(path: Path) -> None:
    form = yaml.safe_load(path.read_text())
    assert {"name", "description", "body"} <= set(form)
    questions = [part for part in form["body"] if part["type"] != "markdown"]
    assert all(part["id"] and part["attributes"]["label"] for part in questions)
    assert len({part["id"] for part in questions}) == len(questions) > 1
