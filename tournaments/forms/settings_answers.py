"""The answers that the form of a tournament begins with: those by default, and those of a tournament."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

from tournaments.formats.core import Config, usual_tie_breaks
from tournaments.forms.format_fields import FORMATS_BY_FIELD
from tournaments.models import Tournament
from tournaments.presets import DEFAULT_PRESET
from tournaments.terms import Terms


def default_answers() -> dict[str, Any]:
    """The default answers, before any preset."""
    terms = {
        name: item.default for name, item in Terms.__dataclass_fields__.items() if name not in ("config", "options")
    }
    shape = {name: item.default for name, item in Config.__dataclass_fields__.items() if name != "format"}
    late = {"late_clock": "", "late_hours": 0}
    return {
        **terms,
        **shape,
        **late,
        "rounds": 4,
        "table_rounds": 0,
        "groups": 4,
        "minutes": 60,
        "format": DEFAULT_PRESET.answers["format"],
    }


def answers_of(tournament: Tournament) -> dict[str, Any]:
    """The answers of `TournamentForm` that a tournament was created with."""
    terms = Terms.read(tournament.terms)
    answers = {name: getattr(terms, name) for name in Terms.__dataclass_fields__ if name != "config"}
    read = {name for name, formats in FORMATS_BY_FIELD.items() if terms.config.format in formats} | {"format"}
    shape = {name: getattr(terms.config, name) for name in Config.__dataclass_fields__ if name in read}
    if shape.get("tie_breaks") == usual_tie_breaks(terms.config.format, terms.config.boards):
        shape["tie_breaks"] = ()  # so that another format brings its own usual order
    columns = {name: getattr(tournament, name) for name in ("name", "about", "timezone", "capacity", "starts_itself")}
    starts_at = tournament.starts_at
    if starts_at is not None:
        starts_at = starts_at.astimezone(ZoneInfo(tournament.timezone)).replace(tzinfo=None)
    if "table_rounds" in read:
        shape["table_rounds"] = terms.config.rounds
    if terms.clocks or terms.hours:
        late = max(len(terms.clocks), len(terms.hours))
        answers |= {"late_from": late, "late_clock": terms.clock_of(late), "late_hours": terms.hours_of(late)}
    return {**answers, **shape, **columns, "starts_at": starts_at}
