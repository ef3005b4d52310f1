"""The form to post a game or to challenge a player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from django import forms
from django.forms.boundfield import BoundField
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names.validation import fold
from games import clocks, labels
from games.engine import Term
from games.registry import RULES
from games.services.offers import MAX_LENGTH, house_bot

DEFAULT_VARIANT = "backgammon"
BOT, ANYONE, NAMED, LINK = "bot", "anyone", "player", "link"
DEFAULT_STRENGTH = "2"
OTHER, MONEY = "other", "0"
# Options that no form offers; imported matches need them.
HIDDEN_OPTIONS = frozenset({"crawford"})
# A change of these fields changes the clocks and options, so the page reloads that part of the form.
RELOADS_TERMS = {"hx-get": reverse_lazy("match-terms")}


class MatchForm(forms.Form):
    """An offer to play: against the computer, anyone, or a named player. `offer()` has the arguments of the service.

    The lengths, clocks and options come from the rules of the chosen game.
    """

    opponent = forms.ChoiceField(
        label=_("Opponent"),
        widget=forms.RadioSelect,
        choices=[
            (BOT, _("The computer")),
            (ANYONE, _("Anyone")),
            (NAMED, _("Challenge a player")),
            (LINK, _("Invite with a link")),
        ],
    )
    name = forms.CharField(
        label=_("Player name"),
        required=False,
        max_length=24,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    strength = forms.ChoiceField(label=_("Strength"), required=False, widget=forms.RadioSelect)
    variant = forms.ChoiceField(label=_("Game"), widget=forms.Select(attrs=RELOADS_TERMS))
    length = forms.ChoiceField(label=_("Match length (points)"), widget=forms.RadioSelect(attrs=RELOADS_TERMS))
    length_other = forms.IntegerField(
        label=_("Points"),
        required=False,
        min_value=1,
        max_value=MAX_LENGTH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    clock = forms.ChoiceField(label=_("Clock"), widget=forms.RadioSelect)
    rated = forms.BooleanField(label=_("Rated"), required=False)
    computer_rated = forms.BooleanField(
        label=_("Rated against computers"),
        help_text=_("It counts in a rating of its own. No hints, and no play can be taken back."),
        required=False,
    )

    def __init__(self, *args: Any, creator: User | None = None, name: str = "", **kwargs: Any) -> None:
        wanted = kwargs.pop("initial", None) or {}
        data = (args[0] if args else kwargs.get("data")) or wanted
        self.rules = RULES.get(data.get("variant") or DEFAULT_VARIANT) or RULES[DEFAULT_VARIANT]
        lengths = [str(number) for number in sorted(self.rules.lengths)]
        money = [(MONEY, _("Money session"))] if self.rules.money else []
        chosen = data.get("length")
        self.points = self._points(data, chosen)
        self.terms = {key: term for key, term in self.rules.terms(self.points).items() if key not in HIDDEN_OPTIONS}
        fitting = clocks.fitting(self.rules.clock_kind(self.points))
        first = {
            "opponent": NAMED if name else ANYONE,
            "name": name,
            "strength": DEFAULT_STRENGTH,
            "variant": self.rules.key,
            "length": str(self.rules.lengths[0]),
            "clock": fitting[0].key,
            "rated": creator is not None and not creator.is_guest,
        } | {key: term.default for key, term in self.terms.items()}
        fits = {key: value for key, value in wanted.items() if not self._stale(key, value, lengths, fitting)}
        kwargs["initial"] = first | fits
        super().__init__(*args, **kwargs)
        self.creator = creator
        self.invited: User | None = None
        self._offer("strength", list(labels.STRENGTHS.items()))
        self._offer("variant", [(key, labels.variant(key)) for key in RULES])
        self._offer("length", [*((number, number) for number in lengths), (OTHER, _("Other")), *money])
        self._offer("clock", [(preset.key, labels.clock(preset.key)) for preset in fitting])
        for key, term in self.terms.items():
            self.fields[key] = option_field(key, term)
        if creator is not None and creator.is_guest:
            self.fields["rated"].disabled = self.fields["computer_rated"].disabled = True

    def _points(self, data: Mapping[str, Any], chosen: str | None) -> int:
        """The chosen length, which decides the clocks and options; the default one if none is chosen."""
        typed = data.get("length_other") if chosen == OTHER else chosen
        number = int(typed) if typed and str(typed).isdecimal() and len(str(typed)) < 4 else self.rules.lengths[0]
        return number if number or self.rules.money else self.rules.lengths[0]

    def _stale(self, key: str, value: Any, lengths: list[str], fitting: list[clocks.ClockPreset]) -> bool:
        """Whether a value belongs to another game than the chosen one."""
        if key == "length":
            return value not in [*lengths, OTHER, *([MONEY] if self.rules.money else [])]
        return key == "clock" and value not in [preset.key for preset in fitting]

    def _offer(self, name: str, choices: list[Any]) -> None:
        cast(forms.ChoiceField, self.fields[name]).choices = choices

    def options(self) -> Iterator[BoundField]:
        """The fields of the options besides length and clock."""
        return (self[key] for key in self.terms)

    def usual(self) -> list[BoundField]:
        """The options that are not house rules: the cube, the mode of damas."""
        return [self[key] for key, term in self.terms.items() if not term.house and self.points]

    def house(self) -> list[BoundField]:
        """The house rules, and the options of a money session: with them a match is never rated."""
        return [self[key] for key, term in self.terms.items() if term.house or not self.points]

    def house_chosen(self) -> bool:
        """Whether a house rule was changed, so that the list of house rules is shown open."""
        return any(field.value() not in (field.initial, str(field.initial)) for field in self.house())

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("length") == OTHER and "length_other" not in self.errors and not data.get("length_other"):
            self.add_error("length_other", _("Enter the number of points."))
        if data.get("opponent") == BOT:
            self.invited = house_bot(int(data.get("strength") or DEFAULT_STRENGTH))
            if self.invited is None:
                self.add_error("opponent", _("You can't play against the computer on this site."))
        elif data.get("opponent") == NAMED:
            self._find(data.get("name") or "")
        return data

    def _find(self, name: str) -> None:
        if not name:
            self.add_error("name", _("Enter the name of the player you want to challenge."))
            return
        self.invited = User.objects.filter(name_key=fold(name), is_active=True).first()
        if self.invited is None:
            self.add_error("name", _("There is no player with that name."))

    def offer(self) -> dict[str, Any]:
        """Keyword arguments for `services.match_create`. Never rated with house rules."""
        data = self.cleaned_data
        rated = data["computer_rated" if data["opponent"] == BOT else "rated"]
        options = {key: data[key] for key in self.terms}
        house = not self.points or any(term.is_house_rule(options[key]) for key, term in self.terms.items())
        return {
            "variant": data["variant"],
            "length": self.points,
            "clock": data["clock"],
            "rated": rated and not house,
            "options": options,
            "invited": self.invited,
            "listed": data["opponent"] != LINK,
        }


LABELS = {
    "cube": _("Doubling cube"),
    "cube_cap": _("Cube limit"),
    "desahogo": _("Desahogo"),
    "as_libre": _("Free ace"),
    "jacoby": _("Jacoby rule"),
    "beavers": _("Beavers"),
    "auto_doubles": _("Automatic doubles"),
    "mode": _("Capturing"),
    "ley_cantidad": _("Maximum capture"),
}
HELP = {
    "desahogo": _(
        "If your opponent has a checker on the bar, you can't close all six points of your home "
        "board when another move leaves one open."
    ),
    "as_libre": _("When all your checkers are home, you can bear off a checker from the 1-point with any number."),
    "jacoby": _("Gammons only count if someone has doubled."),
    "beavers": _("The player who is doubled can redouble at once and keep the cube."),
    "auto_doubles": _("If the opening dice are equal, the stake doubles, once per game."),
    "ley_cantidad": _("You must choose a capture that takes the most pieces."),
}


def option_field(key: str, term: Term) -> forms.Field:
    """The form field of an option: a checkbox, or a choice of values in their own type; empty is the default."""
    label, help_text = LABELS.get(key, key), HELP.get(key, "")
    if set(term.choices) == {True, False}:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    named = [(choice, labels.CHOICES.get(choice, choice)) for choice in term.choices]
    kind: Callable[[Any], Any] = type(term.default)
    return forms.TypedChoiceField(
        label=label, help_text=help_text, required=False, choices=named, coerce=kind, empty_value=term.default
    )
