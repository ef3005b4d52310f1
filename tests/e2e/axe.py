"""Run axe-core in a page and list its WCAG 2.2 AA violations."""

from __future__ import annotations

from typing import Any

from tools.services.environment import ROOT, missing

SOURCE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SETTLED = """async () => {
    do await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    while (document.getAnimations().some(each => each.playState === 'running'));
}"""
ALL = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""The rules about colours: a theme changes nothing else."""
SIZES = ((360, 740), (1280, 800))
RUN = """rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})
    .then(({violations}) => violations.flatMap(({id, help, nodes}) =>
        nodes.map(({target, failureSummary}) => `${id} (${help}) at ${target}: ${failureSummary}`)))"""


def source() -> str:
    """The text of axe-core; the test is skipped where it is not installed."""
    if not SOURCE.exists():
        missing("axe-core", install="npm ci (apt install npm)")
    return SOURCE.read_text(encoding="utf-8")


def violations(page: Any, rules: dict[str, Any] = ALL) -> list[str]:
    """Every place of the page that breaks a rule."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())
    found: list[str] = page.evaluate(RUN, rules)
    return found


def sweep(page: Any) -> list[str]:
    """Every place of the page that breaks a rule, at phone and desktop size, in the light and the dark theme.

    The viewport is restored afterwards.
    """
    found = []
    before = page.viewport_size
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme, rules in (("light", ALL), ("dark", COLOURS)):
            page.emulate_media(color_scheme=theme)
            page.evaluate(SETTLED)
            found += [f"{page.url} {theme} {width}: {each}" for each in violations(page, rules)]
    page.set_viewport_size(before)
    return found
