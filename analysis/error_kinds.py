"""Kinds of errors: what a player does wrong most, from the first reason that a report gives for each. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.explanations import Word

OTHER = "other"
KIND_OF: dict[str, str] = {
    **dict.fromkeys(("open_more", "open_safe"), "open"),
    **dict.fromkeys(("hit", "hit_more"), "missed_hit"),
    "hit_not": "wrong_hit",
    **dict.fromkeys(("makes_home", "makes_point", "makes_anchor", "prime"), "points"),
    **dict.fromkeys(("keeps_anchor", "keeps_point"), "given_up"),
    **dict.fromkeys(("runs", "waits"), "back"),
    "dares": "timid",
    **dict.fromkeys(("stack", "spread"), "stacked"),
    **dict.fromkeys(("off_more", "off_fewer", "pips"), "race"),
    **dict.fromkeys(("double_missed", "cash_missed"), "missed_double"),
    **dict.fromkeys(("double_early", "double_wrong", "too_good"), "wrong_double"),
    **dict.fromkeys(("take_low", "take_wrong"), "wrong_take"),
    **dict.fromkeys(("drop_high", "drop_wrong"), "wrong_drop"),
}
"""The kind of an error by the code of its first reason (`analysis.explanations`)."""


@dataclass(frozen=True, slots=True)
class ErrorsOfKind:
    """How many errors of a kind, what they gave away, and which share that is of all errors."""

    kind: str
    count: int
    lost: float
    share: float


def by_kind(errors: Iterable[tuple[list[Word], float]]) -> list[ErrorsOfKind]:
    """Errors, each with its reasons and its loss, added up by kind; what cost most comes first."""
    found: dict[str, tuple[int, float]] = {}
    for words, loss in errors:
        kind = KIND_OF.get(words[0][0], OTHER) if words else OTHER
        count, lost = found.get(kind, (0, 0.0))
        found[kind] = (count + 1, lost + loss)
    total = sum(lost for _, lost in found.values())
    rows = [ErrorsOfKind(kind, count, lost, lost / total if total else 0.0) for kind, (count, lost) in found.items()]
    return sorted(rows, key=lambda row: -row.lost)
