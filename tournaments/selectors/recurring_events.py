"""Templates and recurring events of a club, and recurrences in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Prefetch
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from accounts.models import Club
from games.database import now
from tournaments.errors import Refused
from tournaments.models import (
    EventTemplate,
    Occurrence,
    RecurringEvent,
)
from tournaments.recurrence import Recurrence
from tournaments.selectors import labels
from tournaments.selectors.seasons import season_champions as season_champions
from tournaments.services import recurring
from tournaments.terms import Terms


@dataclass(frozen=True, slots=True)
class RecurringEventRow:
    """A recurring event with its next dates, the skipped ones, and dates on which it could not open."""

    event: RecurringEvent
    recurrence: str
    upcoming: list[tuple[date, str]]
    skipped: list[date]
    failures: list[tuple[date, str]]
    created: list[Occurrence]

    @property
    def state(self) -> str:
        return str(RecurringEvent.Status(self.event.status).label)


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A template with a one-line summary, and the recurring events that use it."""

    template: EventTemplate
    summary: str
    recurring_events: list[RecurringEventRow]


def template_rows(club: Club) -> list[TemplateRow]:
    """The templates of a club with their recurring events."""
    played = Occurrence.objects.select_related("tournament").order_by("-date")
    chosen = RecurringEvent.objects.exclude(status=RecurringEvent.Status.STOPPED).prefetch_related(
        Prefetch("occurrences", played)
    )
    found = club.event_templates.prefetch_related(Prefetch("recurring_events", chosen))
    shown, moment = [], now()
    for template in found:
        template.club = club
        for event in template.recurring_events.all():
            event.template = template
        shown.append(
            TemplateRow(
                template,
                template_summary(template.terms),
                [_recurring_event_row(event, moment) for event in template.recurring_events.all()],
            )
        )
    return shown


def _recurring_event_row(event: RecurringEvent, moment: datetime) -> RecurringEventRow:
    occurrences = list(event.occurrences.all())
    today = event.template.club.today()
    dates = recurring.upcoming_dates(event, 4, moment)
    return RecurringEventRow(
        event=event,
        recurrence=recurrence_label(Recurrence.read(event.recurrence)),
        upcoming=[(day, f"{weekday_name(day.weekday())}, {date_format(day, 'DATE_FORMAT')}") for day, _start in dates],
        skipped=sorted(
            occurrence.date
            for occurrence in occurrences
            if occurrence.reason == recurring.SKIPPED and occurrence.date >= today
        ),
        failures=[
            (occurrence.date, Refused(occurrence.reason).text)
            for occurrence in occurrences
            if occurrence.reason not in ("", recurring.SKIPPED)
        ],
        created=[occurrence for occurrence in occurrences if occurrence.tournament is not None][:3],
    )


def template_summary(terms: dict[str, Any]) -> str:
    """A line about the format and the length of the matches."""
    read = Terms.read(terms)
    return f"{labels.format_label(read.config)} · {labels.lengths_label(read.lengths)}"


WEEKDAYS: tuple[str | Promise, ...] = (
    pgettext_lazy("weekday", "Monday"),
    pgettext_lazy("weekday", "Tuesday"),
    pgettext_lazy("weekday", "Wednesday"),
    pgettext_lazy("weekday", "Thursday"),
    pgettext_lazy("weekday", "Friday"),
    pgettext_lazy("weekday", "Saturday"),
    pgettext_lazy("weekday", "Sunday"),
)


WEEKDAYS_IN_SENTENCES: tuple[str | Promise, ...] = (
    pgettext_lazy("weekday in a sentence", "Monday"),
    pgettext_lazy("weekday in a sentence", "Tuesday"),
    pgettext_lazy("weekday in a sentence", "Wednesday"),
    pgettext_lazy("weekday in a sentence", "Thursday"),
    pgettext_lazy("weekday in a sentence", "Friday"),
    pgettext_lazy("weekday in a sentence", "Saturday"),
    pgettext_lazy("weekday in a sentence", "Sunday"),
)


NTH_CHOICES: dict[int, str | Promise] = {
    1: pgettext_lazy("week of the month", "First"),
    2: pgettext_lazy("week of the month", "Second"),
    3: pgettext_lazy("week of the month", "Third"),
    4: pgettext_lazy("week of the month", "Fourth"),
    -1: pgettext_lazy("week of the month", "Last"),
}


NTHS: dict[int, str | Promise] = {
    1: gettext_lazy("first %(days)s of the month"),
    2: gettext_lazy("second %(days)s of the month"),
    3: gettext_lazy("third %(days)s of the month"),
    4: gettext_lazy("fourth %(days)s of the month"),
    -1: gettext_lazy("last %(days)s of the month"),
}


def weekday_name(number: int) -> str:
    """The name of a weekday, 0 is Monday."""
    return str(WEEKDAYS[number])


def recurrence_label(recurrence: Recurrence) -> str:
    """Say when an event recurs: `Thursday, every 2 weeks`, `Last Friday of the month`."""
    days = ", ".join(str(WEEKDAYS_IN_SENTENCES[day]) for day in sorted(recurrence.weekdays))
    if recurrence.kind == "monthly":
        return capfirst(str(NTHS[recurrence.nth]) % {"days": days})
    if recurrence.every == 1:
        interval = _("every week")
    else:
        interval = ngettext("every %(n)s week", "every %(n)s weeks", recurrence.every) % {"n": recurrence.every}
    return capfirst(f"{days}, {interval}")
