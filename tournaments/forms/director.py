"""The forms of the desk: announcements, pairing preferences, breaks, times of rounds, the password."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import LocalTimeField
from tournaments.services.entry_conditions import LONGEST_PASSWORD
from tournaments.services.results import MAX_REASON
from tournaments.services.rulings import LONGEST_RULING


class PairingPreferenceForm(forms.Form):
    """Two entrants to be paired in the next round (`together`), or never (`apart`)."""

    kind = forms.ChoiceField(choices=[("together", ""), ("apart", "")])
    a = forms.IntegerField(min_value=1, error_messages={"required": _("Choose two different players.")})
    b = forms.IntegerField(min_value=1, error_messages={"required": _("Choose two different players.")})

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("a") is not None and data.get("a") == data.get("b"):
            raise forms.ValidationError(_("Choose two different players."))
        return data


class BreakForm(forms.Form):
    """A break until a time of day, today or after midnight; without one, until the director ends it."""

    at = forms.TimeField(label=_("Resume at"), required=False)
    why = forms.CharField(max_length=120, required=False)
    pause = forms.BooleanField(required=False)

    def until(self, zone: ZoneInfo, moment: datetime) -> datetime | None:
        """The next moment that has the chosen time in the zone; None where no time was chosen."""
        time = self.cleaned_data["at"]
        if time is None:
            return None
        local = moment.astimezone(zone)
        until = datetime.combine(local.date(), time, tzinfo=zone)
        return until if until > local else datetime.combine(local.date() + timedelta(days=1), time, tzinfo=zone)

    def kwargs(self, zone: ZoneInfo, moment: datetime) -> dict[str, Any]:
        """Keyword arguments for `services.break_start`."""
        data = self.cleaned_data
        return {"until": self.until(zone, moment), "why": data["why"], "pause": data["pause"]}


class RoundTimeForm(forms.Form):
    """When the next round opens, in the tournament's time zone; empty: by hand, or as scheduled before."""

    at = LocalTimeField(required=False)

    def moment(self, zone: str) -> datetime | None:
        """The moment in a time zone. Raises forms.ValidationError where that time does not exist on that day."""
        local = self.cleaned_data["at"]
        return LocalTimeField.at(local, zone) if local is not None else None


class PasswordForm(forms.Form):
    """The password for registration."""

    password = forms.CharField(label=_("Password"), max_length=LONGEST_PASSWORD, required=False)


class RulingForm(forms.Form):
    """A ruling and its reason, about a pairing or (no `key`) about the tournament."""

    text = forms.CharField(label=_("Ruling"), max_length=LONGEST_RULING)
    why = forms.CharField(label=_("Reason"), max_length=MAX_REASON)
    key = forms.CharField(required=False, max_length=40)


class AnnouncementForm(forms.Form):
    """An announcement to everybody who follows the tournament."""

    text = forms.CharField(label=_("Announcement"), max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))
