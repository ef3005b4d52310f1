"""The form of a ladder's settings, and the small forms of its directors."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games import clocks, labels
from games.errors import Refused
from games.forms.play import HIDDEN_OPTIONS, option_field
from games.registry import RULES
from games.services.offers import MAX_LENGTH
from ladders.labels import kind
from ladders.models import Ladder
from ladders.rules import FIELDS, KINDS, Config
from ladders.rules.config import BOUNDS
from ladders.services.transaction import LONGEST_REASON

USUAL_GAME = "backgammon"
OPTION = "option_"
# A change of the game changes which clocks and options there are: the page asks for that part of the form again.
ASKS_AGAIN = {"hx-get": reverse_lazy("ladder-terms"), "hx-params": "variant,kind"}

# What the settings of `ladders.rules.Config` are called, and what their values mean.
LABELS: Mapping[str, Any] = {
    "rule": _("When a player beats someone above them"),
    "range": _("Challenge range, in places"),
    "points_win": _("Points for a win"),
    "points_loss": _("Points for a loss"),
    "bonus_higher": _("Bonus points for beating a higher player"),
    "best_of": _("Best matches that count"),
    "against_same": _("Matches against the same opponent that count"),
    "accept_hours": _("Hours to answer a challenge"),
    "play_days": _("Days to play the match"),
    "on_no_answer": _("If a challenge is not answered in time"),
    "on_not_played": _("If the match is not played in time"),
    "rematch_days": _("Days before the same two players can meet again"),
    "immunity_hours": _("Hours without challenges after a successful defence"),
    "most_out": _("Maximum challenges sent at once"),
    "most_in": _("Maximum challenges received at once"),
    "freeze_days": _("Inactive days before a place is frozen"),
    "drop_days": _("Days without a match before dropping"),
    "drop_places": _("Places to drop"),
    "vacation_days": _("Vacation days per season"),
    "active_days": _("Days without a match before a player is hidden"),
}
HELP: Mapping[str, Any] = {
    "range": _("0: anyone above."),
    "best_of": _("0: all."),
    "against_same": _("0: all."),
    "freeze_days": _("0: never."),
    "drop_days": _("0: never."),
}
VALUES: Mapping[str, Mapping[str, Any]] = {
    "rule": {
        "leapfrog": _("The winner takes the loser's place; everyone in between moves down one"),
        "swap": _("The two swap places"),
    },
    "on_no_answer": {"forfeit": _("The challenged player forfeits"), "drop": _("The challenge expires")},
    "on_not_played": {
        "forfeit_challenger": _("The challenger loses"),
        "forfeit_defender": _("The challenged player loses"),
        "drop": _("The challenge expires"),
    },
}
# Where a refusal is shown, by its code; all others stand above the form.
FIELD_OF = {
    "variant": "variant",
    "length": "length",
    "clock": "clock",
    "ladder_name": "name",
    "ladder_name_taken": "name",
    "ladder_season_end": "season_ends_on",
}


def _setting(name: str) -> forms.Field:
    """The field of one setting of a ladder's rules."""
    label, help_text = LABELS.get(name, name), HELP.get(name, "")
    if name in VALUES:
        choices = list(VALUES[name].items())
        return forms.ChoiceField(label=label, choices=choices, required=False, widget=forms.RadioSelect)
    least, most = BOUNDS[name]
    widget = forms.NumberInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=least, max_value=most, widget=widget
    )


