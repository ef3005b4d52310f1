"""What the support sees: people, one of them, and the record of what was done."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from django.db.models import Case, Q, QuerySet, Value, When
from django.utils import timezone as clock

from accounts import log_ins
from accounts.closing import Closing, closings
from accounts.models import Ban, FormerName, Membership, Merged, SupportAct, User
from accounts.names import fold
from accounts.second import has_second_step
from accounts.support.acts import Kind, Sort, acts_for, sort_of
from accounts.support.cards import Section, sections

MOST_ROWS = 10
PAGE = 25


@dataclass(frozen=True, slots=True)
class Card:
    """A person as the support sees him: nothing here is private, that is shown by an act of its own."""

    who: User
    sort: Sort
    closings: list[Closing]
    former: list[FormerName]
    memberships: list[Membership]
    bots: list[User]
    bans: list[Ban]
    acts: list[SupportAct]
    log_ins: int
    second_step: bool
    into: User | None
    was: list[User]
    may: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)


def people_found(wanted: str) -> QuerySet[User]:
    """People by their number, the beginning of their name or of a former one; the exact name comes first.

    An e-mail address finds nobody here: that is an act that is written down (services.person_find).
    """
    wanted = wanted.strip().replace("\0", "")
    if not wanted or "@" in wanted:
        return User.objects.none()
    key = fold(wanted)
    former = FormerName.objects.filter(key__startswith=key).values("user")
    matching = Q(name_key__startswith=key) | Q(pk__in=former)
    number = wanted.removeprefix("#")
    if number.isascii() and number.isdigit() and len(number) < 15:
        matching |= Q(pk=int(number))
    exact = Case(When(name_key=key, then=Value(0)), default=Value(1))
    return User.objects.filter(matching).order_by(exact, "name_key", "pk")


def card_of(about: User, viewer: User) -> Card:
    """Everything on one page, in a bounded number of queries."""
    merged = Merged.objects.filter(gone=about).select_related("into").first()
    parts = Merged.objects.filter(into=about).select_related("gone").order_by("-at")
    return Card(
        who=about,
        sort=sort_of(about),
        closings=closings(about),
        former=list(FormerName.objects.filter(user=about)[:MOST_ROWS]),
        memberships=list(Membership.objects.filter(user=about).select_related("club").order_by("pk")[:MOST_ROWS]),
        bots=list(User.objects.filter(owner=about).order_by("name_key")[:MOST_ROWS]),
        bans=list(Ban.objects.filter(user=about).select_related("by")[:MOST_ROWS]),
        acts=list(SupportAct.objects.filter(about=about).select_related("by", "about")[:MOST_ROWS]),
        log_ins=len(log_ins.log_ins_of(about, here=None)),
        second_step=has_second_step(about),
        into=merged.into if merged is not None else None,
        was=[row.gone for row in parts[:MOST_ROWS]],
        may=acts_for(viewer, about),
        sections=sections(about, viewer),
    )


def record(
    *, kind: str = "", by: str = "", about: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[SupportAct]:
    """The acts of the support, the last first; names as people have them now or had them before."""
    rows = SupportAct.objects.select_related("by", "about")
    if kind in Kind.values:
        rows = rows.filter(kind=kind)
    for column, name in (("by", by), ("about", about)):
        if name.strip():
            rows = rows.filter(**{f"{column}__in": _called(name)})
    if since is not None:
        rows = rows.filter(at__gte=_midnight(since))
    if until is not None:
        rows = rows.filter(at__lt=_midnight(until + timedelta(days=1)))
    return rows


def _called(name: str) -> QuerySet[User]:
    key = fold(name.replace("\0", ""))
    former = FormerName.objects.filter(key=key).values("user")
    return User.objects.filter(Q(name_key=key) | Q(pk__in=former))


def _midnight(day: date) -> datetime:
    return clock.make_aware(datetime.combine(day, time.min))
