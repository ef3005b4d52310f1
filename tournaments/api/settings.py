"""The settings of a tournament in requests and responses. All rules are those of `TournamentForm`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from rest_framework import serializers

from accounts.api.bodies import Body
from accounts.api.forms import form_data, read_serializer, serializer_field, unfit, validated_form
from games.api.fields import choice, integer
from games.api.lobby import TermsField
from games.api.option_fields import OPTION, option_fields
from games.api.state_serializers import OptionsField
from games.clocks import PRESETS as CLOCK_PRESETS
from games.registry import RULES
from tournaments.formats.core import usual_tie_breaks
from tournaments.formats.registry import FORMATS
from tournaments.formats.standings import TIE_BREAKS
from tournaments.forms.choice_labels import TIE_BREAK_PLACES
from tournaments.forms.fields import MOST_LENGTHS, all_timezones
from tournaments.forms.format_fields import FORMATS_BY_FIELD
from tournaments.forms.game_options import option_name
from tournaments.forms.settings import DEFAULT_GAME, TournamentForm
from tournaments.forms.settings_answers import default_answers
from tournaments.presets import PRESETS
from tournaments.series import LENGTHS as SERIES_LENGTHS
from tournaments.teams import FEWEST_BOARDS, MOST_BOARDS
from tournaments.terms import LONGEST

MOST_SPAN = 99_999
MOST_MATCHES = SERIES_LENGTHS[-1]
GAME_FIELDS = ("lengths", "side_lengths", "clock", "late_clock", "options")
LATE_ROUND_FIELDS = ("late_clock", "late_hours")
_field = partial(serializer_field, TournamentForm)
_shape = partial(serializer_field, TournamentForm, allow_null=True)  # null: it does not apply to the format


def _lengths(about: str, **more: Any) -> serializers.ListField:
    points = integer("Points.", least=1, most=LONGEST)
    return serializers.ListField(child=points, max_length=MOST_LENGTHS, required=False, help_text=about, **more)


def _span(about: str, least: int = 0, **more: Any) -> serializers.IntegerField:
    return integer(about, least=least, most=MOST_SPAN, **more)


class TemplateSettingsBody(Body):
    """Settings: those that are left out get their default, or stay. Those that do not apply to the format are ignored,
    and null in responses.
    """

    name = _field("name")
    about = _field("about")
    starts_itself = _field("starts_itself")
    capacity = _field("capacity", allow_null=True)
    check_in = _field("check_in")
    venue = _field("venue")
    variant = _field("variant", choices=RULES)
    clock = _field("clock", choices=CLOCK_PRESETS)
    rated = _field("rated")
    lengths = _lengths("Points by round, the last for all later.", min_length=1)
    side_lengths = _lengths("The same for the other brackets; none: as in the main one.", allow_null=True)
    options = TermsField(required=False, help_text="Of the game: see `GET /api/v1/variants/`.")
    format = _field("format", choices=FORMATS)
    consolation = _shape("consolation")
    last_chance = _shape("last_chance")
    third_place = _shape("third_place")
    rounds = integer("Rounds; 0 (not in a Swiss one): until all have met, or one is left.", most=99, allow_null=True)
    minutes = _shape("minutes")
    half_byes = _shape("half_byes")
    boards = integer(
        f"Boards of a team match, {FEWEST_BOARDS} to {MOST_BOARDS}; 0: single players.",
        most=MOST_BOARDS,
        allow_null=True,
    )
    best_of = integer(
        "Matches that decide a pairing: 3, 5 or 7 are a series, 1 is a single match.",
        most=MOST_MATCHES,
        allow_null=True,
    )
    best_of_rounds = integer(
        "Of a bracket: how many of its last rounds are series; 0: all of them.", most=3, allow_null=True
    )
    legs = _shape("legs")
    losses = _shape("losses")
    groups = _shape("groups")
    advance = _shape("advance")
    divisions = _shape("divisions")
    moving = _shape("moving")
    byes = _shape("byes")
    tie_breaks = serializers.ListField(
        child=choice(TIE_BREAKS),
        max_length=len(TIE_BREAK_PLACES),
        required=False,
        allow_null=True,
        help_text="In their order; none: the usual ones of the format. Buchholz and median are ignored where all meet.",
    )
    seeding = _field("seeding")
    pace = _field("pace")
    round_minutes = _span("At the pace `timed`: a round every so many minutes.", least=1, allow_null=True)
    round_hours = _span("Hours to play a match; 0: no deadline.")
    late_from = _field("late_from", allow_null=True)
    late_clock = _field("late_clock", choices=CLOCK_PRESETS, allow_null=True)
    late_hours = _span("Their hours; 0: no deadline.", allow_null=True)
    no_show_minutes = _span("Grace period for late players; 0: no limit.")
    penalty_minutes = _span("Then a penalty point every so many minutes.", least=1)
    entry = _field("entry")
    club_only = _field("club_only")
    rating_from = _field("rating_from")
    rating_to = _field("rating_to")
    closes_minutes = _span("Registration closes so long before the start; 0: at the draw.")


class TournamentSettingsBody(TemplateSettingsBody):
    """Changes of a tournament's settings; what is left out stays."""

    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    timezone = serializers.CharField(
        required=False, max_length=64, help_text="`Europe/Madrid`. A new tournament has that of its club."
    )


