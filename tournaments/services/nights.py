"""The evenings that a club plays again: their templates, and those that open themselves on their days.

A date is dealt with once: whoever holds the row of its recurrence writes its `Night`, which a constraint keeps alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import override

from accounts.models import Club, Membership, User
from accounts.roles import directs
from games.database import now
from games.errors import Refused as PlayRefused
from tournaments.errors import Refused
from tournaments.formats.core import Invalid
from tournaments.models import Night, NightTemplate, Recurrence, Tournament
from tournaments.rhythm import Rhythm, moment
from tournaments.services.setup import as_the_club_rates, check_terms, tournament_create
from tournaments.terms import Terms

FACTS = ("about", "capacity", "starts_itself")
"""What a template keeps beside the terms: arguments of `tournament_create` that no date changes."""
LONGEST_NAME = 80
MOST = 60  # templates of a club, and recurrences that are not stopped
MOST_DAYS = 30
SHOWN = 8  # dates ahead
SKIPPED = "skipped"


# Templates


def template_save(
    *, club: Club, by: User, name: str, terms: Terms, template_id: int | None = None, **facts: Any
) -> NightTemplate:
    """Keep a kind of evening, or change one: what was opened from it before stays as it is.

    Raises Refused: not_club_director, template_name, no_template, too_many_nights, and as `tournament_create`.
    """
    _need_director(by, club)
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("template_name")
    terms = as_the_club_rates(club, terms)
    check_terms(terms)
    kept = {key: facts[key] for key in FACTS if key in facts}
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        if template_id is None:
            if club.night_templates.count() >= MOST:
                raise Refused("too_many_nights", params={"most": MOST})
            found = NightTemplate(club=club, made_by=by, made_at=now())
        else:
            found = _template(template_id, club)
        found.name, found.terms, found.facts = name, terms.as_json(), kept
        try:
            with transaction.atomic():
                found.save()
        except IntegrityError as taken:
            raise Refused("template_name") from taken
    return found


def template_from(*, tournament_id: str, by: User, name: str) -> NightTemplate:
    """Keep the terms of a tournament of the club for other evenings. Raises Refused as `template_save`."""
    found = Tournament.objects.select_related("club").get(pk=tournament_id)
    facts = {key: getattr(found, key) for key in FACTS}
    return template_save(club=found.club, by=by, name=name, terms=Terms.read(found.terms), **facts)


def template_remove(*, template_id: int, club: Club, by: User) -> None:
    """Forget a template. Raises Refused: not_club_director, no_template, template_used."""
    _need_director(by, club)
    with transaction.atomic():
        found = _template(template_id, club)
        if found.recurrences.exclude(status=Recurrence.Status.STOPPED).exists():
            raise Refused("template_used")
        found.recurrences.all().delete()  # stopped ones; their tournaments stay
        found.delete()


def _template(template_id: int, club: Club) -> NightTemplate:
    found = NightTemplate.objects.select_for_update().filter(pk=template_id, club=club).first()
    if found is None:
        raise Refused("no_template")
    return found


def _need_director(by: User, club: Club) -> None:
    if not directs(by, club):
        raise Refused("not_club_director")


# Nights that open themselves


def recurrence_make(
    *, template_id: int, club: Club, by: User, name: str, rhythm: Mapping[str, Any], hour: time, opens_days: int
) -> Recurrence:
    """From now on open an evening from a template on each of its days, `opens_days` before it.

    Raises Refused: not_club_director, no_template, template_name, rhythm, opens_days, too_many_nights.
    """
    _need_director(by, club)
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise Refused("template_name")
    if not 0 <= opens_days <= MOST_DAYS:
        raise Refused("opens_days", params={"most": MOST_DAYS})
    try:
        days = Rhythm.read(rhythm)
    except (ValueError, KeyError, TypeError) as wrong:
        raise Refused("rhythm") from wrong
    with transaction.atomic():
        template = _template(template_id, club)
        running = Recurrence.objects.filter(template__club=club).exclude(status=Recurrence.Status.STOPPED)
        if running.count() >= MOST:
            raise Refused("too_many_nights", params={"most": MOST})
        made = Recurrence(
            template=template,
            name=name,
            rhythm=days.as_json(),
            hour=hour,
            opens_days=opens_days,
            made_by=by,
            made_at=now(),
        )
        made.save()
        _plan(made)
    return made


def recurrence_pause(*, recurrence_id: int, club: Club, by: User) -> None:
    """Open no more evenings for the time being. Again changes nothing. Raises Refused: not_club_director,
    no_recurrence.
    """
    _set(recurrence_id, club, by, Recurrence.Status.PAUSED)


def recurrence_resume(*, recurrence_id: int, club: Club, by: User) -> None:
    """Go on after a pause; what fell into it is not made up for. Raises Refused as `recurrence_pause`."""
    _set(recurrence_id, club, by, Recurrence.Status.ON)


def recurrence_stop(*, recurrence_id: int, club: Club, by: User) -> None:
    """End it for good; the evenings that were opened stay. Raises Refused as `recurrence_pause`."""
    _set(recurrence_id, club, by, Recurrence.Status.STOPPED)


def _set(recurrence_id: int, club: Club, by: User, status: str) -> None:
    with transaction.atomic():
        one = _recurrence(recurrence_id, club, by)
        if one.status == Recurrence.Status.STOPPED:
            return
        one.status = status
        _plan(one)


def night_skip(*, recurrence_id: int, club: Club, by: User, day: date) -> None:
    """Leave out one of the next dates. Raises Refused: not_club_director, no_recurrence, night_no_date."""
    with transaction.atomic():
        one = _recurrence(recurrence_id, club, by)
        if day not in [ahead for ahead, _start in next_days(one, SHOWN)]:
            raise Refused("night_no_date")
        Night.objects.create(recurrence=one, date=day, why=SKIPPED)
        _plan(one)


def night_restore(*, recurrence_id: int, club: Club, by: User, day: date) -> None:
    """Take back that a date is left out. Raises Refused: not_club_director, no_recurrence, night_no_date."""
    with transaction.atomic():
        one = _recurrence(recurrence_id, club, by)
        if not one.nights.filter(date=day, why=SKIPPED).delete()[0]:
            raise Refused("night_no_date")
        _plan(one)


def _recurrence(recurrence_id: int, club: Club, by: User) -> Recurrence:
    _need_director(by, club)
    found = _locked().filter(pk=recurrence_id, template__club=club).first()
    if found is None:
        raise Refused("no_recurrence")
    return found


def _locked() -> QuerySet[Recurrence]:
    chosen = Recurrence.objects.select_related("template__club", "made_by")
    return chosen.select_for_update(of=("self",))


# What the sweep does


def recurrences_due(moment: datetime, most: int) -> list[int]:
    """The recurrences whose next evening is to be opened, the longest due first."""
    due = Recurrence.objects.filter(due_at__lte=moment).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:most])


def recurrence_due(*, recurrence_id: int) -> list[Tournament]:
    """Open every evening of a recurrence that is due. Again opens nothing: each date has one `Night`.

    Dates that went by while nobody swept are not made up for; one that cannot be opened is written down with the
    reason, and the next one is tried in its turn.
    """
    with transaction.atomic():
        one = _locked().filter(pk=recurrence_id).first()
        if one is None or one.status != Recurrence.Status.ON:
            return []
        here, made = now(), []
        for day, start in next_days(one, SHOWN):
            if _opens(one, day) > here:
                break
            night = Night(recurrence=one, date=day)
            try:
                with transaction.atomic():
                    night.tournament = _open(one, day, start)
                made.append(night.tournament)
            except (PlayRefused, Invalid) as refusal:
                night.why = refusal.code
            night.save()
        _plan(one)
    return made


def next_days(one: Recurrence, count: int, here: datetime | None = None) -> list[tuple[date, datetime]]:
    """The next dates of a recurrence that nothing was done about yet at the moment `here`, each with its own."""
    if one.status == Recurrence.Status.STOPPED:
        return []
    done = {night.date for night in one.nights.all()}  # a page has fetched them
    here, found = here or now(), []
    for day, start in _starts(one):
        if day not in done and start > here:
            found.append((day, start))
        if len(found) == count:
            break
    return found


def _starts(one: Recurrence) -> Iterator[tuple[date, datetime]]:
    club = one.template.club
    for day in Rhythm.read(one.rhythm).days(club.today()):
        yield day, moment(day, one.hour, club.timezone)


def _opens(one: Recurrence, day: date) -> datetime:
    return moment(day - timedelta(days=one.opens_days), one.hour, one.template.club.timezone)


def _plan(one: Recurrence) -> None:
    """Write down when the next evening opens."""
    ahead = next_days(one, 1) if one.status == Recurrence.Status.ON else []
    one.due_at = _opens(one, ahead[0][0]) if ahead else None
    one.save(update_fields=["status", "due_at"])


def _open(one: Recurrence, day: date, start: datetime) -> Tournament:
    """The evening of a day. Raises Refused: nobody_directs, and as `tournament_create`."""
    template = one.template
    director = _director(one)
    number = one.nights.filter(tournament__isnull=False).count() + 1
    return tournament_create(
        creator=director,
        name=night_name(one.name, day, number, director.language),
        terms=Terms.read(template.terms),
        club=template.club,
        timezone=template.club.timezone,
        starts_at=start,
        **{"starts_itself": False, **template.facts},
    )


def _director(one: Recurrence) -> User:
    """Who set it up, while he directs the club; then an owner. Raises Refused("nobody_directs")."""
    club = one.template.club
    if directs(one.made_by, club):
        return one.made_by
    owners = Membership.objects.filter(club=club, role=Membership.Role.OWNER, user__is_active=True)
    first = owners.select_related("user").order_by("joined_at", "pk").first()
    if first is None:
        raise Refused("nobody_directs")
    return first.user


def night_name(pattern: str, day: date, number: int, language: str) -> str:
    """`Thursday {date}` with the date in the director's language; `{number}` counts the evenings."""
    with override(language or settings.LANGUAGE_CODE):
        named = pattern.replace("{date}", date_format(day, "DATE_FORMAT")).replace("{number}", str(number))
    return named[:LONGEST_NAME].strip()
