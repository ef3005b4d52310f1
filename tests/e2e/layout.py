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


FLAWS = r"""() => {
    const CONTROLS = 'button, a[href], summary, select, textarea, input:not([type=hidden])';
    const FLUID = /auto|scroll/, SHUT = /hidden|clip/;
    const visible = {opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true};
    const spoken = (each) => { // for screen readers only: a pixel that shows nothing
        for (let box = each; box; box = box.parentElement)
            if (getComputedStyle(box).clipPath === 'inset(50%)') return true;
        return false;
    };
    const shown = (each) => each.checkVisibility(visible) && !each.closest('.skip, noscript, option') && !spoken(each);
    const named = (each) => {
        const words = (each.textContent || each.getAttribute('aria-label') || each.name || '').trim();
        const classes = each.className.baseVal ?? each.className;
        return `${each.localName}.${classes} "${words.replace(/\s+/g, ' ').slice(0, 40)}"`;
    };
    const layer = (each) => {
        for (let box = each; box; box = box.parentElement)
            if (/fixed|sticky/.test(getComputedStyle(box).position) || box.matches('dialog, .menu-sheet')) return box;
        return null;
    };
    const cut = (a, b) => ({left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
        top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom)});
    const out = ({left, right}) => left < -1 || right > innerWidth + 1;
    const found = [], seen = new Set();
    const note = (what) => seen.has(what) || (seen.add(what), found.push(what));

    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) {
        note(`the page scrolls sideways: ${root.scrollWidth}`);
        for (const each of document.body.querySelectorAll('*'))
            if (shown(each) && out(each.getBoundingClientRect())) note(`  wide: ${named(each)}`);
    }
    for (const each of document.images)
        if (!each.hasAttribute('width') || !each.hasAttribute('height')) note(`image without size: ${each.src}`);

    // What is seen of a box, and whether an ancestor cuts it off where nobody can scroll.
    const window_ = (box, element) => {
        let rest = box, clipped = false;
        for (let each = element; each && each !== document.body; each = each.parentElement) {
            const style = getComputedStyle(each);
            if (/inline$|contents/.test(style.display)) continue;
            const edge = each.getBoundingClientRect(), whole = rest;
            for (const [axis, from, to] of [['overflowX', 'left', 'right'], ['overflowY', 'top', 'bottom']]) {
                if (FLUID.test(style[axis])) rest = {...rest, ...pick(cut(rest, edge), from, to)};
                else if (SHUT.test(style[axis])) {
                    clipped ||= whole[from] < edge[from] - 1.5 || whole[to] > edge[to] + 1.5;
                    rest = {...rest, ...pick(cut(rest, edge), from, to)};
                }
            }
            if (style.position === 'fixed') break;
        }
        return {rest, clipped};
    };
    const pick = (box, ...names) => Object.fromEntries(names.map((name) => [name, box[name]]));

    // A section below one that comes later in the page: it was higher until that one arrived.
    const sections = [...document.querySelectorAll('main section, main .card')].filter(shown)
        .map((element) => ({element, box: element.getBoundingClientRect()}));
    sections.forEach((a, at) => {
        for (const b of sections.slice(at + 1)) {
            if (a.element.contains(b.element) || layer(a.element) !== layer(b.element)) continue;
            if (Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) <= 1) continue;
            if (b.box.bottom <= a.box.top + 1) note(`out of order: ${named(a.element)} / ${named(b.element)}`);
        }
    });

    const boxes = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
        const element = node.parentElement;
        if (!/\S/.test(node.data) || element.closest('.bd, script, style') || !shown(element)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const each of range.getClientRects()) {
            if (each.width < 2) continue;
            const {rest, clipped} = window_(each, element);
            if (clipped && !element.closest('bdi')) note(`clipped: ${named(element)}`);
            const tight = (rest.bottom - rest.top) / 5;
            boxes.push({element, text: true, left: rest.left + 1, right: rest.right - 1, top: rest.top + tight,
                bottom: rest.bottom - tight});
        }
    }
    const controls = [...document.querySelectorAll(CONTROLS)].filter((each) => shown(each) && !each.closest('.bd'));
    const targets = controls.map((element) => {
        const label = element.matches('input') && element.labels?.[0];
        const own = element.getBoundingClientRect(), other = label ? label.getBoundingClientRect() : own;
        const box = other.width * other.height > own.width * own.height ? other : own;
        return {element, ...pick(box, 'left', 'right', 'top', 'bottom', 'width', 'height')};
    });
    for (const each of targets) {
        const {element} = each;
        const {display, color} = getComputedStyle(element);
        if (display === 'inline') continue; // a link in a sentence; axe checks its spacing
        if (color === 'rgba(0, 0, 0, 0)') continue; // an area to press, over what it is for
        const {left, right, top, bottom} = window_(each, element).rest;
        boxes.push({element, left: left + 1, right: right - 1, top: top + 1, bottom: bottom - 1});
    }
    boxes.sort((a, b) => a.top - b.top);
    boxes.forEach((a, at) => {
        for (let next = at + 1; next < boxes.length && boxes[next].top < a.bottom; next++) {
            const b = boxes[next];
            if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
            if (Math.min(a.right, b.right) - Math.max(a.left, b.left) <= 1) continue;
            if (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) <= 1) continue;
            if (a.element.closest('label') && a.element.closest('label') === b.element.closest('label')) continue;
            if (layer(a.element) !== layer(b.element)) continue;
            note(`overlap: ${named(a.element)} / ${named(b.element)}`);
        }
    });
    const MIN = 24;
    const small = targets.filter(({width, height}) => Math.min(width, height) < MIN - 0.5);
    for (const each of small) {
        if (getComputedStyle(each.element).display === 'inline') continue;
        note(`small: ${named(each.element)} ${each.width.toFixed(1)} x ${each.height.toFixed(1)}`);
    }
    return found;
}"""
"""What a reader would stumble over; exact to a pixel or two, so that it holds with any fonts."""


def flaws(page: Any) -> list[str]:
    found: list[str] = page.evaluate(FLAWS)
    return found


LONGER = r"""() => {
    const accents = {a: 'áá', e: 'éé', i: 'íí', o: 'öö', u: 'üü', A: 'ÁÁ', E: 'ÉÉ', I: 'ÍÍ', O: 'ÖÖ', U: 'ÜÜ'};
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());)
        if (!node.parentElement.closest('bdi, .bd, .brand, script, style, code'))
            node.data = node.data.replace(/\p{L}{2,}/gu, (word) => word.replace(/[aeiou]/gi, (one) => accents[one]));
}"""
"""A pseudo-language: every vowel of a word is doubled and accented, which makes texts 40 % longer."""


def lengthen_texts(page: Any) -> None:
    page.evaluate(LONGER)


def write_from_right_to_left(page: Any) -> None:
    """Show the page in the direction of Arabic and Hebrew."""
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