class TournamentBody(TournamentSettingsBody):
    """A tournament to create: settings on top of a preset, a template, or another tournament."""

    name = _field("name", required=True)
    club = serializers.SlugField(
        required=False, max_length=50, help_text="Its slug; by default the first club that one directs."
    )
    blueprint = choice(PRESETS, "The preset to start from.", required=False)
    template = integer("A template of the club to start from, by its number.", least=1, most=2**53)
    like = serializers.SlugField(required=False, max_length=24, help_text="A tournament to start from, by its id.")


SettingsSerializer = read_serializer(
    "SettingsSerializer", TournamentSettingsBody, "The settings of a tournament.", options=OptionsField()
)
TemplateSettingsSerializer = read_serializer(
    "EveningSerializer",
    TemplateSettingsBody,
    "The settings of a template: a tournament without a date.",
    options=OptionsField(),
)


def serialize_answers(answers: Mapping[str, Any], *, dated: bool = True) -> dict[str, Any]:
    """Serialize the answers of `answers_of`; null for settings that do not apply to the format."""
    known = {**default_answers(), **answers}
    applying = {name for name, formats in FORMATS_BY_FIELD.items() if known["format"] in formats}
    known["tie_breaks"] = known["tie_breaks"] or usual_tie_breaks(known["format"], known["boards"])
    known["rounds"] = known["table_rounds"] if "table_rounds" in applying else known["rounds"]
    applying |= {"rounds"} if "table_rounds" in applying else set()
    null_fields = {name for name in FORMATS_BY_FIELD if name not in applying}
    null_fields |= {"round_minutes"} if known["pace"] != "timed" else set()
    null_fields |= set(LATE_ROUND_FIELDS) if not known.get("late_from") else set()
    form = TournamentForm(answers=known)  # it knows the options of the game, and their defaults
    known["options"] = {key: form.initial[option_name(key)] for key in form.options_of}
    shape = SettingsSerializer if dated else TemplateSettingsSerializer
    found: dict[str, Any] = shape(
        {name: None if name in null_fields else known.get(name) for name in shape._declared_fields}
    ).data
    return found


def filled_form(
    answers: Mapping[str, Any], data: Mapping[str, Any], starts_at: datetime | None = None
) -> TournamentForm:
    """The form of a tournament, filled in with the `data` on top of the `answers`; another game starts with its own
    default terms. Raises Problem ``unfit``.
    """
    if data.get("variant", answers.get("variant", DEFAULT_GAME)) != answers.get("variant", DEFAULT_GAME):
        answers = {name: value for name, value in answers.items() if name not in GAME_FIELDS}
    answers = {**answers, **{name: data[name] for name in ("variant", "format", "timezone") if name in data}}
    blank = TournamentForm(answers=answers)
    changed = {name: value for name, value in data.items() if name in blank.fields}
    changed |= option_fields(blank, data.get("options", {}))
    if "tie_breaks" in data:
        chosen = data["tie_breaks"] or []
        changed |= {
            f"tie_break_{n}": chosen[n - 1] if n <= len(chosen) else "" for n in range(1, len(TIE_BREAK_PLACES) + 1)
        }
    if "rounds" in data and answers.get("format") in FORMATS_BY_FIELD["table_rounds"]:
        changed["table_rounds"] = changed.pop("rounds")
    changed["starts_at"] = _local(starts_at, str(answers.get("timezone", "")))
    return validated_form(TournamentForm(form_data(blank, changed)), _body_field)


def _local(moment: datetime | None, zone: str) -> datetime | None:
    """A moment as local time of the time zone, as the form expects it. Raises Problem ``unfit``."""
    if moment is None or zone not in all_timezones():
        return None
    try:
        return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    except OverflowError as error:
        raise unfit({"starts_at": [str(error)]}) from error


def _body_field(name: str) -> str:
    """The name in the body of a field of the form."""
    if name.startswith("tie_break_"):
        return "tie_breaks"
    if name.startswith(OPTION):
        return f"options.{name.removeprefix(OPTION)}"
    return "rounds" if name == "table_rounds" else name
