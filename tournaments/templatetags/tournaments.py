"""Cards of pairings, cells of grids. No templates: a page shows hundreds, and each would take a millisecond."""

from __future__ import annotations

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.selectors.cards import Card, Side
from tournaments.selectors.grids import Cell, Played

register = template.Library()


@register.simple_tag
def pairing(card: Card) -> SafeString:
    """One pairing as a list item: the two, what can be opened about it, its state and the way to its board.

    Everything but the numbers and keys that this site made is escaped.
    """
    marks = f"pairing is-{card.state}{' is-mine' if card.mine else ''}{' on-path' if card.on_path else ''}"
    return mark_safe(  # nosec B308, B703  # noqa: S308 - every part is escaped below
        f'<li class="{marks}" id="{card.key}"><details id="why-{card.key}">'
        f'<summary><span class="visually-hidden">{escape(card.sentence)}</span>'
        f'<span class="sides" aria-hidden="true">{_side(card.a)}{_side(card.b)}</span></summary>'
        f'<p class="why">{escape(card.why)}</p></details>'
        f'<p class="foot"><span class="mark">{escape(card.mark)}</span>{_foot(card)}</p></li>'
    )


@register.simple_tag
def cells(row: tuple[Cell, ...]) -> SafeString:
    """The cells of one player's row in a grid: short for the eye, in words for those who listen."""
    return mark_safe("".join(_cell(cell) for cell in row))  # nosec B308, B703  # noqa: S308 - every part is escaped below


def _cell(cell: Cell) -> str:
    if cell is None:
        return '<td class="cross-self"></td>'
    return f'<td class="cross">{"".join(_played(one) for one in cell)}</td>'


def _played(one: Played) -> str:
    shown = "".join(f"<{tag}>{escape(said)}</{tag}>" for tag, said in (("b", one.rival), ("span", one.text)) if said)
    if not shown:
        shown = "<span>·</span>"
    inside = f'<span aria-hidden="true">{shown}</span><span class="visually-hidden">{escape(one.words)}</span>'
    if not one.href:
        return f'<span class="cross-{one.state}">{inside}</span>'
    return f'<a class="cross-{one.state}" href="{escape(one.href)}">{inside}</a>'


def _side(side: Side) -> str:
    name = f'<span class="side-source">{escape(side.source)}</span>'
    if side.name:
        seed = f'<span class="seed">{side.seed}</span>' if side.seed else ""
        name = f'{seed}<bdi class="side-name">{escape(side.name)}</bdi>'
    points = f'<span class="side-points">{escape(side.points)}</span>' if side.points else ""
    return f'<span class="side{" is-winner" if side.won else ""}">{name}{points}</span>'


def _foot(card: Card) -> str:
    status = escape(_("until %(moment)s") % {"moment": card.due} if card.due else card.status)
    which = f'<span class="visually-hidden"> {escape(card.mark)}</span>'
    if card.live:
        dot = '<span class="live-dot" aria-hidden="true"></span>'
        return f'<a class="foot-live" href="{card.url}">{dot}{escape(_("Watch"))}{which}</a>'
    mark = f'<span class="mended">{escape(_("corrected"))}</span>' if card.corrected else ""
    link = f'<a href="{card.url}">{escape(_("Replay"))}{which}</a>' if card.match_id else ""
    return f"<span>{status}</span>{mark}{link}"
