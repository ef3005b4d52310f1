"""The form of a tournament: everything that its director chooses, before the draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from django import forms
from django.conf import settings
from django.forms.boundfield import BoundField
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import clocks
from games import labels as game_labels
from games.errors import Refused
from games.forms import HIDDEN_OPTIONS
from games.registry import RULES
from tournaments import teams
from tournaments.errors import Refused as TournamentRefused
from tournaments.formats import arena
from tournaments.formats.core import Config, Invalid, usual_tie_breaks
from tournaments.formats.losses import MOST_LOSSES
from tournaments.formats.registry import FORMATS
from tournaments.formats.round_robin import MOST_LEGS
from tournaments.formats.standings import TIE_BREAKS
from tournaments.forms import choice_labels, fields
from tournaments.forms.entry_conditions import ConditionsForm
from tournaments.forms.format_fields import ARENA_ANSWERS, FIELD_BY_REFUSAL, FORMATS_BY_FIELD
from tournaments.forms.game_options import default_option, option_field, option_name
from tournaments.forms.settings_answers import default_answers
from tournaments.selectors import labels
from tournaments.services.match_options import has_house_options
from tournaments.terms import Terms

_T = TypeVar("_T")

DEFAULT_GAME = "backgammon"
LARGEST = 512
DEFAULT_ROUND_MINUTES = 30  # minutes, where rounds open at a time
# Another game has other clocks and options: the page loads that part of the form again.
RELOADS_GAME_FIELDS = {"hx-get": reverse_lazy("tournament-terms"), "hx-params": "variant"}


def _number_field(label: Any, first: int, last: int, help_text: Any = "") -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=first, max_value=last, widget=widget
    )


def _radio_field(label: Any, choices: Mapping[str, Any] | None = None, **attrs: Any) -> forms.ChoiceField:
    named = list(choices.items()) if choices else []
    return forms.ChoiceField(label=label, choices=named, required=False, widget=forms.RadioSelect(attrs=attrs))


class TournamentForm(ConditionsForm):
    """The settings of a tournament to create or change; `kwargs()` is what the services take.

    A setting that is left out gets its default. Clocks and options come from the rules of the chosen game.
    """

    name = forms.CharField(label=_("Tournament name"), max_length=80, strip=True)
    about = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Venue, entry fee, prizes, finishing time."),
    )
    starts_at = fields.LocalTimeField(label=_("Start"), required=False)
    timezone = fields.TimezoneField(label=_("Time zone"), required=False)
    starts_itself = forms.BooleanField(label=_("Start automatically"), required=False)
    capacity = _number_field(_("Player limit"), 2, LARGEST, _("Leave empty for no limit."))
    check_in = forms.BooleanField(
        label=_("Require check-in"),
        required=False,
        help_text=_("Players check in during the last hours before the start. Only checked-in players are drawn."),
    )
    venue = _radio_field(_("Venue"), choice_labels.VENUES)

    variant = forms.ChoiceField(label=_("Game"), required=False, widget=forms.Select(attrs=RELOADS_GAME_FIELDS))
    clock = _radio_field(_("Clock"))
    rated = forms.BooleanField(
        label=_("Rated"), required=False, help_text=_("Online matches between members count for their ratings.")
    )
    lengths = fields.LengthsField(
        label=_("Match length by round"),
        help_text=_(
            "One number for all rounds, or several such as 7, 9, 11. The last one applies to all later rounds."
        ),
    )
    side_lengths = fields.LengthsField(
        label=_("Match length in the other brackets"),
        required=False,
        help_text=_("Leave empty to use the same as in the main bracket."),
    )

    best_of = forms.TypedChoiceField(
        label=_("Matches per pairing"),
        required=False,
        coerce=int,
        empty_value=1,  # type: ignore[arg-type]
        help_text=_("In a series, who first wins most of its matches wins the pairing. Only for single players."),
    )
    best_of_rounds = forms.TypedChoiceField(
        label=_("Series are played in"),
        required=False,
        coerce=int,
        empty_value=0,  # type: ignore[arg-type]
        help_text=_("Other brackets, such as a consolation, always have single matches."),
    )

    format = forms.ChoiceField(label=_("Format"), widget=forms.RadioSelect)
    boards = forms.TypedChoiceField(
        label=_("Who plays"),
        required=False,
        coerce=int,
        empty_value=0,  # type: ignore[arg-type]
        help_text=_(
            "Teams meet board against board. You open each round, or it opens at a set time, so that captains can set "
            "their line-ups."
        ),
    )
    consolation = _radio_field(_("Consolation"), choice_labels.CONSOLATIONS)
    last_chance = forms.BooleanField(label=_("Last-chance bracket"), required=False)
    third_place = forms.BooleanField(
        label=_("Third-place match"),
        required=False,
        help_text=_("The losers of the semi-finals meet. Only without a consolation."),
    )
    rounds = _number_field(_("Rounds"), 1, 99)
    minutes = _number_field(
        _("Duration in minutes"),
        arena.LEAST_MINUTES,
        arena.MOST_MINUTES,
        _("Players are paired until then. Matches in play at the end count."),
    )
    half_byes = _number_field(
        _("Half-point byes per player"),
        0,
        9,
        _("Players may ask not to play a round. Further byes on request are worth no points."),
    )
    table_rounds = _number_field(_("Rounds"), 0, 99, _("0: until everyone has met, or one player is left."))
    legs = _number_field(_("Matches against each opponent"), 1, MOST_LEGS)
    losses = _number_field(_("Eliminate after (losses)"), 1, MOST_LOSSES)
    groups = _number_field(_("Groups"), 2, 64)
    advance = _number_field(_("Players advancing from each group"), 1, 16)
    divisions = _number_field(_("Divisions"), 1, 40)
    moving = _number_field(_("Promotions and relegations per division"), 0, 10)
    byes = _radio_field(_("Byes"), choice_labels.BYES)
    seeding = _radio_field(_("Draw order"), choice_labels.SEEDINGS)

    pace = _radio_field(_("When do rounds open?"), choice_labels.PACES)
    round_minutes = fields.DurationField(
        (15, 20, 30, 40, 45, 60, 75, 90, 120, 180, 240, 1440, 2880, 4320, 10080, 20160), label=_("New round every")
    )
    round_hours = fields.DurationField(
        (1, 2, 3, 4, 6, 12, 24, 48, 72, 120, 168, 336, 672),
        unit=60,
        none=_("no deadline"),
        label=_("Time limit per match"),
    )
    late_from = _number_field(_("From round"), 2, 20, _("Leave empty if all rounds are the same."))
    late_clock = forms.ChoiceField(label=_("Clock in those rounds"), required=False)
    late_hours = fields.DurationField(
        (1, 2, 3, 4, 6, 12, 24, 48, 72, 120, 168, 336, 672),
        unit=60,
        none=_("no deadline"),
        label=_("Time limit in those rounds"),
    )
    no_show_minutes = fields.DurationField(
        (5, 10, 15, 20, 30, 45, 60),
        none=_("no limit"),
        label=_("Grace period for late players"),
        help_text=_("Online only. After that, the waiting player gets points."),
    )
    penalty_minutes = fields.DurationField((1, 2, 3, 5, 10, 15), usual=5, label=_("Then 1 penalty point every"))

    def __init__(
        self, *args: Any, answers: Mapping[str, Any] | None = None, club_timezone: str = "", **kwargs: Any
    ) -> None:
        """`answers` are those of a preset, template or tournament, in place of the defaults.

        `club_timezone` is that of the club, which counts where no other is chosen.
        """
        answers = answers or {}
        self.club_timezone = club_timezone or settings.TIME_ZONE
        data = (args[0] if args else kwargs.get("data")) or answers
        self.rules = RULES.get(data.get("variant") or DEFAULT_GAME) or RULES[DEFAULT_GAME]
        length = self.rules.lengths[0]
        fitting = [preset.key for preset in clocks.fitting(self.rules.clock_kind(length))]
        self.options_of = {key: term for key, term in self.rules.terms(length).items() if key not in HIDDEN_OPTIONS}
        chosen = answers.get("options", {})
        options = {
            option_name(key): chosen.get(key, default_option(key, term)) for key, term in self.options_of.items()
        }
        first = default_answers() | {"variant": self.rules.key, "lengths": (length,), "clock": fitting[0]} | options
        fits = {key: value for key, value in answers.items() if key not in ("clock", "late_clock") or value in fitting}
        fits["round_minutes"] = answers.get("round_minutes") or DEFAULT_ROUND_MINUTES
        kwargs["initial"] = {**first, **fits}
        super().__init__(*args, **kwargs)
        fields.set_choices(self, "variant", [(key, game_labels.variant(key)) for key in RULES])
        fields.set_choices(self, "clock", [(key, game_labels.clock(key)) for key in fitting])
        fields.set_choices(
            self, "late_clock", [("", _("the same")), *((key, game_labels.clock(key)) for key in fitting)]
        )
        fields.set_choices(self, "boards", list(choice_labels.boards().items()))
        fields.set_choices(self, "best_of", list(choice_labels.series_lengths().items()))
        fields.set_choices(self, "best_of_rounds", list(choice_labels.SERIES_ROUNDS.items()))
        fields.set_choices(self, "format", [(key, labels.FORMATS[key]) for key in FORMATS])
        spans = ("round_minutes", "round_hours", "late_hours", "no_show_minutes", "penalty_minutes", "closes_minutes")
        for name in ("timezone", *spans):
            field = cast(fields.TimezoneField | fields.DurationField, self.fields[name])
            field.offer(data.get(name, self.initial.get(name)))
        for key, term in self.options_of.items():
            self.fields[option_name(key)] = option_field(key, term)
        order = tuple(self.initial.get("tie_breaks", ()))
        tie_breaks = [
            ("", "—"),
            *((key, choice_labels.tie_break(key)) for key in TIE_BREAKS),
        ]
        for place, label in enumerate(choice_labels.TIE_BREAK_PLACES, 1):
            self.fields[f"tie_break_{place}"] = forms.ChoiceField(label=str(label), required=False, choices=tie_breaks)
            self.initial.setdefault(f"tie_break_{place}", order[place - 1] if place <= len(order) else "")

    # Iterators for the page

    def formats(self) -> Iterator[tuple[Any, str | Promise]]:
        """The radio buttons of the formats, each with its description."""
        for radio in self["format"]:
            yield radio, choice_labels.FORMAT_DESCRIPTIONS.get(str(radio.data["value"]), "")

    def format_fields(self) -> Iterator[tuple[BoundField, str]]:
        """The fields that belong to some formats only, each with the keys of these formats."""
        for name, formats in FORMATS_BY_FIELD.items():
            if name not in ("boards", "minutes", "tie_breaks", "side_lengths", "best_of", "best_of_rounds"):
                yield self[name], " ".join(formats)

    def formats_with_rounds(self) -> str:
        """The keys of the formats with rounds: all but the arena."""
        return " ".join(key for key, format_ in FORMATS.items() if not format_.pairs_free_players)

    def formats_by_field(self) -> Mapping[str, str]:
        """The formats that a field belongs to, by its name."""
        return {name: " ".join(formats) for name, formats in FORMATS_BY_FIELD.items()}

    def tie_breaks(self) -> list[BoundField]:
        return [self[f"tie_break_{place}"] for place in range(1, len(choice_labels.TIE_BREAK_PLACES) + 1)]

    def usual_tie_breaks(self) -> list[tuple[str, str]]:
        """The usual orders of the tie-breaks in words, each with the keys of its formats."""
        formats: dict[tuple[str, ...], list[str]] = {}
        for key in FORMATS_BY_FIELD["tie_breaks"]:
            formats.setdefault(usual_tie_breaks(key), []).append(key)
        return [
            (" ".join(keys), ", ".join(labels.label_of(labels.TIE_BREAKS, name) for name in order))
            for order, keys in formats.items()
        ]

    def all_meet_formats(self) -> str:
        """The keys of the formats with tables in which everybody meets everybody."""
        return " ".join(FORMATS_BY_FIELD["legs"])

    def options(self) -> list[BoundField]:
        """The options of the game besides length and clock, house rules last."""
        return [
            self[option_name(key)] for key, _term in sorted(self.options_of.items(), key=lambda item: item[1].house)
        ]

    def options_changed(self) -> bool:
        """Whether an option differs from its default, so that their list is shown open."""
        return any(field.value() not in (field.initial, str(field.initial)) for field in self.options())

    # Validation and values

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        for name in FORMATS_BY_FIELD:
            if not self._applies(name):
                self.errors.pop(name, None)
                data.pop(name, None)
        if data.get("format") == arena.Arena.key:
            for name, only in ARENA_ANSWERS.items():
                self.errors.pop(name, None)
                data[name] = only
        for name, usual in default_answers().items():
            if name in self.fields and name not in self.errors and data.get(name) in (None, "", ()):
                data[name] = usual
        if "timezone" not in self.errors:
            data["timezone"] = data.get("timezone") or self.club_timezone
        zone, moment = data.get("timezone"), data.get("starts_at")
        if moment is not None and zone:
            try:
                data["starts_at"] = fields.LocalTimeField.at(moment, zone)
            except forms.ValidationError as error:
                self.add_error("starts_at", error)
        if data.get("starts_itself") and moment is None and "starts_at" not in self.errors:
            self.add_error("starts_at", TournamentRefused("starts_at").text)
        if data.get("boards") and data.get("pace") not in teams.PACES:
            data["pace"] = teams.PACES[0]
        if data.get("pace") == "timed" and not data.get("round_minutes"):
            self.add_error("round_minutes", _("Choose how often a new round opens."))
        self._clean_tie_breaks(data)
        return data

    def _clean_tie_breaks(self, data: dict[str, Any]) -> None:
        """Collect the chosen tie-breaks in their order, without gaps and without repetition."""
        chosen: list[str] = []
        for place in range(1, len(choice_labels.TIE_BREAK_PLACES) + 1):
            key = data.get(f"tie_break_{place}")
            if key in chosen and self._applies("tie_breaks"):
                self.add_error(f"tie_break_{place}", _("You have already chosen this tie-break above."))
            elif key:
                chosen.append(key)
        data["tie_breaks"] = tuple(chosen)

    def _applies(self, name: str) -> bool:
        return self.cleaned_data.get("format") in FORMATS_BY_FIELD[name]

    def terms(self) -> Terms:
        """The terms of a valid form; fields that do not apply to the format get their defaults."""
        data = self.cleaned_data
        shape = {name: data[name] for name in FORMATS_BY_FIELD if self._applies(name)}
        side_lengths = shape.pop("side_lengths", ())
        if "table_rounds" in shape:
            shape["rounds"] = shape.pop("table_rounds")
        options = {key: data[option_name(key)] for key in self.options_of}
        terms = Terms(
            config=Config(format=data["format"], **shape),
            variant=data["variant"],
            options=options,
            clock=data["clock"],
            rated=data["rated"],
            venue=data["venue"],
            seeding=data["seeding"],
            lengths=data["lengths"],
            side_lengths=side_lengths,
            pace=data["pace"],
            round_minutes=data["round_minutes"] if data["pace"] == "timed" else 0,
            round_hours=data["round_hours"],
            clocks=self._by_round(data["clock"], data["late_clock"] or data["clock"]),
            hours=self._by_round(data["round_hours"], data["late_hours"]),
            no_show_minutes=data["no_show_minutes"],
            penalty_minutes=data["penalty_minutes"],
            check_in=data["check_in"],
            **self.conditions(),
        )
        return replace(terms, rated=terms.rated and not has_house_options(terms))

    def _by_round(self, first: _T, later: _T) -> tuple[_T, ...]:
        """Values by round where the later rounds differ, else nothing."""
        rounds = self.cleaned_data.get("late_from")
        return (*(first,) * (rounds - 1), later) if rounds and later != first else ()

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `services.tournament_create` and `tournament_update`."""
        columns = ("name", "about", "timezone", "capacity", "starts_at", "starts_itself")
        return {"terms": self.terms(), **{name: self.cleaned_data[name] for name in columns}}

    def show_refusal(self, error: Refused | Invalid) -> None:
        """Show a refusal of the services at the field that it is about."""
        refused = TournamentRefused(error.code, params=dict(error.params)) if isinstance(error, Invalid) else error
        field = FIELD_BY_REFUSAL.get(refused.code)
        if field == "rounds" and self._applies("table_rounds"):
            field = "table_rounds"
        self.add_error(field, refused.text)
