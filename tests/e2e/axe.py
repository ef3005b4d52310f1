"""axe-core in a page: what it breaks of WCAG 2.2 AA, in words."""

from __future__ import annotations

from typing import Any

from tests.services.environment import ROOT, missing

SOURCE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """tags => axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})
    .then(({violations}) => violations.flatMap(({id, help, nodes}) =>
        nodes.map(({target, failureSummary}) => `${id} (${help}) at ${target}: ${failureSummary}`)))"""


def source() -> str:
    """The text of axe-core; the test is skipped where it is not installed."""
    if not SOURCE.exists():
        missing("axe-core", install="npm ci (apt install npm)")
    return SOURCE.read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """Every place of the page that breaks a rule."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())
    found: list[str] = page.evaluate(RUN, RULES)
    return found
