"""The forms of a director's evening: who comes late or for another, penalties, wishes, breaks, times of rounds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.desk import EntrantForm
from tournaments.forms.fields import LocalTimeField
from tournaments.services.conditions import LONGEST_PASSWORD
from tournaments.terms import LONGEST


class LateForm(EntrantForm):
    """Who comes after the draw: by name, or one of the waiting list (`entrant`)."""

    entrant = forms.IntegerField(required=False, min_value=1)
    points = forms.IntegerField(label=_("Penalty points"), required=False, min_value=0, max_value=LONGEST)
    half = forms.BooleanField(label=_("Half a point for each round missed"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = not self.data.get("entrant")

    def late(self) -> dict[str, Any]:
        """Keyword arguments for `services.entrant_late`."""
        data = self.cleaned_data
        who = {"number": data["entrant"]} if data["entrant"] else self.who()
        return {**who, "points": data["points"] or 0, "half": data["half"]}


class PenaltyForm(forms.Form):
    """Penalty points of an entrant in a pairing."""

    key = forms.CharField(max_length=40)
    entrant = forms.IntegerField(min_value=1, error_messages={"required": _("Say who came late.")})
    points = forms.IntegerField(min_value=0, max_value=LONGEST)


class WishForm(forms.Form):
    """Two who shall meet in the next round, or never."""

    kind = forms.ChoiceField(choices=[("together", ""), ("apart", "")])
    a = forms.IntegerField(min_value=1, error_messages={"required": _("Choose two players.")})
    b = forms.IntegerField(min_value=1, error_messages={"required": _("Choose two players.")})

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("a") is not None and data.get("a") == data.get("b"):
            raise forms.ValidationError(_("Choose two players."))
        return data


class RecessForm(forms.Form):
    """A break until an hour of the clock, today or after midnight; without one play is adjourned."""

    at = forms.TimeField(label=_("Back at"), required=False)
    why = forms.CharField(max_length=120, required=False)
    pause = forms.BooleanField(required=False)

    def until(self, zone: ZoneInfo, moment: datetime) -> datetime | None:
        """The next time that it is that hour there."""
        hour = self.cleaned_data["at"]
        if hour is None:
            return None
        here = moment.astimezone(zone)
        until = datetime.combine(here.date(), hour, tzinfo=zone)
        return until if until > here else datetime.combine(here.date() + timedelta(days=1), hour, tzinfo=zone)


class RoundTimeForm(forms.Form):
    """When the next round opens, in the time of the tournament's place; empty: by hand, or as it was."""

    at = LocalTimeField(required=False)

    def moment(self, zone: str) -> datetime | None:
        """Raises forms.ValidationError where there is no such hour on that day."""
        said = self.cleaned_data["at"]
        return LocalTimeField.at(said, zone) if said is not None else None


class PasswordForm(forms.Form):
    """The word that lets people in."""

    password = forms.CharField(label=_("Password"), max_length=LONGEST_PASSWORD, required=False)
