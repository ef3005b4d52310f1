"""The form of a ladder: what its director chooses; and what a director types beside it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games import clocks, words
from games.errors import Refused
from games.forms.play import UNSEEN, option_field
from games.ladder_words import kind
from games.ladders import FIELDS, KINDS, Config
from games.ladders.config import BOUNDS
from games.models import Ladder
from games.registry import RULES
from games.services.offers import LONGEST_MATCH

USUAL_GAME = "backgammon"
OPTION = "option_"
LONGEST_REASON = 200
# A change of the game changes which clocks and options there are: the page asks for that part of the form again.
ASKS_AGAIN = {"hx-get": reverse_lazy("ladder-terms"), "hx-params": "variant,kind"}

# What the settings of `games.ladders.Config` are called, and what their values mean.
LABELS: Mapping[str, Any] = {
    "rule": _("Who beats somebody above"),
    "range": _("How many places above may one challenge?"),
    "points_win": _("Points for a win"),
    "points_loss": _("Points for a loss"),
    "bonus_higher": _("More for beating somebody placed higher"),
    "best_of": _("Only the best matches count"),
    "against_same": _("Matches against the same rival that count"),
    "accept_hours": _("Hours to answer a challenge"),
    "play_days": _("Days to play the match"),
    "on_no_answer": _("Who does not answer in time"),
    "on_not_played": _("When the match is not played in time"),
    "rematch_days": _("Days before the same two may meet again"),
    "immunity_hours": _("Hours of rest after a defence that was won"),
    "most_out": _("Challenges that one may have made at once"),
    "most_in": _("Challenges that one may have received at once"),
    "freeze_days": _("Days without a match until a place is frozen"),
    "drop_days": _("Days without a match until one falls"),
    "drop_places": _("By how many places"),
    "vacation_days": _("Days away in a season"),
    "active_days": _("Days without a match until one is no longer shown"),
}
HELP: Mapping[str, Any] = {
    "range": _("0: anybody above."),
    "best_of": _("0: all of them."),
    "against_same": _("0: all of them."),
    "freeze_days": _("0: never."),
    "drop_days": _("0: never."),
}
VALUES: Mapping[str, Mapping[str, Any]] = {
    "rule": {
        "leapfrog": _("takes that place; all between move down one"),
        "swap": _("changes places with the loser"),
    },
    "on_no_answer": {"forfeit": _("loses by forfeit"), "drop": _("loses nothing: the challenge lapses")},
    "on_not_played": {
        "forfeit_challenger": _("the challenger has lost it"),
        "forfeit_defender": _("the challenged player has lost it"),
        "drop": _("the challenge lapses"),
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
    """A ladder of one kind, to be made or changed: `facts()` is what the services take. What is left out is as usual.

    The lengths, clocks and options are those of the chosen game, and the settings those of the kind: nothing here knows
    one of them.
    """

    club = forms.ChoiceField(label=_("Club"), required=False)
    name = forms.CharField(label=_("Name of the ladder"), max_length=60, strip=True)
    kind = forms.ChoiceField(widget=forms.HiddenInput)
    variant = forms.ChoiceField(label=_("Game"), required=False, widget=forms.Select(attrs=ASKS_AGAIN))
    length = forms.IntegerField(
        label=_("Points of a match"),
        required=False,
        min_value=1,
        max_value=LONGEST_MATCH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    clock = forms.ChoiceField(label=_("Clock"), required=False, widget=forms.RadioSelect)
    rated = forms.BooleanField(
        label=_("Rated"), required=False, help_text=_("The matches of the ladder count for the rating of both.")
    )
    season_name = forms.CharField(label=_("Name of the season"), required=False, max_length=60, strip=True)
    season_ends_on = forms.DateField(
        label=_("Last day of the season"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Empty: until the director closes it."),
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
        self.options_of = {key: term for key, term in self.rules.terms(length).items() if key not in UNSEEN}
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
        self._offer("variant", [(key, words.variant(key)) for key in RULES])
        self._offer("clock", [(key, words.clock(key)) for key in fitting])
        for name in FIELDS[self.of_kind]:
            self.fields[name] = _setting(name)
        for key, term in self.options_of.items():
            self.fields[OPTION + key] = option_field(key, term)

    def _offer(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    # What the page walks over

    @property
    def by_rating(self) -> bool:
        """Whether it needs no terms of matches beyond the game and the pace."""
        return self.of_kind == Ladder.Kind.RATING

    def settings(self) -> list[BoundField]:
        """The rules of this kind of ladder, in the order in which they are read."""
        return [self[name] for name in FIELDS[self.of_kind]]

    def options(self) -> list[BoundField]:
        """What can be agreed on in this game besides length and clock, the usual things first."""
        return [self[OPTION + key] for key, _term in sorted(self.options_of.items(), key=lambda one: one[1].house)]

    def options_changed(self) -> bool:
        """Whether an option is not as usual, so that their list is shown open."""
        return any(field.value() not in (field.initial, str(field.initial)) for field in self.options())

    # What was typed

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
    """Why a director takes something back, or does it again."""

    n = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    reason = _reason()


class DecideForm(forms.Form):
    """How a challenge ended that was not played here; 0 is nobody: the challenge is off."""

    winner = forms.IntegerField(label=_("Who won?"), min_value=0, max_value=2**31 - 1)
    reason = _reason()


class PlaceForm(forms.Form):
    """A player gets another place."""

    player = forms.IntegerField(label=_("Player"), min_value=1, max_value=2**31 - 1)
    to = forms.IntegerField(label=_("Place"), min_value=1, max_value=99999)
    reason = _reason()


class SeasonForm(forms.Form):
    """The season is over, and another begins."""

    name = forms.CharField(label=_("Name of the next season"), required=False, max_length=60, strip=True)
    ends_on = forms.DateField(
        label=_("Its last day"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def ends_at(self) -> datetime | None:
        day = self.cleaned_data.get("ends_on")
        return end_of(day) if day else None
