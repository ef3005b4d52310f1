"""Access of spectators to unfinished matches: open to all users who are not blocked by, or blocking, a player."""

from __future__ import annotations

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.web.staff import acts_as_staff
from games.errors import ViewerBlocked
from games.models import Match
from games.signals import match_director_asked


def check_spectator(match: Match, user_id: int | None) -> None:
    """Check that a viewer may see a match whose seats are fetched. Raises KeptOut.

    A block works both ways. Players always see their own matches, and staff and directors those they are responsible
    for; finished matches are public, and anonymous visitors have no blocks.
    """
    if user_id is None or match.status not in (Match.Status.OPEN, Match.Status.LIVE):
        return
    people = {seat.user_id for seat in match.seats.all()}
    if user_id not in people and relationship_selectors.blocked_among(user_id, people) and not _on_duty(match, user_id):
        raise ViewerBlocked


def _on_duty(match: Match, user_id: int) -> bool:
    """Whether the viewer is staff, or directs the event that the match belongs to."""
    user = User.objects.filter(pk=user_id).first()
    if user is None or acts_as_staff(user) or not match.arranged:
        return acts_as_staff(user)
    return any(answer for _, answer in match_director_asked.send(sender=Match, match_id=match.pk, user_id=user_id))
