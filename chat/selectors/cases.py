"""The moderators' pages: the queue, a case with the messages around it, and the log."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Count, QuerySet

from accounts.models import User
from chat.case_access import visible_cases
from chat.errors import NotFound
from chat.models import Case, CaseEvent, Message, Report, Sanction
from chat.moderators import is_protected_from
from games.database import now
from games.models import Match

AROUND = 8
"""Messages of the room shown before and after a reported one."""
MOST_LINES = 80
MOST_POINTS = 10  # messages of one room whose surroundings are shown
EARLIER = 20

Act = CaseEvent.Act


@dataclass(frozen=True, slots=True)
class Line:
    """A message in a case: `reported` marks a reported one, `start` one that follows a gap."""

    message: Message
    reported: bool
    start: bool = False


@dataclass(frozen=True, slots=True)
class CasePage:
    """A case as a moderator sees it, with the acts that are open to them."""

    case: Case
    reports: list[Report]
    lines: list[Line]
    events: list[CaseEvent]
    earlier: list[Case]
    sanctions: list[Sanction]
    acts: list[str] = field(default_factory=list)
    own: bool = False


def queue(user: User, *, closed: bool = False) -> QuerySet[Case]:
    """The cases that wait, the longest waiting first; or those that were closed, the latest first."""
    found = visible_cases(user).filter(closed_at__isnull=not closed)
    shown = found.select_related("about", "match").prefetch_related("reports__by", "match__seats__user")
    return shown.annotate(count=Count("reports")).order_by(*(["-closed_at"] if closed else ["opened_at"]))


def waiting(user: User) -> int:
    """How many cases wait for the moderators."""
    return visible_cases(user).filter(closed_at=None).count()


def case_page(*, case_id: int, user: User) -> CasePage:
    """Raises NotFound: no such case, or none that this moderator may see."""
    shown = visible_cases(user).select_related("about", "match").prefetch_related("match__seats__user")
    case = shown.filter(pk=case_id).first()
    if case is None:
        raise NotFound("no_case")
    reports = list(case.reports.select_related("by", "message__by").order_by("at"))
    sanctions = _active_sanctions(case)
    own = case.about_id == user.pk
    return CasePage(
        case=case,
        reports=reports,
        lines=_lines(case, reports),
        events=list(case.events.select_related("by", "message__by", "sanction")),
        earlier=_earlier(case, user),
        sanctions=sanctions,
        acts=[] if own else _acts(case, sanctions, user),
        own=own,
    )


def log(user: User) -> QuerySet[CaseEvent]:
    """Everything that moderators did, the latest first."""
    return (
        CaseEvent.objects.filter(case__in=visible_cases(user))
        .select_related("by", "about", "case", "sanction")
        .order_by("-at", "-pk")
    )


def reports_of(user: User) -> QuerySet[Report]:
    """Return a user's reports, latest first."""
    return Report.objects.filter(by=user).select_related("case__about", "case__match").order_by("-at")


def _active_sanctions(case: Case) -> list[Sanction]:
    """What holds against the person now."""
    if case.about_id is None:
        return []
    moment = now()
    rows = Sanction.objects.filter(user=case.about_id, ended_at=None).exclude(kind=Sanction.Kind.WARNING)
    return [row for row in rows.order_by("-since") if row.holds(moment)]


def _acts(case: Case, sanctions: list[Sanction], user: User) -> list[str]:
    """What can be done in this case, as its page offers it."""
    kinds = {row.kind for row in sanctions}
    acts = [Act.DISMISS] if case.closed_at is None else []
    if case.match_id is not None:
        acts.append(Act.REMOVE)
    if case.about is None:
        return [act.value for act in acts]
    acts.append(Act.WARN)
    above = is_protected_from(case.about, user)
    if not above:
        acts.append(Act.SILENCE)
    if Sanction.Kind.SILENCE in kinds:
        acts.append(Act.LIFT)
    if case.about.is_active and not above:
        acts.append(Act.CLOSE)
    if Sanction.Kind.CLOSED in kinds:
        acts.append(Act.REOPEN)
    return [act.value for act in acts]


def _earlier(case: Case, user: User) -> list[Case]:
    if case.about_id is None:
        return []
    others = visible_cases(user).filter(about=case.about_id).exclude(pk=case.pk)
    return list(others.annotate(count=Count("reports")).order_by("-opened_at")[:EARLIER])


def _lines(case: Case, reports: list[Report]) -> list[Line]:
    """Return the messages around the reported ones; for a whole match its last messages."""
    if case.match_id is None:
        return []
    reported = {report.message.pk: report.message for report in reports if report.message is not None}
    if not reported:
        latest = Message.objects.filter(match=case.match_id).select_related("by").order_by("-pk")
        return [Line(message, reported=False) for message in reversed(latest[:MOST_LINES])]
    lines: list[Line] = []
    for room in sorted({message.room for message in reported.values()}):
        points = sorted(key for key, message in reported.items() if message.room == room)
        lines += _around(case.match_id, room, points)
    return lines[:MOST_LINES]


def _around(match_id: str, room: str, points: list[int]) -> list[Line]:
    """The lines of a room around some of its messages, two queries for each."""
    in_room = Message.objects.filter(match=match_id, room=room).select_related("by")
    lines: dict[int, Line] = {}
    for point in points[:MOST_POINTS]:
        before = list(in_room.filter(pk__lte=point).order_by("-pk")[: AROUND + 1])
        chunk = [*reversed(before), *in_room.filter(pk__gt=point).order_by("pk")[:AROUND]]
        new = [message for message in chunk if message.pk not in lines]
        apart = len(new) == len(chunk) and (bool(lines) or len(before) > AROUND)
        for n, message in enumerate(new):
            lines[message.pk] = Line(message, reported=message.pk in points, start=apart and n == 0)
    return [lines[key] for key in sorted(lines)]


def match_title(match: Match | None) -> str:
    """Return the names of a match's players; its seats are fetched."""
    return " – ".join(seat.name for seat in match.seats.all()) if match else ""
