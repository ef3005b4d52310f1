"""Cards of pairings and cells of crosstables, without templates: a page has hundreds, and each would take 1 ms."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.selectors.crosstables import Cell, CrosstableEntry
from tournaments.selectors.pairing_cards import CardSide, PairingCard

register = template.Library()


@register.filter
def lookup(table: Mapping[int, str], number: int) -> str:
    """The value of a mapping under a number; "" where there is none."""
    return table.get(number, "")


@register.simple_tag
def pairing(card: PairingCard) -> SafeString:
    """A pairing as a list item: its players, an explanation to open, its state and the link to its board.

    Everything except numbers and keys, which the site generates, is escaped.
    """
    marks = f"pairing is-{card.state}{' is-mine' if card.of_viewer else ''}{' on-path' if card.highlighted else ''}"
    return mark_safe(  # nosec B308, B703  # noqa: S308 - every part is escaped below
        f'<li class="{marks}" id="{card.key}"><details id="why-{card.key}">'
        f'<summary><span class="visually-hidden">{escape(card.sentence)}</span>'
        f'<span class="sides" aria-hidden="true">{_side(card.a)}{_side(card.b)}</span></summary>'
        f'<div class="why">{escape(card.why)}{_boards(card)}{_matches(card)}</div></details>'
        f'<p class="foot"><span class="mark">{escape(card.mark)}</span>{_card_footer(card)}</p></li>'
    )


@register.simple_tag
def cells(row: tuple[Cell, ...]) -> SafeString:
    """The cells of a player's row in a crosstable, each with a text for screen readers."""
    return mark_safe("".join(_cell(cell) for cell in row))  # nosec B308, B703  # noqa: S308 - every part is escaped below


def _cell(cell: Cell) -> str:
    if cell is None:
        return '<td class="cross-self"></td>'
    return f'<td class="cross">{"".join(_crosstable_entry(entry) for entry in cell)}</td>'


def _crosstable_entry(entry: CrosstableEntry) -> str:
    shown = "".join(
        f"<{tag}>{escape(text)}</{tag}>" for tag, text in (("b", entry.opponent), ("span", entry.text)) if text
    )
    if not shown:
        shown = "<span>·</span>"
    content = f'<span aria-hidden="true">{shown}</span><span class="visually-hidden">{escape(entry.words)}</span>'
    if not entry.href:
        return f'<span class="cross-{entry.state}">{content}</span>'
    return f'<a class="cross-{entry.state}" href="{escape(entry.href)}">{content}</a>'


def _side(side: CardSide) -> str:
    name = f'<span class="side-source">{escape(side.source)}</span>'
    if side.name:
        seed = f'<span class="seed">{side.seed}</span>' if side.seed else ""
        name = f'{seed}<bdi class="side-name">{escape(side.name)}</bdi>'
    points = f'<span class="side-points">{escape(side.points)}</span>' if side.points else ""
    return f'<span class="side{" is-winner" if side.won else ""}">{name}{points}</span>'


def _boards(card: PairingCard) -> str:
    """The boards of a team match: number, players and points."""
    if not card.boards:
        return ""
    rows = "".join(f"<li>{_board_side(board.a)}{_board_side(board.b)}</li>" for board in card.boards)
    return f'<ol class="team-boards">{rows}</ol>'


def _matches(card: PairingCard) -> str:
    """The matches of a series: number, score or what it waits for, and the link to each board of this site."""
    rows = "".join(f"<li><span>{_match_outcome(match)}</span>{_match_link(match)}</li>" for match in card.matches)
    return f'<ol class="series-matches">{rows}</ol>' if rows else ""


def _match_outcome(match: PairingCard) -> str:
    """`7–4`, which names the winner for screen readers; without a score the winner, and how the match ended."""
    winner = next((side.name for side in match.sides if side.won), "")
    if match.score and match.state == "done":
        won = pgettext("the winner of a match", "won")
        return f'{escape(match.score)}<span class="visually-hidden"> {escape(winner)} {escape(won)}</span>'
    name = f"<bdi>{escape(winner)}</bdi>" if winner else ""
    return ", ".join(part for part in (escape(match.score), name, escape(match.status)) if part)


def _match_link(match: PairingCard) -> str:
    if not match.match_id:
        return ""
    text = _("Watch") if match.live else _("Replay")
    which = f'<span class="visually-hidden"> {escape(match.mark)}</span>'
    return f'<a href="{match.url}">{escape(text)}{which}</a>'


def _board_side(side: CardSide) -> str:
    name = escape(side.name or side.source)
    text = pgettext("the winner of a match", "won")
    won = f'<span class="visually-hidden"> {escape(text)}</span>' if side.won else ""
    points = f"<b>{escape(side.points)}</b>" if side.points else ""
    return f'<span class="team-board{" is-winner" if side.won else ""}"><bdi>{name}</bdi>{won}{points}</span>'


def _card_footer(card: PairingCard) -> str:
    status = escape(_("until %(moment)s") % {"moment": card.due} if card.due else card.status)
    which = f'<span class="visually-hidden"> {escape(card.mark)}</span>'
    if card.live:
        dot = '<span class="live-dot" aria-hidden="true"></span>'
        text = _("Watch")
        return f'<a class="foot-live" href="{card.url}">{dot}{escape(text)}{which}</a>'
    text = _("corrected")
    mark = f'<span class="mended">{escape(text)}</span>' if card.corrected else ""
    text = _("Replay")
    link = f'<a href="{card.url}">{escape(text)}{which}</a>' if card.match_id else ""
    if card.page:
        text = _("Team match")
        link = f'<a href="{card.page}">{escape(text)}{which}</a>'
    return f"<span>{status}</span>{mark}{link}"
