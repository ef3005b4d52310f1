"""The lines of an imported results file, as the page shows them."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.formats import date_format

from accounts.models import User
from accounts.web.csv_escape import escape_cell
from tournaments.errors import Refused
from tournaments.selectors.seasons import season_champions as season_champions
from tournaments.services import results_import


@dataclass(frozen=True, slots=True)
class ImportLine:
    """A line of a file: what would happen to it, and why; its cells are escaped against formulas."""

    number: int
    status: str
    cells: list[str]
    why: str = ""
    unknown: list[str] = field(default_factory=list)
    rated: bool = False


def import_lines(outcomes: list[results_import.LineOutcome]) -> list[ImportLine]:
    """The lines of the preview."""
    return [_import_line(outcome) for outcome in outcomes]


def _import_line(outcome: results_import.LineOutcome) -> ImportLine:
    why = Refused(outcome.code).text if outcome.code else ""
    line = outcome.line
    if line is None:
        return ImportLine(outcome.number, outcome.status, [escape_cell(cell) for cell in outcome.cells], why)
    day = date_format(line.day, "SHORT_DATE_FORMAT")
    names = [player.username if isinstance(player, User) else player for player in (outcome.player, outcome.opponent)]
    score = "–".join(map(str, line.points))
    cells = [text for text in (day, *map(escape_cell, names), str(line.length), score, escape_cell(line.event)) if text]
    unknown = [player for player in (outcome.player, outcome.opponent) if isinstance(player, str)]
    return ImportLine(outcome.number, outcome.status, cells, why, unknown, outcome.rated)
