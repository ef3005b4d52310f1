"""What is chosen about a tournament, as a body says it and as it is told. All rules are those of `TournamentForm`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from rest_framework import serializers

from accounts.api.bodies import Body
from accounts.api.forms import field_of, filled, shown_as, unfit, valid
from games.api.common import choice, whole
from games.api.offers import TermsField
from games.api.options import OPTION, option_fields
from games.api.states import OptionsField
from games.clocks import PRESETS
from games.registry import RULES
from tournaments.blueprints import BLUEPRINTS
from tournaments.formats.standings import TIE_BREAKS
from tournaments.formats.table import FORMATS
from tournaments.forms import TournamentForm
from tournaments.forms.fields import MOST_LENGTHS, every_zone
from tournaments.forms.labels import PLACES
from tournaments.forms.terms import CONCERNS, USUAL_GAME, option_name, usual_answers
from tournaments.terms import LONGEST

MOST_SPAN = 99_999
OF_THE_GAME = ("lengths", "side_lengths", "clock", "late_clock", "options")
LATER = ("late_clock", "late_hours")
_field = partial(field_of, TournamentForm)
_shape = partial(field_of, TournamentForm, allow_null=True)  # null: it does not concern the format


def _lengths(about: str, **more: Any) -> serializers.ListField:
    points = whole("Points.", least=1, most=LONGEST)
    return serializers.ListField(child=points, max_length=MOST_LENGTHS, required=False, help_text=about, **more)


def _span(about: str, least: int = 0, **more: Any) -> serializers.IntegerField:
    return whole(about, least=least, most=MOST_SPAN, **more)


class EveningFacts(Body):
    """What is played, and how: what is left out is as usual, or stays. What does not concern the format counts for
    nothing, and is told as null.
    """

    name = _field("name")
    about = _field("about")
    starts_itself = _field("starts_itself")
    capacity = _field("capacity", allow_null=True)
    check_in = _field("check_in")
    venue = _field("venue")
    variant = _field("variant", choices=RULES)
    clock = _field("clock", choices=PRESETS)
    rated = _field("rated")
    lengths = _lengths("Points by round, the last for all later.", min_length=1)
    side_lengths = _lengths("The same for the other brackets; none: as in the main one.", allow_null=True)
    options = TermsField(required=False, help_text="Of the game: see `GET /api/v1/variants/`.")
    format = _field("format", choices=FORMATS)
    consolation = _shape("consolation")
    last_chance = _shape("last_chance")
    rounds = whole("Rounds; 0 (not in a Swiss one): until all have met, or one is left.", most=99, allow_null=True)
    legs = _shape("legs")
    losses = _shape("losses")
    groups = _shape("groups")
    advance = _shape("advance")
    divisions = _shape("divisions")
    moving = _shape("moving")
    byes = _shape("byes")
    tie_breaks = serializers.ListField(
        child=choice(TIE_BREAKS), max_length=len(PLACES), required=False, allow_null=True, help_text="In their order."
    )
    seeding = _field("seeding")
    pace = _field("pace")
    round_minutes = _span("At the pace `timed`: a round every so many minutes.", least=1, allow_null=True)
    round_hours = _span("Hours to play a match; 0: no deadline.")
    late_from = _field("late_from", allow_null=True)
    late_clock = _field("late_clock", choices=PRESETS, allow_null=True)
    late_hours = _span("Their hours; 0: no deadline.", allow_null=True)
    no_show_minutes = _span("How late one may be; 0: as long as it takes.")
    penalty_minutes = _span("Then a penalty point every so many minutes.", least=1)
    entry = _field("entry")
    club_only = _field("club_only")
    rating_from = _field("rating_from")
    rating_to = _field("rating_to")
    closes_minutes = _span("Entries close so long before the start; 0: with the draw.")


class TournamentFacts(EveningFacts):
    """What is to be another way about a tournament; the rest stays."""

    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    timezone = serializers.CharField(required=False, max_length=64, help_text="`Europe/Madrid`.")


class TournamentBody(TournamentFacts):
    """A tournament to be made: one's own words over a kind of evening, a template, or another tournament."""

    name = _field("name", required=True)
    club = serializers.SlugField(required=False, max_length=50, help_text="Its slug; the first that one directs.")
    blueprint = choice(BLUEPRINTS, "The kind of evening to begin with.", required=False)
    template = whole("A template of the club, by its number, to begin with.", least=1, most=2**53)
    like = serializers.SlugField(required=False, max_length=24, help_text="A tournament to begin with, by its id.")


SettingsSerializer = shown_as(
    "SettingsSerializer", TournamentFacts, "What was chosen about a tournament.", options=OptionsField()
)
EveningSerializer = shown_as(
    "EveningSerializer", EveningFacts, "What a template holds: a tournament without a date.", options=OptionsField()
)


def told(answers: Mapping[str, Any], *, dated: bool = True) -> dict[str, Any]:
    """The answers of `forms.answers_of` as they are told; null where the format has no such thing."""
    known = {**usual_answers(), **answers}
    concerns = {name for name, formats in CONCERNS.items() if known["format"] in formats}
    known["rounds"] = known["table_rounds"] if "table_rounds" in concerns else known["rounds"]
    concerns |= {"rounds"} if "table_rounds" in concerns else set()
    silent = {name for name in CONCERNS if name not in concerns}
    silent |= {"round_minutes"} if known["pace"] != "timed" else set()
    silent |= set(LATER) if not known.get("late_from") else set()
    form = TournamentForm(answers=known)  # it knows which options the game has, and the usual ones
    known["options"] = {key: form.initial[option_name(key)] for key in form.options_of}
    shape = SettingsSerializer if dated else EveningSerializer
    found: dict[str, Any] = shape(
        {name: None if name in silent else known.get(name) for name in shape._declared_fields}
    ).data
    return found


def form_of(answers: Mapping[str, Any], said: Mapping[str, Any], starts_at: datetime | None = None) -> TournamentForm:
    """The form of a tournament, filled in: what was `said` over the `answers`; another game begins with its own usual
    terms. Raises Problem ``unfit``.
    """
    if said.get("variant", answers.get("variant", USUAL_GAME)) != answers.get("variant", USUAL_GAME):
        answers = {name: value for name, value in answers.items() if name not in OF_THE_GAME}
    answers = {**answers, **{name: said[name] for name in ("variant", "format", "timezone") if name in said}}
    shown = TournamentForm(answers=answers)
    written = {name: value for name, value in said.items() if name in shown.fields}
    written |= option_fields(shown, said.get("options", {}))
    if "tie_breaks" in said:
        chosen = said["tie_breaks"] or []
        written |= {f"tie_break_{n}": chosen[n - 1] if n <= len(chosen) else "" for n in range(1, len(PLACES) + 1)}
    if "rounds" in said and answers.get("format") in CONCERNS["table_rounds"]:
        written["table_rounds"] = written.pop("rounds")
    written["starts_at"] = _local(starts_at, str(answers.get("timezone", "")))
    return valid(TournamentForm(filled(shown, written)), _called)


def _local(moment: datetime | None, zone: str) -> datetime | None:
    """The hour of the place, as the form asks for it. Raises Problem ``unfit``."""
    if moment is None or zone not in every_zone():
        return None
    try:
        return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    except OverflowError as error:
        raise unfit({"starts_at": [str(error)]}) from error


def _called(name: str) -> str:
    """What the body calls a field of the form."""
    if name.startswith("tie_break_"):
        return "tie_breaks"
    if name.startswith(OPTION):
        return f"options.{name.removeprefix(OPTION)}"
    return "rounds" if name == "table_rounds" else name
