"""What support pages read: searches for people, one person, and the log of support acts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from django.db.models import Case, Q, QuerySet, Value, When
from django.utils import timezone as clock

from accounts.auth import selectors as auth_selectors
from accounts.closures.registry import Closure, closures_of
from accounts.models import Ban, FormerName, Membership, MergedAccount, SupportAct, User
from accounts.names.validation import fold
from accounts.support.permissions import AccountType, Kind, account_type, allowed_acts
from accounts.support.person_sections import Section, sections
from accounts.web.staff import has_mfa

MAX_ROWS = 10
PAGE_SIZE = 25


@dataclass(frozen=True, slots=True)
class PersonDetail:
    """A person as the support sees them. Nothing here is private: private data is revealed by an act of its own."""

    user: User
    type: AccountType
    closures: list[Closure]
    former: list[FormerName]
    memberships: list[Membership]
    bots: list[User]
    bans: list[Ban]
    acts: list[SupportAct]
    sessions: int
    has_mfa: bool
    merged_into: User | None
    absorbed: list[User]
    allowed_acts: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)


def search_people(query: str) -> QuerySet[User]:
    """Users by primary key, or the beginning of a present or former name; the exact name comes first.

    An e-mail address finds nobody here: that is a recorded act (services.person_find).
    """
    query = query.strip().replace("\0", "")
    if not query or "@" in query:
        return User.objects.none()
    key = fold(query)
    former = FormerName.objects.filter(key__startswith=key).values("user")
    matching = Q(name_key__startswith=key) | Q(pk__in=former)
    number = query.removeprefix("#")
    if number.isascii() and number.isdigit() and len(number) < 15:
        matching |= Q(pk=int(number))
    exact = Case(When(name_key=key, then=Value(0)), default=Value(1))
    return User.objects.filter(matching).order_by(exact, "name_key", "pk")


def person_detail(about: User, viewer: User) -> PersonDetail:
    """Everything on the page of a person, in a bounded number of queries."""
    merged = MergedAccount.objects.filter(source=about).select_related("target").first()
    absorbed = MergedAccount.objects.filter(target=about).select_related("source").order_by("-at")
    return PersonDetail(
        user=about,
        type=account_type(about),
        closures=closures_of(about),
        former=list(FormerName.objects.filter(user=about)[:MAX_ROWS]),
        memberships=list(Membership.objects.filter(user=about).select_related("club").order_by("pk")[:MAX_ROWS]),
        bots=list(User.objects.filter(owner=about).order_by("name_key")[:MAX_ROWS]),
        bans=list(Ban.objects.filter(user=about).select_related("by")[:MAX_ROWS]),
        acts=list(SupportAct.objects.filter(about=about).select_related("by", "about")[:MAX_ROWS]),
        sessions=len(auth_selectors.sessions_of(about, here=None)),
        has_mfa=has_mfa(about),
        merged_into=merged.target if merged is not None else None,
        absorbed=[row.source for row in absorbed[:MAX_ROWS]],
        allowed_acts=allowed_acts(viewer, about),
        sections=sections(about, viewer),
    )


def support_acts(
    *, kind: str = "", by: str = "", about: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[SupportAct]:
    """The acts of the support, the last first, filtered by kind, present or former names, and days."""
    rows = SupportAct.objects.select_related("by", "about")
    if kind in Kind.values:
        rows = rows.filter(kind=kind)
    for column, name in (("by", by), ("about", about)):
        if name.strip():
            rows = rows.filter(**{f"{column}__in": _users_named(name)})
    if since is not None:
        rows = rows.filter(at__gte=_midnight(since))
    if until is not None:
        rows = rows.filter(at__lt=_midnight(until + timedelta(days=1)))
    return rows


def _users_named(name: str) -> QuerySet[User]:
    key = fold(name.replace("\0", ""))
    former = FormerName.objects.filter(key=key).values("user")
    return User.objects.filter(Q(name_key=key) | Q(pk__in=former))


def _midnight(day: date) -> datetime:
    return clock.make_aware(datetime.combine(day, time.min))
