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
GEOMETRY = ("target-size", "scrollable-region-focusable")
"""The rules about the places of elements."""
# At the first size everything is checked (or everything inside `within`). At another size that is done again for what
# was hidden or looked different at the first one, and the rest is checked for its geometry only.
RUN = """async ({rules, geometry, theme, within, first}) => {
    const runs = (where, runOnly) => axe.run(where, {runOnly, resultTypes: ['violations']})
        .then(({violations}) => violations.flatMap(({id, help, nodes}) =>
            nodes.map(({target, failureSummary}) => `${id} (${help}) at ${target}: ${failureSummary}`)));
    const inside = within ? document.querySelector(within) : document;
    const hides = {opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true};
    const looks = new Map([...inside.querySelectorAll('*')].filter(each => each.checkVisibility(hides)).map(each => {
        const style = getComputedStyle(each);
        return [each, [style.color, style.background, style.fontSize, style.fontWeight, style.clip].join()];
    }));
    if (first) {
        window.axeSeen = {...window.axeSeen, [theme]: looks};
        return runs(inside, rules);
    }
    const seen = window.axeSeen[theme];
    const other = [...looks].filter(([each, look]) => seen.get(each) !== look).map(([each]) => each);
    const found = other.length ? await runs({include: other}, rules) : [];
    return geometry.values.length ? [...await runs(inside, geometry), ...found] : found;
}"""


def source() -> str:
    """The text of axe-core; the test is skipped where it is not installed."""
    if not SOURCE.exists():
        missing("axe-core", install="npm ci (apt install npm)")
    return SOURCE.read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """Every place of the page that breaks a rule, at this size and in this theme."""
    return _run(page, rules=ALL, theme="light")


def sweep(page: Any, *, within: str | None = None) -> list[str]:
    """Every place of the page that breaks a rule, at phone and desktop size, in the light and the dark theme.

    Only the element `within` is checked where the rest of the page has been checked already. The viewport is restored
    afterwards.
    """
    found = []
    before = page.viewport_size
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme, rules in (("light", ALL), ("dark", COLOURS)):
            page.emulate_media(color_scheme=theme)
            page.evaluate(SETTLED)
            places = _run(page, rules=rules, theme=theme, within=within, first=(width, height) == SIZES[0])
            found += [f"{page.url} {theme} {width}: {each}" for each in places]
    page.set_viewport_size(before)
    return found


def _run(page: Any, *, rules: dict[str, Any], theme: str, within: str | None = None, first: bool = True) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())
    geometry = {"type": "rule", "values": list(GEOMETRY) if theme == "light" else []}
    asked = {"rules": rules, "geometry": geometry, "theme": theme, "within": within, "first": first}
    found: list[str] = page.evaluate(RUN, asked)
    return found
