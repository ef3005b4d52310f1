"""The forms of clubs: the club of a new tournament, a recurring event, a file of results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from tournaments.forms.fields import set_choices
from tournaments.forms.settings_answers import answers_of
from tournaments.models import EventTemplate, Tournament
from tournaments.recurrence import MOST_WEEKS
from tournaments.results_csv import MOST_BYTES
from tournaments.selectors import recurring_events
from tournaments.services import recurring


class ClubForm(forms.Form):
    """The club that a new tournament belongs to."""

    club = forms.ChoiceField(label=_("Club"), required=False)

    def __init__(self, *args: Any, clubs: list[Club], chosen: Club | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.clubs = {str(club.pk): club for club in clubs}
        self.first = chosen if chosen is not None and str(chosen.pk) in self.clubs else (clubs[0] if clubs else None)
        set_choices(self, "club", [(key, club.name) for key, club in self.clubs.items()])
        self.initial.setdefault("club", str(self.first.pk) if self.first else "")

    def chosen(self) -> Club | None:
        """The club of a valid form: the first where none was chosen."""
        return self.clubs.get(self.cleaned_data.get("club") or "", self.first)


class RecurrenceForm(forms.Form):
    """A recurring event: on which days, at which time, and how long before its registration opens."""

    name = forms.CharField(
        label=_("Name of each tournament"),
        max_length=recurring.LONGEST_NAME,
        help_text=_("{date} is replaced with the date and {number} with the tournament's number."),
    )
    kind = forms.ChoiceField(
        label=_("Recurrence"),
        choices=[("weekly", _("Weekly")), ("monthly", _("Monthly"))],
        widget=forms.RadioSelect,
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=_("Weekdays"),
        coerce=int,
        choices=list(enumerate(recurring_events.WEEKDAYS)),
        widget=forms.CheckboxSelectMultiple,
    )
    every = forms.IntegerField(label=_("Repeat every (weeks)"), min_value=1, max_value=MOST_WEEKS, required=False)
    nth = forms.TypedChoiceField(
        label=_("Week of the month"), coerce=int, choices=list(recurring_events.NTH_CHOICES.items()), required=False
    )
    hour = forms.TimeField(label=_("Start time"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
    opens_days = forms.IntegerField(
        label=_("Open registration (days before)"), min_value=0, max_value=recurring.MOST_DAYS
    )
    first = forms.DateField(label=_("From"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    until = forms.DateField(
        label=_("Until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Leave empty to repeat until you stop it."),
    )

    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments of `recurring.recurring_event_create`."""
        data = self.cleaned_data
        recurrence = {
            "kind": data["kind"],
            "weekdays": data["weekdays"],
            "first": data["first"].isoformat(),
            "every": data["every"] or 1,
            "nth": data["nth"] or 1,
            "until": data["until"].isoformat() if data["until"] else None,
        }
        return {"name": data["name"], "recurrence": recurrence, "hour": data["hour"], "opens_days": data["opens_days"]}


def default_recurrence(template: EventTemplate) -> dict[str, Any]:
    """The initial recurrence for a template: every week, on today's weekday, from today on."""
    today = template.club.today()
    return {
        "name": f"{template.name} {{date}}"[: recurring.LONGEST_NAME],
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
    rated = forms.BooleanField(label=_("Count these results for ratings"), required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("file") and not data.get("text") and not self.errors:
            self.add_error("file", _("Choose a file."))
        return data

    def content(self) -> bytes:
        """The bytes of the file, at most one more than are allowed."""
        file = self.cleaned_data.get("file")
        return file.read(MOST_BYTES + 1) if file else self.cleaned_data["text"].replace("\r\n", "\n").encode()


def answers_of_template(template: EventTemplate) -> Mapping[str, Any]:
    """The answers to `TournamentForm` that a template stores: it is a tournament without a date."""
    unsaved = Tournament(name=template.name, terms=template.terms, timezone=template.club.timezone, **template.facts)
    return answers_of(unsaved)
