"""What people type to start a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import fold
from games import clocks, words
from games.engine import Term
from games.registry import RULES
from games.services.offers import LONGEST_MATCH

USUAL = "backgammon"
BOT, ANYONE, NAMED = "bot", "anyone", "player"
USUAL_STRENGTH = "2"
OTHER, MONEY = "other", "0"
# Options that no form offers: matches read from files need them.
UNSEEN = frozenset({"crawford"})
# A change of these changes which clocks and options there are: the page asks for that part of the form again.
ASKS_AGAIN = {"hx-get": reverse_lazy("match-terms")}


class MatchForm(forms.Form):
    """An offer to play: against the computer, anybody, or somebody by name. `offer()` is what the service takes.

    The lengths, clocks and options are those of the chosen game: its rules name them, and nothing here knows one.
    """

    rival = forms.ChoiceField(
        label=_("Against whom?"),
        widget=forms.RadioSelect,
        choices=[(BOT, _("The computer")), (ANYONE, _("Anyone")), (NAMED, _("A player I name"))],
    )
    name = forms.CharField(
        label=_("Name of the player"),
        required=False,
        max_length=24,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    strength = forms.ChoiceField(label=_("How strong?"), required=False, widget=forms.RadioSelect)
    variant = forms.ChoiceField(label=_("Game"), widget=forms.Select(attrs=ASKS_AGAIN))
    length = forms.ChoiceField(label=_("Match to how many points?"), widget=forms.RadioSelect(attrs=ASKS_AGAIN))
    length_other = forms.IntegerField(
        label=_("Points"),
        required=False,
        min_value=1,
        max_value=LONGEST_MATCH,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    clock = forms.ChoiceField(label=_("Clock"), widget=forms.RadioSelect)
    rated = forms.BooleanField(label=_("Rated"), required=False)

    def __init__(self, *args: Any, creator: User | None = None, name: str = "", **kwargs: Any) -> None:
        wanted = kwargs.pop("initial", None) or {}
        data = (args[0] if args else kwargs.get("data")) or wanted
        self.rules = RULES.get(data.get("variant") or USUAL) or RULES[USUAL]
        lengths = [str(number) for number in sorted(self.rules.lengths)]
        money = [(MONEY, _("Money session"))] if self.rules.money else []
        chosen = data.get("length")
        self.points = self._points(data, chosen)
        self.terms = {key: term for key, term in self.rules.terms(self.points).items() if key not in UNSEEN}
        fitting = clocks.fitting(self.rules.clock_kind(self.points))
        first = {
            "rival": NAMED if name else BOT,
            "name": name,
            "strength": USUAL_STRENGTH,
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
        self._offer("strength", list(words.STRENGTHS.items()))
        self._offer("variant", [(key, words.variant(key)) for key in RULES])
        self._offer("length", [*((number, number) for number in lengths), (OTHER, _("Other")), *money])
        self._offer("clock", [(preset.key, words.clock(preset.key)) for preset in fitting])
        for key, term in self.terms.items():
            self.fields[key] = option_field(key, term)
        if creator is not None and creator.is_guest:
            self.fields["rated"].disabled = True

    def _points(self, data: Mapping[str, Any], chosen: str | None) -> int:
        """The length that the form is about, for its clocks and options; the usual one when there is none yet."""
        typed = data.get("length_other") if chosen == OTHER else chosen
        number = int(typed) if typed and str(typed).isdecimal() and len(str(typed)) < 4 else self.rules.lengths[0]
        return number if number or self.rules.money else self.rules.lengths[0]

    def _stale(self, key: str, value: Any, lengths: list[str], fitting: list[clocks.ClockPreset]) -> bool:
        """Whether an answer belongs to another game than the one now chosen."""
        if key == "length":
            return value not in [*lengths, OTHER, *([MONEY] if self.rules.money else [])]
        return key == "clock" and value not in [preset.key for preset in fitting]

    def _offer(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def options(self) -> Iterator[BoundField]:
        """The fields of what can be agreed on besides length and clock, the usual ones first."""
        return (self[key] for key in self.terms)

    def usual(self) -> list[BoundField]:
        """The options that no house rule is among: the cube, the kind of damas."""
        return [self[key] for key, term in self.terms.items() if not term.house and self.points]

    def house(self) -> list[BoundField]:
        """The house options, and the switches of a money session: with them a match is never rated."""
        return [self[key] for key, term in self.terms.items() if term.house or not self.points]

    def house_chosen(self) -> bool:
        """Whether a house option was changed, so that its list is shown open."""
        return any(field.value() not in (field.initial, str(field.initial)) for field in self.house())

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("length") == OTHER and "length_other" not in self.errors and not data.get("length_other"):
            self.add_error("length_other", _("To how many points?"))
        if data.get("rival") == BOT:
            self.invited = self._bot(data.get("strength") or USUAL_STRENGTH)
            if self.invited is None:
                self.add_error("rival", _("There is no computer player on this site."))
        elif data.get("rival") == NAMED:
            self._find(data.get("name") or "")
        return data

    def _bot(self, strength: str) -> User | None:
        """The house's bot of that strength; where there is none yet, any that there is."""
        house = User.objects.filter(is_bot=True, owner=None, is_active=True).order_by("pk")
        return house.filter(bot_level=int(strength)).first() or house.first()

    def _find(self, name: str) -> None:
        if not name:
            self.add_error("name", _("Whom do you challenge?"))
            return
        self.invited = User.objects.filter(name_key=fold(name), is_active=True).first()
        if self.invited is None:
            self.add_error("name", _("There is no player of that name."))

    def offer(self) -> dict[str, Any]:
        """Keyword arguments for `services.match_create`. Against the computer or by house rules it is never rated."""
        data = self.cleaned_data
        against_bot = self.invited is not None and self.invited.is_bot
        options = {key: data[key] for key in self.terms}
        house = not self.points or any(term.house and options[key] != term.default for key, term in self.terms.items())
        return {
            "variant": data["variant"],
            "length": self.points,
            "clock": data["clock"],
            "rated": data["rated"] and not against_bot and not house,
            "options": options,
            "invited": self.invited,
        }


LABELS = {
    "cube": _("With the doubling cube"),
    "cube_cap": _("Highest value of the cube"),
    "desahogo": _("Desahogo"),
    "as_libre": _("Free ace"),
    "jacoby": _("Jacoby rule"),
    "beavers": _("Beavers"),
    "auto_doubles": _("Automatic doubles"),
    "mode": _("Capturing"),
    "ley_cantidad": _("Take the most"),
}
HELP = {
    "desahogo": _(
        "With a rival man on the bar nobody may close all six points of home while another play leaves one open."
    ),
    "as_libre": _("With all men home, a man on the 1-point goes off with any number."),
    "jacoby": _("Gammons count only after somebody has doubled."),
    "beavers": _("Who is doubled may double at once again and keep the cube."),
    "auto_doubles": _("A tie at the opening roll doubles the stake, once a game."),
    "ley_cantidad": _("A capture must take as many men as possible."),
}


def option_field(key: str, term: Term) -> forms.Field:
    """The field of one option: a switch, or a choice of its values in their own type; unsaid is the usual value."""
    label, help_text = LABELS.get(key, key), HELP.get(key, "")
    if set(term.choices) == {True, False}:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    named = [(choice, words.CHOICES.get(choice, choice)) for choice in term.choices]
    kind: Callable[[Any], Any] = type(term.default)
    return forms.TypedChoiceField(
        label=label, help_text=help_text, required=False, choices=named, coerce=kind, empty_value=term.default
    )
