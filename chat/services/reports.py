"""Reports: each becomes part of a case."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from chat import moderators, notify
from chat.errors import NotFound, Refused
from chat.limits import REPORTS_A_DAY
from chat.models import Case, Message, Report
from chat.visibility import chat_viewer, visible_messages
from games.database import now
from games.models import Match, Seat

LONGEST = 1000  # characters of a report, a warning, a reason


def report_make(
    *,
    by: User,
    reason: str,
    words: str = "",
    message_id: int | None = None,
    match_id: str | None = None,
    about: User | None = None,
) -> Report:
    """Report a message, a player (also at a match), or a match. It joins the open case about the same, or opens one.

    Moderators are notified of a new case. The same report again returns the first one. Raises Refused: report_reason,
    report_words, report_nothing, report_self, report_most; NotFound for what this user cannot see.
    """
    words = words.strip()
    if reason not in Report.Reason.values:
        raise Refused("report_reason")
    if len(words) > LONGEST:
        raise Refused("report_words", params={"most": LONGEST})
    message = _seen(by, message_id) if message_id is not None else None
    if message is not None:
        about, match_id = message.by, message.match_id
    match = chat_viewer(match_id=match_id, user_id=by.pk).match if match_id else None
    if about is None and match is None:
        raise Refused("report_nothing")
    if about is not None and about.pk == by.pk:
        raise Refused("report_self")
    with transaction.atomic():
        moment = now()
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        existing = Report.objects.filter(
            by=by, message=message, case__about=about, case__match=match, case__closed_at=None
        ).first()
        if existing is not None:
            return existing
        if Report.objects.filter(by=by, at__gt=moment - timedelta(days=1)).count() >= REPORTS_A_DAY:
            raise Refused("report_most", params={"most": REPORTS_A_DAY})
        case, new = Case.objects.get_or_create(about=about, match=match, closed_at=None, defaults={"opened_at": moment})
        report = Report.objects.create(case=case, by=by, message=message, reason=reason, words=words, at=moment)
        if new:
            excluded = _excluded_moderators(case, match)
            notify.moderators_alerted(
                case, [moderator for moderator in moderators.moderators() if moderator.pk not in excluded]
            )
    return report


def _seen(by: User, message_id: int) -> Message:
    """Return a message that this user can see. Raises NotFound."""
    match_id = Message.objects.filter(pk=message_id).values_list("match", flat=True).first()
    if match_id is None:
        raise NotFound("no_message")
    found = (
        visible_messages(chat_viewer(match_id=match_id, user_id=by.pk)).filter(pk=message_id, removed_at=None).first()
    )
    if found is None:
        raise NotFound("no_message")
    return found


def _excluded_moderators(case: Case, match: Match | None) -> set[int | None]:
    """The moderators who are not notified: the person reported, and the players of the match while it runs."""
    excluded = {case.about_id}
    if match is not None and match.status != Match.Status.OVER:
        excluded |= set(Seat.objects.filter(match=match).values_list("user", flat=True))
    return excluded
