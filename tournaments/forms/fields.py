"""Fields of tournaments: lengths by round, times of a place, spans of time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournaments.terms import LONGEST

FIRST_YEAR, LAST_YEAR = 1900, 2999  # so that a moment can be written in every time zone
MOST_LENGTHS = 12  # rounds that are written out; the last length counts for all later ones

# The time zones that the list offers; any other that exists is accepted too.
LISTED_TIMEZONES: Sequence[str] = [
    "Europe/Madrid",
    "Atlantic/Canary",
    "Europe/Lisbon",
    "Europe/London",
    "Europe/Dublin",
    "Europe/Paris",
    "Europe/Brussels",
    "Europe/Amsterdam",
    "Europe/Berlin",
    "Europe/Zurich",
    "Europe/Rome",
    "Europe/Vienna",
    "Europe/Copenhagen",
    "Europe/Oslo",
    "Europe/Stockholm",
    "Europe/Helsinki",
    "Europe/Warsaw",
    "Europe/Prague",
    "Europe/Budapest",
    "Europe/Bucharest",
    "Europe/Sofia",
    "Europe/Athens",
    "Europe/Istanbul",
    "Europe/Moscow",
    "Asia/Jerusalem",
    "Asia/Beirut",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Africa/Lagos",
    "Africa/Johannesburg",
    "Asia/Dubai",
    "Asia/Tehran",
    "Asia/Kolkata",
    "Asia/Bangkok",
    "Asia/Singapore",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Perth",
    "Australia/Sydney",
    "Pacific/Auckland",
    "America/Halifax",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Mexico_City",
    "America/Guatemala",
    "America/Costa_Rica",
    "America/Panama",
    "America/Havana",
    "America/Santo_Domingo",
    "America/Puerto_Rico",
    "America/Bogota",
    "America/Lima",
    "America/Guayaquil",
    "America/Caracas",
    "America/La_Paz",
    "America/Asuncion",
    "America/Santiago",
    "America/Argentina/Buenos_Aires",
    "America/Montevideo",
    "America/Sao_Paulo",
    "UTC",
]


@cache
def all_timezones() -> frozenset[str]:
    """Every time zone that this machine knows."""
    return frozenset(available_timezones())


def timezone_label(zone: str) -> str:
    """`America/Mexico_City` as a list shows it: Mexico City (America)."""
    region, _slash, city = zone.replace("_", " ").rpartition("/")
    return f"{city} ({region.replace('/', ', ')})" if region else city


def duration_label(minutes: int) -> str:
    """A length of time in its largest unit: `45 minutes`, `2 hours`, `1 week`."""
    if minutes and minutes % 10080 == 0:
        return ngettext("%(number)s week", "%(number)s weeks", minutes // 10080) % {"number": minutes // 10080}
    if minutes and minutes % 1440 == 0:
        return ngettext("%(number)s day", "%(number)s days", minutes // 1440) % {"number": minutes // 1440}
    if minutes and minutes % 60 == 0:
        return ngettext("%(number)s hour", "%(number)s hours", minutes // 60) % {"number": minutes // 60}
    return ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes}


def set_choices(form: forms.Form, name: str, choices: list[tuple[str, Any]]) -> None:
    """Set the choices of a field that depend on the form's arguments or on the reader's language."""
    cast(forms.ChoiceField, form.fields[name]).choices = choices


class TimezoneField(forms.ChoiceField):
    """A time zone by its IANA name; none: that of the club."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.offer("")

    def offer(self, zone: object) -> None:
        """List the usual zones, and this one if it exists."""
        more = [zone] if isinstance(zone, str) and zone in all_timezones() and zone not in LISTED_TIMEZONES else []
        zones = [(name, timezone_label(name)) for name in (*more, *LISTED_TIMEZONES)]
        self.choices = [("", _("The club's time zone")), *zones]

    def valid_value(self, value: object) -> bool:
        return value in all_timezones()


class LocalTimeField(forms.DateTimeField):
    """A date and time in the time zone of another field: a naive datetime, which `at` makes aware."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=widget, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return value

    def to_python(self, value: Any) -> datetime | None:
        with timezone.override(UTC):  # without the gaps and doubles of any zone
            moment = super().to_python(value)
        if moment and not FIRST_YEAR <= moment.year <= LAST_YEAR:
            raise forms.ValidationError(
                _("Enter a year from %(first)s to %(last)s."), params={"first": FIRST_YEAR, "last": LAST_YEAR}
            )
        return moment.replace(tzinfo=None) if moment else None

    @staticmethod
    def at(moment: datetime, zone: str) -> datetime:
        """The moment in its zone. Raises forms.ValidationError where the clocks are put forward past it."""
        aware = moment.replace(tzinfo=ZoneInfo(zone))
        if aware.astimezone(UTC).astimezone(aware.tzinfo).replace(tzinfo=None) != moment:
            raise forms.ValidationError(
                _("That time doesn't exist: the clocks go forward that day. Choose another time.")
            )
        return aware


class LengthsField(forms.CharField):
    """Points by round, `7, 9, 11` or `7/9/11`, as a tuple of numbers."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"autocomplete": "off", "spellcheck": "false"}
        super().__init__(max_length=60, widget=forms.TextInput(attrs=attrs), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(str(number) for number in value) if isinstance(value, (tuple, list)) else value

    def clean(self, value: Any) -> tuple[int, ...]:
        parts = re.findall(r"[^\s,;/·-]+", super().clean(value))
        are_numbers = all(part.isascii() and part.isdecimal() and 1 <= int(part) <= LONGEST for part in parts)
        if not are_numbers or len(parts) > MOST_LENGTHS:
            raise forms.ValidationError(
                _("Enter up to %(most)s numbers from 1 to %(longest)s, such as 7, 9, 11."),
                params={"most": MOST_LENGTHS, "longest": LONGEST},
            )
        return tuple(int(part) for part in parts)


class DurationField(forms.TypedChoiceField):
    """A duration from a list: `unit` is how many minutes a number stands for, `usual` the value of no choice.

    The list is in the reader's language, so a form fills it by `offer`.
    """

    def __init__(
        self, spans: Iterable[int], *, unit: int = 1, usual: int = 0, none: str | Promise = "", **kwargs: Any
    ) -> None:
        self.unit, self.none, self.spans = unit, none, tuple(spans)
        super().__init__(coerce=int, empty_value=usual, required=False, **kwargs)  # type: ignore[arg-type]

    def offer(self, value: object) -> None:
        """List the usual spans, and this one."""
        text = str(value)
        more = {int(text)} if text.isdecimal() and len(text) < 6 else set()
        first = [("0", self.none)] if self.none else []
        spans = sorted({*self.spans, *more} - {0})
        self.choices = [*first, *((str(number), duration_label(number * self.unit)) for number in spans)]


class NumbersField(forms.CharField):
    """Whole numbers one after another: `50 30 20`, also with commas, semicolons or dashes between them."""

    def __init__(self, *, most: int, **kwargs: Any) -> None:
        super().__init__(max_length=6 * most, **kwargs)
        self.most = most

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        for separator in ",;/–-%":
            text = text.replace(separator, " ")
        parts = text.split()
        if len(parts) > self.most or not all(part.isascii() and part.isdecimal() and len(part) < 5 for part in parts):
            raise forms.ValidationError(_t("Enter whole numbers separated by spaces."))
        return tuple(map(int, parts))

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(str, value)) if isinstance(value, list | tuple) else value
