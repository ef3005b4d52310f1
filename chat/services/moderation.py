"""What moderators do in a case. Every act is recorded with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from accounts.closures.registry import account_update_active
from accounts.models import User
from chat import moderators, notify
from chat.case_access import visible_cases
from chat.errors import NotFound, Refused
from chat.models import Case, CaseEvent, Message, Report, Sanction
from chat.services.reports import LONGEST
from games.database import now

Act = CaseEvent.Act
SPANS: dict[str, timedelta | None] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "good": None,
}
"""How long a silence lasts; None: for good."""
AGAINST_PERSON = {Act.WARN, Act.SILENCE, Act.LIFT, Act.CLOSE, Act.REOPEN}
HEAVY = {Act.SILENCE, Act.CLOSE}


@dataclass(frozen=True, slots=True)
class _Doing:
    """One act on its way: everything that its step may need."""

    case: Case
    by: User
    why: str
    moment: datetime
    message_id: int | None
    span: str


def case_act(*, case_id: int, by: User, act: str, why: str, message_id: int | None = None, span: str = "") -> CaseEvent:
    """Carry out one act in a case. The first act closes it and notifies the reporters; more can follow.

    Raises NotFound (`no_case`), Refused: moderator_only, case_own, case_why, case_act, case_about_nobody, case_above.
    """
    why = why.strip()
    if not moderators.is_moderator(by):
        raise Refused("moderator_only")
    with transaction.atomic():
        case = visible_cases(by).select_for_update(of=("self",)).filter(pk=case_id).first()
        if case is None:
            raise NotFound("no_case")
        if case.about_id == by.pk:
            raise Refused("case_own")
        if act not in Act.values or (act == Act.DISMISS and case.closed_at is not None):
            raise Refused("case_act")
        if not 1 <= len(why) <= LONGEST:
            raise Refused("case_why", params={"most": LONGEST})
        if act in AGAINST_PERSON and case.about is None:
            raise Refused("case_about_nobody")
        if act in HEAVY and case.about is not None and moderators.is_protected_from(case.about, by):
            raise Refused("case_above")
        doing = _Doing(case, by, why, now(), message_id, span)
        event = STEPS[Act(act)](doing)
        if case.closed_at is None:
            _close(case, Case.Outcome.DISMISSED if act == Act.DISMISS else Case.Outcome.ACTED, doing.moment)
    return event


def _close(case: Case, outcome: str, moment: datetime) -> None:
    case.closed_at, case.outcome = moment, outcome
    case.save(update_fields=["closed_at", "outcome"])
    for report in Report.objects.filter(case=case):
        notify.report_closed(report, case)


def _dismiss(doing: _Doing) -> CaseEvent:
    return _written(doing, Act.DISMISS)


def _remove(doing: _Doing) -> CaseEvent:
    """Remove a message of this case from all pages: a reported one, or another by the same person."""
    message = Message.objects.filter(pk=doing.message_id or 0, match=doing.case.match_id, removed_at=None).first()
    if message is None or (doing.case.about_id is not None and message.by_id != doing.case.about_id):
        raise Refused("no_message")
    if message.by_id == doing.by.pk:
        raise Refused("case_own")
    message.removed_at = doing.moment
    message.save(update_fields=["removed_at"])
    notify.message_removed(message)
    return _written(doing, Act.REMOVE, message=message)


def _warn(doing: _Doing) -> CaseEvent:
    """Warn the person: they have to read `why` before they can write again."""
    sanction = _sanction(doing, Sanction.Kind.WARNING, until=None)
    notify.warned(sanction.user_id, sanction.pk)
    return _written(doing, Act.WARN, sanction=sanction)


def _silence(doing: _Doing) -> CaseEvent:
    if doing.span not in SPANS:
        raise Refused("case_act")
    span = SPANS[doing.span]
    sanction = _sanction(doing, Sanction.Kind.SILENCE, until=doing.moment + span if span else None)
    return _written(doing, Act.SILENCE, sanction=sanction)


def _lift(doing: _Doing) -> CaseEvent:
    return _written(doing, Act.LIFT, sanction=_ended(doing, Sanction.Kind.SILENCE))


def _close_account(doing: _Doing) -> CaseEvent:
    """Close the account. `games.connections.sign_outs` closes its sockets when the row is saved."""
    about = _about(doing)
    if not about.is_active:
        raise Refused("case_act")
    sanction = _sanction(doing, Sanction.Kind.CLOSED, until=None)
    about.is_active = False
    about.save(update_fields=["is_active"])
    return _written(doing, Act.CLOSE, sanction=sanction)


def _reopen(doing: _Doing) -> CaseEvent:
    """Reopen an account that a moderator closed; not one that was deleted, or closed by the staff."""
    sanction = _ended(doing, Sanction.Kind.CLOSED)
    account_update_active(user=_about(doing))
    return _written(doing, Act.REOPEN, sanction=sanction)


STEPS = {
    Act.DISMISS: _dismiss,
    Act.REMOVE: _remove,
    Act.WARN: _warn,
    Act.SILENCE: _silence,
    Act.LIFT: _lift,
    Act.CLOSE: _close_account,
    Act.REOPEN: _reopen,
}


def _about(doing: _Doing) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=doing.case.about_id or 0)


def _sanction(doing: _Doing, kind: str, *, until: datetime | None) -> Sanction:
    about = _about(doing)
    sanction = Sanction.objects.create(user=about, kind=kind, words=doing.why, since=doing.moment, until=until)
    notify.person_changed(about.pk)
    return sanction


def _ended(doing: _Doing, kind: str) -> Sanction:
    """End what still holds of a kind; the last of it. Raises Refused("case_act") where nothing does."""
    rows = Sanction.objects.filter(user=doing.case.about_id, kind=kind, ended_at=None).order_by("-pk")
    holding = [row for row in rows if row.holds(doing.moment)]
    if not holding:
        raise Refused("case_act")
    for row in holding:
        row.ended_at = doing.moment
        row.save(update_fields=["ended_at"])
    notify.person_changed(holding[0].user_id)
    return holding[0]


def _written(doing: _Doing, act: Act, *, message: Message | None = None, sanction: Sanction | None = None) -> CaseEvent:
    return CaseEvent.objects.create(
        case=doing.case,
        by=doing.by,
        about_id=doing.case.about_id,
        act=act,
        why=doing.why,
        message=message,
        sanction=sanction,
        at=doing.moment,
    )
