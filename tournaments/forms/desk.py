"""The small forms of the desk, and the score that a player reports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import fold
from games import words
from tournaments.filling import FEWEST
from tournaments.models import Entrant

MOST_POINTS = 999
USUAL_FILL = 3
"""The strength of the computer that fills in, until the director chooses another: a club player's."""


class EntrantForm(forms.Form):
    """A member by name, or a walk-in: whose name no member has, or who ticks that he is not the member of that name."""

    name = forms.CharField(label=_("Name"), max_length=80)
    walk_in = forms.BooleanField(label=_("Has no account"), required=False)

    def who(self) -> dict[str, Any]:
        """Keyword arguments for `services.entrant_add`."""
        name = self.cleaned_data["name"]
        player = None if self.cleaned_data["walk_in"] else member_named(name)
        return {"player": player} if player else {"name": name}


class MemberForm(forms.Form):
    """A member by name."""

    name = forms.CharField(label=_("Name"), max_length=24)

    def clean_name(self) -> User:
        player = member_named(self.cleaned_data["name"])
        if player is None:
            raise forms.ValidationError(_("There is no player of that name."))
        return player


class AnnouncementForm(forms.Form):
    """A word to everybody."""

    text = forms.CharField(label=_("Announcement"), max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))


class PointsField(forms.DecimalField):
    """Points of a match: whole numbers, or halves where games can be drawn."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=MOST_POINTS, error_messages={"required": _("Say the score.")})

    def clean(self, value: Any) -> float | None:
        number = super().clean(value)
        if number is None:
            return None
        if 2 * number % 1:
            raise forms.ValidationError(_("Points are whole numbers or halves."))
        return float(number) if number % 1 else int(number)


class ScoreForm(forms.Form):
    """Who won a pairing and the score: the winner's number and the points of the winner and of the loser.

    `points(first)` are those of the pairing's first player, then of the second.
    """

    key = forms.CharField(max_length=40)
    winner = forms.IntegerField(min_value=1, error_messages={"required": _("Say who won.")})
    won = PointsField()
    lost = PointsField()

    def points(self, first: int) -> tuple[float, float]:
        data = self.cleaned_data
        return (data["won"], data["lost"]) if data["winner"] == first else (data["lost"], data["won"])


class ResultForm(ScoreForm):
    """What a director enters: a score, a walkover (`how`), or a double walkover (no winner)."""

    how = forms.ChoiceField(choices=[(key, key) for key in ("played", "walkover", "double")])
    why = forms.CharField(max_length=200, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        how = self.data.get("how")
        for name in ("won", "lost"):
            self.fields[name].required = how == "played"
        self.fields["winner"].required = how != "double"

    def result(self, first: int) -> dict[str, Any]:
        """Keyword arguments for `services.result_enter`."""
        how, why = self.cleaned_data["how"], self.cleaned_data["why"]
        said = {"why": why} if why else {}
        if how == "played":
            return {"winner": self.cleaned_data["winner"], "points": self.points(first), **said}
        return {"winner": self.cleaned_data["winner"] if how == "walkover" else None, "how": "walkover", **said}


class FillForm(forms.Form):
    """How strong the computer is that takes the missing places, and up to how many players in all."""

    level = forms.TypedChoiceField(label=_("How strong?"), choices=list(words.STRENGTHS.items()), coerce=int)
    to = forms.IntegerField(
        label=_("Players in all"),
        required=False,
        min_value=FEWEST,
        max_value=512,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def field(self) -> dict[str, Any]:
        """Keyword arguments for `services.entrants_fill`."""
        return {"level": self.cleaned_data["level"], "to": self.cleaned_data["to"]}


class SeedsForm(forms.Form):
    """A seeded place, or none, for each entrant that the page showed."""

    def __init__(self, *args: Any, entrants: Iterable[Entrant], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.numbers = [one.number for one in entrants if seed_name(one.number) in self.data]
        for number in self.numbers:
            self.fields[seed_name(number)] = forms.IntegerField(required=False, min_value=1, max_value=512)

    def ranks(self) -> dict[int, int | None]:
        return {number: self.cleaned_data[seed_name(number)] for number in self.numbers}


def seed_name(number: int) -> str:
    """The field of an entrant's seeded place."""
    return f"seed_{number}"


def member_named(name: str) -> User | None:
    """The member or the computer of that name, whatever its case."""
    return User.objects.filter(name_key=fold(name.strip()), is_active=True, is_guest=False).first()
