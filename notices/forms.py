"""How a person wishes to be told, as a form: a switch for each kind and channel, the mail's rhythm, quiet hours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from notices import words
from notices.kinds import CHANNELS, GROUPS, KINDS, wanted
from notices.models import Wishes

HOURS = [(hour, f"{hour}:00") for hour in range(24)]
DISTURBED, RESTED = time(22), time(8)
"""The quiet hours that are proposed to who wants some."""


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


class WishesForm(forms.Form):
    """All wishes of a person at once."""

    digest = forms.ChoiceField(
        label=_("What can wait goes out"), choices=Wishes.Digest.choices, widget=forms.RadioSelect
    )
    hour = forms.TypedChoiceField(label=_("The daily mail leaves at"), choices=HOURS, coerce=int)
    quiet = forms.BooleanField(label=_("Nothing by mail or on my devices at night"), required=False)
    quiet_from = forms.TimeField(label=_("From"), required=False, widget=forms.TimeInput({"type": "time"}, "%H:%M"))
    quiet_to = forms.TimeField(label=_("To"), required=False, widget=forms.TimeInput({"type": "time"}, "%H:%M"))
    timezone = forms.ChoiceField(label=_("Time zone"), required=False)

    def __init__(self, data: Any = None, *, wishes: Wishes) -> None:
        initial = {
            "digest": wishes.digest,
            "hour": wishes.hour,
            "quiet": wishes.quiet_from is not None,
            "quiet_from": wishes.quiet_from or DISTURBED,
            "quiet_to": wishes.quiet_to or RESTED,
            "timezone": wishes.timezone,
        }
        super().__init__(data, initial=initial)
        zones = sorted(zone for zone in available_timezones() if "/" in zone or zone == "UTC")
        named = [(zone, zone.replace("_", " ")) for zone in zones]
        self.fields["timezone"].choices = [("", _("That of the site")), *named]  # type: ignore[attr-defined]
        for key, kind in KINDS.items():
            for way in CHANNELS:
                label = f"{words.LABELS[key]}: {words.CHANNELS[way]}"
                usual = wanted(wishes.channels, kind, way)
                self.fields[f"{key}-{way}"] = forms.BooleanField(label=label, required=False, initial=usual)

    def clean(self) -> dict[str, Any]:
        """Quiet hours have both ends, or there are none."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("quiet"):
            cleaned["quiet_from"] = cleaned["quiet_to"] = None
            for name in ("quiet_from", "quiet_to"):
                self.errors.pop(name, None)
        return cleaned

    def chosen(self) -> dict[str, Any]:
        """The wishes as `wishes_save` takes them."""
        names = ("digest", "hour", "quiet_from", "quiet_to", "timezone")
        channels = {key: {way: self.cleaned_data[f"{key}-{way}"] for way in CHANNELS} for key in KINDS}
        return {**{name: self.cleaned_data[name] for name in names}, "channels": channels}

    @property
    def channels(self) -> list[str]:
        """The names of the channels, as the heads of the columns."""
        return [str(words.CHANNELS[way]) for way in CHANNELS]

    @property
    def parts(self) -> Iterator[Part]:
        """The table of switches."""
        for group in GROUPS:
            lines = [
                Line(key, str(words.LABELS[key]), [self[f"{key}-{way}"] for way in CHANNELS])
                for key, kind in KINDS.items()
                if kind.group == group
            ]
            yield Part(str(words.GROUPS[group]), lines)
