"""Measure the layout of a page: overlaps, small targets, scrolling, layout shifts."""

from __future__ import annotations

from typing import Any

BLOCKS = (
    ".site-header, .strip, .player, .match-stage, .match-act, .match-score, .match-moves-box, .match-tools, "
    ".match-about, .site-footer"
)
OVERLAPS = """blocks => {
    const boxes = [...document.querySelectorAll(blocks)].filter(each => each.checkVisibility())
        .map(each => [each.className, each.getBoundingClientRect()]);
    return boxes.flatMap(([a, one], at) => boxes.slice(at + 1).filter(([, other]) =>
        Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1).map(([b]) => `${a} / ${b}`));
}"""
SMALL = """() => [...document.querySelectorAll('button, a.btn, summary, input:not([type=hidden]), select')]
    .filter(each => each.checkVisibility() && !each.closest('.bd-grid, .move, .visually-hidden'))
    .map(each => [each.textContent.trim() || each.name, each.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(each => window.shifts.push([each.value,
    each.sources.map(({node}) => node?.className ?? node?.nodeName).join(' ')])))
    .observe({type: 'layout-shift', buffered: true});
"""


def overlaps(page: Any) -> list[str]:
    """Blocks of the match page that overlap."""
    found: list[str] = page.evaluate(OVERLAPS, BLOCKS)
    return found


def small_targets(page: Any) -> list[str]:
    """Controls smaller than 44 px."""
    found: list[str] = page.evaluate(SMALL)
    return found


def scrolls_sideways(page: Any) -> bool:
    return bool(page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth"))


def below_the_fold(page: Any, *selectors: str) -> list[str]:
    """The selectors whose elements are not fully visible without scrolling."""
    height = page.viewport_size["height"]
    boxes = {each: page.locator(each).bounding_box() for each in selectors}
    return [each for each, box in boxes.items() if box is None or box["y"] + box["height"] > height]


def shifted(page: Any) -> tuple[float, Any]:
    """The cumulative layout shift so far and its sources; needs SHIFTS as the first script."""
    jumps = page.evaluate("() => window.shifts")
    return sum(value for value, _ in jumps), jumps
