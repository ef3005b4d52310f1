"""Recurring events of a club: their templates, and the tournaments that they open on their dates.

Each date is handled once: the holder of the lock on a recurring event writes the `Occurrence` of a date, which a
constraint keeps unique.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import override

from accounts.clubs.roles import may_direct
from accounts.models import Club, Membership, User
from accounts.web.staff import refusal_code
from backgammon.languages import first_supported
from games.database import now
from games.errors import Refused as PlayRefused
from tournaments.errors import Refused
from tournaments.formats.core import Invalid
from tournaments.models import EventTemplate, Occurrence, RecurringEvent, Tournament
from tournaments.recurrence import Recurrence, local_moment
from tournaments.services.setup import apply_club_rating, check_terms, tournament_create
from tournaments.terms import Terms

FACTS = ("about", "capacity", "starts_itself")
"""What a template stores beside the terms: arguments of `tournament_create` that do not depend on the date."""
LONGEST_NAME = 80
MOST = 60  # templates of a club, and recurring events that are not stopped
MOST_DAYS = 30
SHOWN = 8  # dates ahead
SKIPPED = "skipped"


# Templates


def template_save(
    *, club: Club, by: User, name: str, terms: Terms, template_id: int | None = None, **facts: Any
) -> EventTemplate:
    """Save a new template, or change one; tournaments that were opened from it stay as they are.

    Raises Refused: not_club_director, template_name, no_template, too_many_nights, and as `tournament_create`.
    """
    _check_director(by, club)
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("template_name")
    terms = apply_club_rating(club, terms)
    check_terms(terms)
    stored = {key: facts[key] for key in FACTS if key in facts}
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        if template_id is None:
            if club.event_templates.count() >= MOST:
                raise Refused("too_many_nights", params={"most": MOST})
            template = EventTemplate(club=club, made_by=by, made_at=now())
        else:
            template = _template(template_id, club)
        template.name, template.terms, template.facts = name, terms.as_json(), stored
        try:
            with transaction.atomic():
                template.save()
        except IntegrityError as error:
            raise Refused("template_name") from error
    return template


def template_save_from_tournament(*, tournament_id: str, by: User, name: str) -> EventTemplate:
    """Save the terms of a tournament as a template of its club. Raises Refused as `template_save`."""
    tournament = Tournament.objects.select_related("club").get(pk=tournament_id)
    facts = {key: getattr(tournament, key) for key in FACTS}
    return template_save(club=tournament.club, by=by, name=name, terms=Terms.read(tournament.terms), **facts)


def template_remove(*, template_id: int, club: Club, by: User) -> None:
    """Delete a template. Raises Refused: not_club_director, no_template, template_used."""
    _check_director(by, club)
    with transaction.atomic():
        template = _template(template_id, club)
        if template.recurring_events.exclude(status=RecurringEvent.Status.STOPPED).exists():
            raise Refused("template_used")
        template.recurring_events.all().delete()  # stopped ones; their tournaments stay
        template.delete()


def _template(template_id: int, club: Club) -> EventTemplate:
    template = EventTemplate.objects.select_for_update().filter(pk=template_id, club=club).first()
    if template is None:
        raise Refused("no_template")
    return template


def _check_director(by: User, club: Club) -> None:
    if not may_direct(by, club):
        raise Refused(refusal_code(by, "not_club_director"))


# Recurring events


def recurring_event_create(
    *, template_id: int, club: Club, by: User, name: str, recurrence: Mapping[str, Any], hour: time, opens_days: int
) -> RecurringEvent:
    """Create an event that opens a tournament from a template for each of its dates, `opens_days` before it.

    Raises Refused: not_club_director, no_template, template_name, rhythm, opens_days, too_many_nights.
    """
    _check_director(by, club)
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("template_name")
    if not 0 <= opens_days <= MOST_DAYS:
        raise Refused("opens_days", params={"most": MOST_DAYS})
    try:
        dates = Recurrence.read(recurrence)
    except (ValueError, KeyError, TypeError) as error:
        raise Refused("rhythm") from error
    with transaction.atomic():
        template = _template(template_id, club)
        active = RecurringEvent.objects.filter(template__club=club).exclude(status=RecurringEvent.Status.STOPPED)
        if active.count() >= MOST:
            raise Refused("too_many_nights", params={"most": MOST})
        event = RecurringEvent(
            template=template,
            name=name,
            recurrence=dates.as_json(),
            hour=hour,
            opens_days=opens_days,
            made_by=by,
            made_at=now(),
        )
        event.save()
        _schedule(event)
    return event


def recurring_event_pause(*, recurring_event_id: int, club: Club, by: User) -> None:
    """Open no more tournaments for the time being. Idempotent. Raises Refused: not_club_director, no_recurrence."""
    _set_status(recurring_event_id, club, by, RecurringEvent.Status.PAUSED)


def recurring_event_resume(*, recurring_event_id: int, club: Club, by: User) -> None:
    """Resume after a pause; dates that fell into it are left out. Raises Refused as `recurring_event_pause`."""
    _set_status(recurring_event_id, club, by, RecurringEvent.Status.ON)


def recurring_event_stop(*, recurring_event_id: int, club: Club, by: User) -> None:
    """Stop for good; the tournaments that were opened stay. Raises Refused as `recurring_event_pause`."""
    _set_status(recurring_event_id, club, by, RecurringEvent.Status.STOPPED)


def _set_status(recurring_event_id: int, club: Club, by: User, status: str) -> None:
    with transaction.atomic():
        event = _lock_event(recurring_event_id, club, by)
        if event.status == RecurringEvent.Status.STOPPED:
            return
        event.status = status
        _schedule(event)


def occurrence_skip(*, recurring_event_id: int, club: Club, by: User, day: date) -> None:
    """Skip one of the upcoming dates. Raises Refused: not_club_director, no_recurrence, night_no_date."""
    with transaction.atomic():
        event = _lock_event(recurring_event_id, club, by)
        if day not in [date_ for date_, _starts_at in upcoming_dates(event, SHOWN)]:
            raise Refused("night_no_date")
        Occurrence.objects.create(recurring_event=event, date=day, reason=SKIPPED)
        _schedule(event)


def occurrence_restore(*, recurring_event_id: int, club: Club, by: User, day: date) -> None:
    """Restore a skipped date. Raises Refused: not_club_director, no_recurrence, night_no_date."""
    with transaction.atomic():
        event = _lock_event(recurring_event_id, club, by)
        if not event.occurrences.filter(date=day, reason=SKIPPED).delete()[0]:
            raise Refused("night_no_date")
        _schedule(event)


def _lock_event(recurring_event_id: int, club: Club, by: User) -> RecurringEvent:
    _check_director(by, club)
    event = _locked().filter(pk=recurring_event_id, template__club=club).first()
    if event is None:
        raise Refused("no_recurrence")
    return event


def _locked() -> QuerySet[RecurringEvent]:
    events = RecurringEvent.objects.select_related("template__club", "made_by")
    return events.select_for_update(of=("self",))


# The sweep


def recurring_events_due(moment: datetime, most: int) -> list[int]:
    """The ids of the events whose next tournament is to be opened, the longest due first."""
    due = RecurringEvent.objects.filter(due_at__lte=moment).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:most])


def recurring_event_due(*, recurring_event_id: int) -> list[Tournament]:
    """Open every tournament of an event that is due. Idempotent: each date has one `Occurrence`.

    Dates that passed while the sweep did not run are left out. A tournament that cannot be opened is recorded with the
    reason, and the next date is tried when it is due.
    """
    with transaction.atomic():
        event = _locked().filter(pk=recurring_event_id).first()
        if event is None or event.status != RecurringEvent.Status.ON:
            return []
        moment, opened = now(), []
        for day, starts_at in upcoming_dates(event, SHOWN):
            if _opens_at(event, day) > moment:
                break
            occurrence = Occurrence(recurring_event=event, date=day)
            try:
                with transaction.atomic():
                    occurrence.tournament = _open(event, day, starts_at)
                opened.append(occurrence.tournament)
            except (PlayRefused, Invalid) as refusal:
                occurrence.reason = refusal.code
            occurrence.save()
        _schedule(event)
    return opened


def upcoming_dates(event: RecurringEvent, count: int, moment: datetime | None = None) -> list[tuple[date, datetime]]:
    """The next dates of an event after `moment` (None: now) that were not handled yet, each with its start time."""
    if event.status == RecurringEvent.Status.STOPPED:
        return []
    handled = {occurrence.date for occurrence in event.occurrences.all()}  # prefetched by pages
    moment, upcoming = moment or now(), []
    for day, starts_at in _start_times(event):
        if day not in handled and starts_at > moment:
            upcoming.append((day, starts_at))
        if len(upcoming) == count:
            break
    return upcoming


def _start_times(event: RecurringEvent) -> Iterator[tuple[date, datetime]]:
    club = event.template.club
    for day in Recurrence.read(event.recurrence).days(club.today()):
        yield day, local_moment(day, event.hour, club.timezone)


def _opens_at(event: RecurringEvent, day: date) -> datetime:
    """When the entries for the tournament of a day open."""
    return local_moment(day - timedelta(days=event.opens_days), event.hour, event.template.club.timezone)


def _schedule(event: RecurringEvent) -> None:
    """Set when the next tournament is to be opened."""
    upcoming = upcoming_dates(event, 1) if event.status == RecurringEvent.Status.ON else []
    event.due_at = _opens_at(event, upcoming[0][0]) if upcoming else None
    event.save(update_fields=["status", "due_at"])


def _open(event: RecurringEvent, day: date, starts_at: datetime) -> Tournament:
    """Open the tournament of a day. Raises Refused: nobody_directs, and as `tournament_create`."""
    template = event.template
    director = _director(event)
    number = event.occurrences.filter(tournament__isnull=False).count() + 1
    return tournament_create(
        creator=director,
        name=occurrence_name(event.name, day, number, director.language),
        terms=Terms.read(template.terms),
        club=template.club,
        timezone=template.club.timezone,
        starts_at=starts_at,
        **{"starts_itself": False, **template.facts},
    )


def _director(event: RecurringEvent) -> User:
    """The creator of an event, while they direct the club; then an owner. Raises Refused("nobody_directs")."""
    club = event.template.club
    if may_direct(event.made_by, club):
        return event.made_by
    owners = Membership.objects.filter(club=club, role=Membership.Role.OWNER, user__is_active=True)
    first = owners.select_related("user").order_by("joined_at", "pk").first()
    if first is None:
        raise Refused("nobody_directs")
    return first.user


def occurrence_name(pattern: str, day: date, number: int, language: str) -> str:
    """`Thursday {date}` with the date in the director's language; `{number}` counts the tournaments."""
    with override(first_supported(language)):
        name = pattern.replace("{date}", date_format(day, "DATE_FORMAT")).replace("{number}", str(number))
    return name[:LONGEST_NAME].strip()
