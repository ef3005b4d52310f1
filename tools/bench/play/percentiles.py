"""Percentiles of measurements, and tables of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def at(share: float, values: Sequence[float]) -> float:
    """Return the value below which `share` of them lie; nan if there is none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def spread(seconds: Sequence[float]) -> str:
    """Return p50 / p95 / p99 / maximum in milliseconds."""
    cuts = (at(0.5, seconds), at(0.95, seconds), at(0.99, seconds), max(seconds, default=float("nan")))
    return " / ".join(f"{1000 * cut:.1f}" for cut in cuts)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows with headings, in columns as wide as necessary."""
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
