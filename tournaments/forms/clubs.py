"""What directors of clubs type: which club, a night that repeats, a file of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from tournaments.forms.terms import answers_of
from tournaments.models import NightTemplate, Tournament
from tournaments.rhythm import MOST_WEEKS
from tournaments.selectors import clubs as names
from tournaments.services import nights
from tournaments.sheets import MOST_BYTES


class ClubForm(forms.Form):
    """The club that a new tournament belongs to."""

    club = forms.ChoiceField(label=_("Club"), required=False)

    def __init__(self, *args: Any, clubs: list[Club], chosen: Club | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.clubs = {str(club.pk): club for club in clubs}
        self.first = chosen if chosen is not None and str(chosen.pk) in self.clubs else (clubs[0] if clubs else None)
        self.fields["club"].choices = [(key, club.name) for key, club in self.clubs.items()]  # type: ignore[attr-defined]
        self.initial.setdefault("club", str(self.first.pk) if self.first else "")

    def chosen(self) -> Club | None:
        """The club of a valid form: the first where none was said."""
        return self.clubs.get(self.cleaned_data.get("club") or "", self.first)


class RecurrenceForm(forms.Form):
    """A night that opens itself: on which days, at which hour, and how long before."""

    name = forms.CharField(
        label=_("Name of each night"),
        max_length=nights.LONGEST_NAME,
        help_text=_("{date} becomes its date, {number} counts the nights."),
    )
    kind = forms.ChoiceField(
        label=_("How often?"),
        choices=[("weekly", _("Every so many weeks")), ("monthly", _("Once a month"))],
        widget=forms.RadioSelect,
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=_("Weekdays"), coerce=int, choices=list(enumerate(names.WEEKDAYS)), widget=forms.CheckboxSelectMultiple
    )
    every = forms.IntegerField(label=_("Every how many weeks"), min_value=1, max_value=MOST_WEEKS, required=False)
    nth = forms.TypedChoiceField(label=_("Which one"), coerce=int, choices=list(names.NTHS.items()), required=False)
    hour = forms.TimeField(label=_("Hour"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
    opens_days = forms.IntegerField(
        label=_("Entries open how many days before"), min_value=0, max_value=nights.MOST_DAYS
    )
    first = forms.DateField(label=_("From"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    until = forms.DateField(
        label=_("Until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Empty: until you stop it."),
    )

    def facts(self) -> dict[str, Any]:
        """Keyword arguments of `nights.recurrence_make`."""
        data = self.cleaned_data
        rhythm = {
            "kind": data["kind"],
            "weekdays": data["weekdays"],
            "first": data["first"].isoformat(),
            "every": data["every"] or 1,
            "nth": data["nth"] or 1,
            "until": data["until"].isoformat() if data["until"] else None,
        }
        return {"name": data["name"], "rhythm": rhythm, "hour": data["hour"], "opens_days": data["opens_days"]}


def usual_night(template: NightTemplate) -> dict[str, Any]:
    """What a night that repeats from a template begins with: every week, on this weekday, from today on."""
    today = template.club.today()
    return {
        "name": f"{template.name} {{date}}"[: nights.LONGEST_NAME],
        "kind": "weekly",
        "weekdays": [today.weekday()],
        "every": 1,
        "opens_days": 6,
        "first": today,
        "hour": "20:00",
    }


class ResultsFileForm(forms.Form):
    """A file of results, or its text."""

    file = forms.FileField(
        label=_("File"), required=False, widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv"})
    )
    text = forms.CharField(required=False, strip=False, max_length=MOST_BYTES, widget=forms.HiddenInput)
    rated = forms.BooleanField(label=_("These results count for the ratings"), required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("file") and not data.get("text") and not self.errors:
            self.add_error("file", _("Choose a file."))
        return data

    def given(self) -> bytes:
        """The bytes of the file, one more than are allowed at most."""
        file = self.cleaned_data.get("file")
        return file.read(MOST_BYTES + 1) if file else self.cleaned_data["text"].replace("\r\n", "\n").encode()


def answers_of_template(template: NightTemplate) -> Mapping[str, Any]:
    """The answers to `TournamentForm` that a template holds: it is a tournament without a date."""
    unmade = Tournament(name=template.name, terms=template.terms, timezone=template.club.timezone, **template.facts)
    return answers_of(unmade)
