"""Who may look at a table that is not over: everybody, but for those whom a block keeps apart from its players."""

from __future__ import annotations

from accounts import ties
from accounts.models import User
from accounts.roles import directs
from accounts.second import acts_as_staff
from games.errors import KeptOut
from games.models import LadderChallenge, Match
from games.signals import duty_asked


def check_watch(match: Match, user_id: int | None) -> None:
    """Whether this viewer may see a match whose seats are fetched. Raises KeptOut.

    A block holds both ways. It keeps nobody from his own match, nor from one that he has to look after, and finished
    matches are public; a passer-by is nobody's acquaintance.
    """
    if user_id is None or match.status not in (Match.Status.OPEN, Match.Status.LIVE):
        return
    people = {seat.user_id for seat in match.seats.all()}
    if user_id not in people and ties.blocked_among(user_id, people) and not _on_duty(match, user_id):
        raise KeptOut


def _on_duty(match: Match, user_id: int) -> bool:
    """Whether he is of the staff, or directs the ladder or the tournament that the match is part of."""
    user = User.objects.filter(pk=user_id).first()
    if user is None or acts_as_staff(user) or not match.arranged:
        return acts_as_staff(user)
    call = LadderChallenge.objects.select_related("ladder__club").filter(match=match).first()
    if call is not None:
        return directs(user, call.ladder.club)
    return any(answer for _, answer in duty_asked.send(sender=Match, match_id=match.pk, user_id=user_id))
