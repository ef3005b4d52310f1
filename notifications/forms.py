"""The form of notification settings: a switch for each kind and channel, mail frequency, quiet hours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from notifications import sentences
from notifications.kinds import CHANNELS, GROUPS, KINDS, is_wanted
from notifications.models import NotificationPreferences

HOURS = [(hour, f"{hour}:00") for hour in range(24)]
DISTURBED, RESTED = time(22), time(8)
"""The suggested quiet hours."""


@dataclass(frozen=True, slots=True)
class Line:
    """A kind with its switches, in the order of the channels."""

    key: str
    label: str
    switches: list[forms.BoundField]


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and the kinds under it."""

    label: str
    lines: list[Line]


class PreferencesForm(forms.Form):
    """All notification settings of a user."""

    digest = forms.ChoiceField(
        label=_("E-mail frequency"), choices=NotificationPreferences.Digest.choices, widget=forms.RadioSelect
    )
    hour = forms.TypedChoiceField(label=_("Send the daily e-mail at"), choices=HOURS, coerce=int)
    quiet = forms.BooleanField(label=_("Pause e-mail and device notifications during these hours"), required=False)
    quiet_from = forms.TimeField(label=_("From"), required=False, widget=forms.TimeInput({"type": "time"}, "%H:%M"))
    quiet_to = forms.TimeField(label=_("To"), required=False, widget=forms.TimeInput({"type": "time"}, "%H:%M"))
    timezone = forms.ChoiceField(label=_("Time zone"), required=False)

    def __init__(self, data: Any = None, *, preferences: NotificationPreferences) -> None:
        initial = {
            "digest": preferences.digest,
            "hour": preferences.hour,
            "quiet": preferences.quiet_from is not None,
            "quiet_from": preferences.quiet_from or DISTURBED,
            "quiet_to": preferences.quiet_to or RESTED,
            "timezone": preferences.timezone,
        }
        super().__init__(data, initial=initial)
        zones = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")
        named = [(zone, zone.replace("_", " ")) for zone in zones]
        self.fields["timezone"].choices = [("", _("Site default")), *named]  # type: ignore[attr-defined]
        for key, kind in KINDS.items():
            for channel in CHANNELS:
                label = f"{sentences.LABELS[key]}: {sentences.CHANNELS[channel]}"
                usual = is_wanted(preferences.channels, kind, channel)
                self.fields[f"{key}-{channel}"] = forms.BooleanField(label=label, required=False, initial=usual)

    def clean(self) -> dict[str, Any]:
        """Quiet hours have both ends, or there are none."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("quiet"):
            cleaned["quiet_from"] = cleaned["quiet_to"] = None
            for name in ("quiet_from", "quiet_to"):
                self.errors.pop(name, None)
        return cleaned

    def chosen(self) -> dict[str, Any]:
        """Return the settings as `preferences_save` takes them."""
        names = ("digest", "hour", "quiet_from", "quiet_to", "timezone")
        channels = {key: {channel: self.cleaned_data[f"{key}-{channel}"] for channel in CHANNELS} for key in KINDS}
        return {**{name: self.cleaned_data[name] for name in names}, "channels": channels}

    @property
    def channels(self) -> list[str]:
        """The names of the channels, as the heads of the columns."""
        return [str(sentences.CHANNELS[channel]) for channel in CHANNELS]

    @property
    def parts(self) -> Iterator[Part]:
        """The table of switches."""
        for group in GROUPS:
            lines = [
                Line(key, str(sentences.LABELS[key]), [self[f"{key}-{channel}"] for channel in CHANNELS])
                for key, kind in KINDS.items()
                if kind.group == group
            ]
            yield Part(str(sentences.GROUPS[group]), lines)