class LadderForm(forms.Form):
    """A ladder of one kind, to be created or changed; `facts()` is what the services take. Usual values fill the gaps.

    The lengths, clocks and options are those of the chosen game, and the settings those of the kind.
    """

    club = forms.ChoiceField(label=_("Club"), required=False)
    name = forms.CharField(label=_("Ladder name"), max_length=60, strip=True)
    kind = forms.ChoiceField(widget=forms.HiddenInput)
    variant = forms.ChoiceField(label=_("Game"), required=False, widget=forms.Select(attrs=ASKS_AGAIN))
    length = forms.IntegerField(
        label=_("Match length (points)"),
        required=False,
        min_value=1,
        max_value=MAX_LENGTH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    clock = forms.ChoiceField(label=_("Clock"), required=False, widget=forms.RadioSelect)
    rated = forms.BooleanField(
        label=_("Rated"), required=False, help_text=_("Ladder matches count towards both players' ratings.")
    )
    season_name = forms.CharField(label=_("Season name"), required=False, max_length=60, strip=True)
    season_ends_on = forms.DateField(
        label=_("Last day of the season"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Leave empty to keep the season open until a director closes it."),
    )

    def __init__(self, *args: Any, clubs: list[Club], answers: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        """`clubs` are those that the director directs; `answers` stand for the usual ones."""
        answers = answers or {}
        data = (args[0] if args else kwargs.get("data")) or answers
        key = data.get("kind")
        self.of_kind = key if key in KINDS else Ladder.Kind.CHALLENGE.value
        self.rules = RULES.get(data.get("variant") or USUAL_GAME) or RULES[USUAL_GAME]
        length = self.rules.lengths[0]
        fitting = [preset.key for preset in clocks.fitting(self.rules.clock_kind(length))]
        self.options_of = {key: term for key, term in self.rules.terms(length).items() if key not in HIDDEN_OPTIONS}
        chosen = answers.get("options", {})
        options = {OPTION + key: chosen.get(key, term.default) for key, term in self.options_of.items()}
        first = {
            "club": str(clubs[0].pk) if clubs else "",
            "variant": self.rules.key,
            "length": length,
            "clock": fitting[0],
            "rated": True,
        }
        fits = {key: value for key, value in answers.items() if key != "clock" or value in fitting}
        kwargs["initial"] = {
            **first,
            **options,
            **Config.of({"kind": self.of_kind}).as_json(),
            **fits,
            "kind": self.of_kind,
        }
        super().__init__(*args, **kwargs)
        self.clubs = {str(club.pk): club for club in clubs}
        self._offer("club", [(key, club.name) for key, club in self.clubs.items()])
        self._offer("kind", [(self.of_kind, kind(self.of_kind))])
        self._offer("variant", [(key, labels.variant(key)) for key in RULES])
        self._offer("clock", [(key, labels.clock(key)) for key in fitting])
        for name in FIELDS[self.of_kind]:
            self.fields[name] = _setting(name)
        for key, term in self.options_of.items():
            self.fields[OPTION + key] = option_field(key, term)

    def _offer(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    # For the template

    @property
    def by_rating(self) -> bool:
        """Whether it needs no terms of matches beyond the game and the pace."""
        return self.of_kind == Ladder.Kind.RATING

    def settings(self) -> list[BoundField]:
        """The rules of this kind of ladder, in the order in which they are read."""
        return [self[name] for name in FIELDS[self.of_kind]]

    def options(self) -> list[BoundField]:
        """What can be agreed on in this game besides length and clock, the usual things first."""
        return [self[OPTION + key] for key, _term in sorted(self.options_of.items(), key=lambda item: item[1].house)]

    def options_changed(self) -> bool:
        """Whether an option is not as usual, so that their list is shown open."""
        return any(field.value() not in (field.initial, str(field.initial)) for field in self.options())

    # The cleaned values

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        for name in ("club", "variant", "length", "clock", *FIELDS[self.of_kind]):
            if name not in self.errors and data.get(name) in (None, ""):
                data[name] = self.initial[name]
        return data

    def facts(self) -> dict[str, Any]:
        """Keyword arguments of `services.ladder_create` and `ladder_change`, without who does it."""
        data = self.cleaned_data
        day = data.get("season_ends_on")
        terms = self.rules.terms(data["length"])  # a match to 1 has no cube
        return {
            "club": self.clubs[data["club"]],
            "name": data["name"],
            "kind": data["kind"],
            "variant": data["variant"],
            "length": data["length"],
            "clock": data["clock"],
            "options": {key: data[OPTION + key] for key in self.options_of if key in terms},
            "rated": data["rated"],
            "config": {"kind": self.of_kind, **{name: data[name] for name in FIELDS[self.of_kind]}},
            "season_name": data.get("season_name", ""),
            "season_ends_at": end_of(day) if day else None,
        }

    def refuse(self, refused: Refused) -> None:
        """Show a refusal at its field, or above all."""
        name = FIELD_OF.get(refused.code) or str(refused.params.get("field", ""))
        self.add_error(name if name in self.fields else None, refused.text)


def end_of(day: Any) -> datetime:
    """The last second of a day (UTC): the moment when a season that lasts until then is over."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=UTC)


def answers_of(ladder: Ladder) -> dict[str, Any]:
    """What was chosen for a ladder, as `LadderForm` takes it."""
    return {
        **ladder.config,
        "club": str(ladder.club_id),
        "name": ladder.name,
        "kind": ladder.kind,
        "variant": ladder.variant,
        "length": ladder.length,
        "clock": ladder.clock_preset,
        "options": ladder.options,
        "rated": ladder.rated,
        "season_name": ladder.season_name,
        "season_ends_on": ladder.season_ends_at.date() if ladder.season_ends_at else None,
    }


def _reason(required: bool = True) -> forms.CharField:
    return forms.CharField(label=_("Reason"), max_length=LONGEST_REASON, required=required, strip=True)


class ReasonForm(forms.Form):
    """Why a director undoes or restores an event."""

    n = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    reason = _reason()


class DecideForm(forms.Form):
    """How a challenge ended that was not played here; 0 is nobody: the challenge is off."""

    winner = forms.IntegerField(label=_("Who won?"), min_value=0, max_value=2**31 - 1)
    reason = _reason()


class PlaceForm(forms.Form):
    """Another place for a player."""

    player = forms.IntegerField(label=_("Player"), min_value=1, max_value=2**31 - 1)
    to = forms.IntegerField(label=_("Place"), min_value=1, max_value=99999)
    reason = _reason()


class SeasonForm(forms.Form):
    """The next season, when one ends."""

    name = forms.CharField(label=_("Next season name"), required=False, max_length=60, strip=True)
    ends_on = forms.DateField(
        label=_("Last day"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def ends_at(self) -> datetime | None:
        day = self.cleaned_data.get("ends_on")
        return end_of(day) if day else None
