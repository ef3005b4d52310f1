"""The forms of the entrants at the desk: add, late entry, members by name, computer players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names.validation import fold
from games import labels
from tournaments.errors import Refused
from tournaments.field_size import FEWEST
from tournaments.terms import LONGEST

DEFAULT_FILL_LEVEL = 3
"""The strength of computer players that the form proposes: a club player's."""


class EntrantForm(forms.Form):
    """A member by name, or a walk-in. `walk_in` answers which of the two, where a member has that name."""

    name = forms.CharField(label=_("Name"), max_length=80)
    walk_in = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")], coerce=lambda value: value == "yes", empty_value=None, required=False
    )

    def person(self) -> dict[str, Any]:
        """Keyword arguments for `services.entrant_add`. Raises Refused: is_member, no_such_player."""
        return named_person(self.cleaned_data["name"], self.cleaned_data["walk_in"])


def named_person(name: str, walk_in: bool | None) -> dict[str, Any]:
    """Keyword arguments for `services.entrant_add`: the member of that name (`walk_in` False), or a name (True).

    Raises Refused: is_member (`walk_in` is None and a member has that name), no_such_player (no member has it).
    """
    player = None if walk_in else member_by_name(name)
    if walk_in is None and player is not None:
        raise Refused("is_member", params={"name": player.username})
    if walk_in is False and player is None:
        raise Refused("no_such_player")
    return {"name": name} if player is None else {"player": player}


class MemberForm(forms.Form):
    """A member by name."""

    name = forms.CharField(label=_("Name"), max_length=24)

    def clean_name(self) -> User:
        player = member_by_name(self.cleaned_data["name"])
        if player is None:
            raise forms.ValidationError(_("There is no player with that name."))
        return player


class BotFillForm(forms.Form):
    """Computer players for the empty places: their strength, and up to how many players in total."""

    level = forms.TypedChoiceField(label=_("Strength"), choices=list(labels.STRENGTHS.items()), coerce=int)
    to = forms.IntegerField(
        label=_("Total players"),
        required=False,
        min_value=FEWEST,
        max_value=512,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `services.entrants_fill`."""
        return {"level": self.cleaned_data["level"], "to": self.cleaned_data["to"]}


def member_by_name(name: str) -> User | None:
    """The member or bot of that name, whatever its case."""
    return User.objects.filter(name_key=fold(name.strip()), is_active=True, is_guest=False).first()


class LateEntryForm(EntrantForm):
    """An entry after the draw: by name, or the number of somebody on the waiting list (`entrant`)."""

    entrant = forms.IntegerField(required=False, min_value=1)
    points = forms.IntegerField(label=_("Penalty points"), required=False, min_value=0, max_value=LONGEST)
    half = forms.BooleanField(label=_("Half a point for each missed round"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = not self.data.get("entrant")

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments for `services.entrant_late`."""
        data = self.cleaned_data
        person = {"number": data["entrant"]} if data["entrant"] else self.person()
        return {**person, "points": data["points"] or 0, "half": data["half"]}
