"""The form of a tournament: everything that its director chooses, before the draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django import forms
from django.forms.boundfield import BoundField
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import clocks, words
from games.engine import Term
from games.errors import Refused
from games.forms import HELP, LABELS, UNSEEN
from games.registry import RULES
from tournaments.blueprints import TOURNAMENT_OPTIONS, USUAL
from tournaments.errors import Refused as TournamentRefused
from tournaments.formats.core import Config, Invalid
from tournaments.formats.losses import MOST_LOSSES
from tournaments.formats.round_robin import MOST_LEGS
from tournaments.formats.standings import TIE_BREAKS
from tournaments.formats.table import FORMATS
from tournaments.forms import fields, labels
from tournaments.forms.conditions import ConditionsForm
from tournaments.models import Tournament
from tournaments.selectors import words as names
from tournaments.terms import Terms

_T = TypeVar("_T")

USUAL_GAME = "backgammon"
LARGEST = 512
USUAL_ROUND = 30  # minutes, where rounds open at a time
# A change of the game changes which clocks and options there are: the page asks for that part of the form again.
ASKS_AGAIN = {"hx-get": reverse_lazy("tournament-terms"), "hx-params": "variant"}

# The fields of a shape, and the formats that they concern. The page shows them with these formats; for all others
# what they hold is passed over.
CONCERNS: Mapping[str, tuple[str, ...]] = {
    "consolation": ("knockout",),
    "last_chance": ("knockout",),
    "byes": ("knockout", "double", "groups"),
    "side_lengths": ("knockout", "double"),
    "rounds": ("swiss",),
    "table_rounds": ("round-robin", "losses"),
    "legs": ("round-robin", "groups", "league"),
    "losses": ("losses",),
    "groups": ("groups",),
    "advance": ("groups",),
    "divisions": ("league",),
    "moving": ("league",),
    "tie_breaks": ("swiss", "losses", "round-robin", "groups", "league"),
}
# Where a refusal is shown, by its code; all others stand above the form.
FIELD_OF = {
    "timezone": "timezone",
    "starts_at": "starts_at",
    "lengths": "lengths",
    "length": "lengths",
    "variant": "variant",
    "clock": "clock",
    "too_few": "capacity",
    "too_many": "capacity",
    "rounds": "rounds",
    "groups": "groups",
    "divisions": "divisions",
    "losses": "losses",
    "legs": "legs",
    "advance": "advance",
    "moving": "moving",
    "tie_breaks": "tie_break_1",
}


def _count(label: Any, first: int, last: int, help_text: Any = "") -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=first, max_value=last, widget=widget
    )


def _choice(label: Any, choices: Mapping[str, Any] | None = None, **attrs: Any) -> forms.ChoiceField:
    named = list(choices.items()) if choices else []
    return forms.ChoiceField(label=label, choices=named, required=False, widget=forms.RadioSelect(attrs=attrs))


class TournamentForm(ConditionsForm):
    """A tournament to be made or changed: `facts()` is what the services take. What is left out is as usual.

    The clocks and options are those of the chosen game: its rules name them, and nothing here knows one.
    """

    name = forms.CharField(label=_("Name of the tournament"), max_length=80, strip=True)
    about = forms.CharField(
        label=_("What players should know"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The place, the fee, the prizes, when the evening ends."),
    )
    starts_at = fields.LocalTimeField(label=_("Start"), required=False)
    timezone = fields.ZoneField(label=_("Time zone"))
    starts_itself = forms.BooleanField(label=_("Draw and start by itself at that time"), required=False)
    capacity = _count(_("Most players"), 2, LARGEST, _("Empty: as many as come."))
    check_in = forms.BooleanField(
        label=_("Only who checks in is drawn"),
        required=False,
        help_text=_("Players confirm in the last hours that they are there."),
    )
    venue = _choice(_("Where do they play?"), labels.VENUES)

    variant = forms.ChoiceField(label=_("Game"), required=False, widget=forms.Select(attrs=ASKS_AGAIN))
    clock = _choice(_("Clock"))
    rated = forms.BooleanField(
        label=_("Rated"), required=False, help_text=_("Matches between members on this site count for their rating.")
    )
    lengths = fields.LengthsField(
        label=_("Points by round"), help_text=_("One number for all rounds, or 7, 9, 11: the last one goes on.")
    )
    side_lengths = fields.LengthsField(
        label=_("Points in the other brackets"), required=False, help_text=_("Empty: as in the main one.")
    )

    format = forms.ChoiceField(label=_("Format"), widget=forms.RadioSelect)
    consolation = _choice(_("Consolation"), labels.CONSOLATIONS)
    last_chance = forms.BooleanField(label=_("Last chance for who loses there too"), required=False)
    rounds = _count(_("Rounds"), 1, 99)
    table_rounds = _count(_("Rounds"), 0, 99, _("0: until all have met, or one is left."))
    legs = _count(_("How often each two meet"), 1, MOST_LEGS)
    losses = _count(_("Out after how many losses"), 1, MOST_LOSSES)
    groups = _count(_("Groups"), 2, 64)
    advance = _count(_("How many of each group go on"), 1, 16)
    divisions = _count(_("Divisions"), 1, 40)
    moving = _count(_("Up and down between two divisions"), 0, 10)
    byes = _choice(_("Byes"), labels.BYES)
    seeding = _choice(_("Order of the draw"), labels.SEEDINGS)

    pace = _choice(_("When does a round open?"), labels.PACES)
    round_minutes = fields.SpanField(
        (15, 20, 30, 40, 45, 60, 75, 90, 120, 180, 240, 1440, 2880, 4320, 10080, 20160), label=_("A round every")
    )
    round_hours = fields.SpanField(
        (1, 2, 3, 4, 6, 12, 24, 48, 72, 120, 168, 336, 672),
        unit=60,
        none=_("no deadline"),
        label=_("Time to play a match"),
    )
    late_from = _count(_("From this round on"), 2, 20, _("Empty: all rounds are alike."))
    late_clock = forms.ChoiceField(label=_("Their clock"), required=False)
    late_hours = fields.SpanField(
        (1, 2, 3, 4, 6, 12, 24, 48, 72, 120, 168, 336, 672), unit=60, none=_("no deadline"), label=_("Their time")
    )
    no_show_minutes = fields.SpanField(
        (5, 10, 15, 20, 30, 45, 60),
        none=_("as long as it takes"),
        label=_("How late may one be?"),
        help_text=_("On the board of this site: after that the one who waits gets points."),
    )
    penalty_minutes = fields.SpanField((1, 2, 3, 5, 10, 15), usual=5, label=_("Then a penalty point every"))

    def __init__(self, *args: Any, answers: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        """`answers` are those of a blueprint or of a tournament, in place of the usual ones."""
        answers = answers or {}
        data = (args[0] if args else kwargs.get("data")) or answers
        self.rules = RULES.get(data.get("variant") or USUAL_GAME) or RULES[USUAL_GAME]
        length = self.rules.lengths[0]
        fitting = [preset.key for preset in clocks.fitting(self.rules.clock_kind(length))]
        self.options_of = {key: term for key, term in self.rules.terms(length).items() if key not in UNSEEN}
        chosen = answers.get("options", {})
        options = {option_name(key): chosen.get(key, _usual(key, term)) for key, term in self.options_of.items()}
        first = usual_answers() | {"variant": self.rules.key, "lengths": (length,), "clock": fitting[0]} | options
        fits = {key: value for key, value in answers.items() if key not in ("clock", "late_clock") or value in fitting}
        fits["round_minutes"] = answers.get("round_minutes") or USUAL_ROUND
        kwargs["initial"] = {**first, **fits}
        super().__init__(*args, **kwargs)
        self._offer("variant", [(key, words.variant(key)) for key in RULES])
        self._offer("clock", [(key, words.clock(key)) for key in fitting])
        self._offer("late_clock", [("", _("the same")), *((key, words.clock(key)) for key in fitting)])
        self._offer("format", [(key, names.FORMATS[key]) for key in FORMATS])
        spans = ("round_minutes", "round_hours", "late_hours", "no_show_minutes", "penalty_minutes", "closes_minutes")
        for name in ("timezone", *spans):
            self.fields[name].offer(data.get(name, self.initial.get(name)))  # type: ignore[attr-defined]
        for key, term in self.options_of.items():
            self.fields[option_name(key)] = _option(key, term)
        order = tuple(self.initial.get("tie_breaks", ()))
        tie_breaks = [("", "—"), *((key, names.capital(names.named(names.TIE_BREAKS, key))) for key in TIE_BREAKS)]
        for place, label in enumerate(labels.PLACES, 1):
            self.fields[f"tie_break_{place}"] = forms.ChoiceField(label=str(label), required=False, choices=tie_breaks)
            self.initial.setdefault(f"tie_break_{place}", order[place - 1] if place <= len(order) else "")

    def _offer(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    # What the page walks over

    def formats(self) -> Iterator[tuple[Any, str | Promise]]:
        """The radio buttons of the formats, each with a line about it."""
        for radio in self["format"]:
            yield radio, labels.FACTS.get(str(radio.data["value"]), "")

    def shape(self) -> Iterator[tuple[BoundField, str]]:
        """The fields of the formats in their order, each with the formats that it concerns."""
        for name, formats in CONCERNS.items():
            if name not in ("tie_breaks", "side_lengths"):
                yield self[name], " ".join(formats)

    def concerned(self) -> Mapping[str, str]:
        """The formats that a field concerns, by its name."""
        return {name: " ".join(formats) for name, formats in CONCERNS.items()}

    def tie_breaks(self) -> list[BoundField]:
        return [self[f"tie_break_{place}"] for place in range(1, len(labels.PLACES) + 1)]

    def options(self) -> list[BoundField]:
        """What can be agreed on in this game besides length and clock, the usual things first."""
        return [self[option_name(key)] for key, _term in sorted(self.options_of.items(), key=lambda one: one[1].house)]

    def options_changed(self) -> bool:
        """Whether an option is not as usual, so that their list is shown open."""
        return any(field.value() not in (field.initial, str(field.initial)) for field in self.options())

    # What was typed

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        for name in CONCERNS:
            if not self._concerns(name):
                self.errors.pop(name, None)
                data.pop(name, None)
        for name, usual in usual_answers().items():
            if name in self.fields and name not in self.errors and data.get(name) in (None, "", ()):
                data[name] = usual
        zone, moment = data.get("timezone"), data.get("starts_at")
        if moment is not None and zone:
            try:
                data["starts_at"] = fields.LocalTimeField.at(moment, zone)
            except forms.ValidationError as error:
                self.add_error("starts_at", error)
        if data.get("starts_itself") and moment is None and "starts_at" not in self.errors:
            self.add_error("starts_at", TournamentRefused("starts_at").text)
        if data.get("pace") == "timed" and not data.get("round_minutes"):
            self.add_error("round_minutes", _("How much later does the next round open?"))
        self._clean_tie_breaks(data)
        return data

    def _clean_tie_breaks(self, data: dict[str, Any]) -> None:
        """The chosen ones in their order, without gaps; each may stand once."""
        chosen: list[str] = []
        for place in range(1, len(labels.PLACES) + 1):
            one = data.get(f"tie_break_{place}")
            if one in chosen and self._concerns("tie_breaks"):
                self.add_error(f"tie_break_{place}", _("This one stands above already."))
            elif one:
                chosen.append(one)
        data["tie_breaks"] = tuple(chosen)

    def _concerns(self, name: str) -> bool:
        return self.cleaned_data.get("format") in CONCERNS[name]

    def terms(self) -> Terms:
        """The terms as they were typed; what does not concern the format is as usual."""
        data = self.cleaned_data
        shape = {name: data[name] for name in CONCERNS if self._concerns(name)}
        side_lengths = shape.pop("side_lengths", ())
        if "table_rounds" in shape:
            shape["rounds"] = shape.pop("table_rounds")
        options = {key: data[option_name(key)] for key in self.options_of}
        house = any(term.house and options[key] != term.default for key, term in self.options_of.items())
        return Terms(
            config=Config(format=data["format"], **shape),
            variant=data["variant"],
            options=options,
            clock=data["clock"],
            rated=data["rated"] and not house,
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

    def _by_round(self, first: _T, later: _T) -> tuple[_T, ...]:
        """Values by round where the later rounds are different, else nothing."""
        rounds = self.cleaned_data.get("late_from")
        return (*(first,) * (rounds - 1), later) if rounds and later != first else ()

    def facts(self) -> dict[str, Any]:
        """Keyword arguments for `services.tournament_create` and `tournament_change`."""
        columns = ("name", "about", "timezone", "capacity", "starts_at", "starts_itself")
        return {"terms": self.terms(), **{name: self.cleaned_data[name] for name in columns}}

    def refuse(self, refused: Refused | Invalid) -> None:
        """Show a refusal of the services at the field that it is about."""
        if isinstance(refused, Invalid):
            refused = TournamentRefused(refused.code, params=dict(refused.params))
        where = FIELD_OF.get(refused.code)
        if where == "rounds" and self._concerns("table_rounds"):
            where = "table_rounds"
        self.add_error(where, refused.text)


def usual_answers() -> dict[str, Any]:
    """The answers that nobody has to give, before any blueprint."""
    terms = {name: one.default for name, one in Terms.__dataclass_fields__.items() if name not in ("config", "options")}
    shape = {name: one.default for name, one in Config.__dataclass_fields__.items() if name != "format"}
    late = {"late_clock": "", "late_hours": 0}
    return {**terms, **shape, **late, "rounds": 4, "table_rounds": 0, "groups": 4, "format": USUAL.answers["format"]}


def answers_of(tournament: Tournament) -> dict[str, Any]:
    """The answers that made a tournament, for its settings."""
    terms = Terms.read(tournament.terms)
    said = {name: getattr(terms, name) for name in Terms.__dataclass_fields__ if name != "config"}
    read = {name for name, formats in CONCERNS.items() if terms.config.format in formats} | {"format"}
    shape = {name: getattr(terms.config, name) for name in Config.__dataclass_fields__ if name in read}
    facts = {name: getattr(tournament, name) for name in ("name", "about", "timezone", "capacity", "starts_itself")}
    starts_at = tournament.starts_at
    if starts_at is not None:
        starts_at = starts_at.astimezone(ZoneInfo(tournament.timezone)).replace(tzinfo=None)
    if "table_rounds" in read:
        shape["table_rounds"] = terms.config.rounds
    if terms.clocks or terms.hours:
        late = max(len(terms.clocks), len(terms.hours))
        said |= {"late_from": late, "late_clock": terms.clock_of(late), "late_hours": terms.hours_of(late)}
    return {**said, **shape, **facts, "starts_at": starts_at}


def option_name(key: str) -> str:
    """The field of an option of the game: their keys may be called like fields of ours."""
    return f"option_{key}"


def _usual(key: str, term: Term) -> Any:
    wanted = TOURNAMENT_OPTIONS.get(key, term.default)
    return wanted if wanted in term.choices else term.default


def _option(key: str, term: Term) -> forms.Field:
    """The field of one option: a switch, or a choice of its values in their own type."""
    label, help_text = LABELS.get(key, key), HELP.get(key, "")
    if set(term.choices) == {True, False}:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    named = [(choice, words.CHOICES.get(choice, choice)) for choice in term.choices]
    kind: Callable[[Any], Any] = type(term.default)
    return forms.TypedChoiceField(
        label=label,
        help_text=help_text,
        required=False,
        choices=named,
        coerce=kind,
        empty_value=_usual(key, term),
    )
