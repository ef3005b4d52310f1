"""The boards of a simultaneous exhibition that wait for its host (ruling E25)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.models import Action, Match
from games.selectors.match_rows import match_rows
from tournaments.errors import NotFound
from tournaments.formats.registry import FORMATS
from tournaments.models import Meeting


@dataclass(frozen=True, slots=True)
class NextBoard:
    """The other boards of an exhibition where it is the host's turn, first the one that has waited longest.

    From a board that the host leaves without an act they go on from there, and round.
    """

    tournament_id: str
    match_id: str  # the board where the host is
    matches: tuple[str, ...]

    @property
    def waiting(self) -> int:
        return len(self.matches)

    @property
    def text(self) -> str:
        """`It's your turn at 2 other boards.`"""
        if not self.matches:
            return _("No other board is waiting for you.")
        text = ngettext(
            "It's your turn at %(number)s other board.", "It's your turn at %(number)s other boards.", self.waiting
        )
        return text % {"number": self.waiting}


def next_board(*, match: Match, user: User | None) -> NextBoard | None:
    """The boards that wait for a viewer who hosts the exhibition that a match is part of; None for everybody else.

    One query for an arranged match, and two more for the host.
    """
    if user is None or not match.arranged:
        return None
    meeting = Meeting.objects.filter(match=match, a__user=user).select_related("tournament").first()
    if meeting is None or not FORMATS[meeting.tournament.terms["config"]["format"]].at_once:
        return None
    waiting = [each.pk for each in boards_waiting(meeting.tournament_id, user)]
    if match.pk in waiting:  # left without an act: the next ones, so that no board is passed over
        here = waiting.index(match.pk)
        waiting = [*waiting[here + 1 :], *waiting[:here]]
    return NextBoard(meeting.tournament_id, match.pk, tuple(waiting))


def boards_waiting(tournament_id: str, user: User) -> list[Match]:
    """The live matches of a tournament where it is a player's turn, first the one that has waited longest."""
    last_act = Action.objects.filter(match=OuterRef("pk")).order_by("-n").values("at")[:1]
    live = Match.objects.filter(meeting__tournament=tournament_id, status=Match.Status.LIVE, seats__user=user)
    ordered = live.annotate(since=Coalesce(Subquery(last_act), "started_at")).order_by("since", "pk")
    rows = match_rows(ordered.prefetch_related("seats"), user, turns=True)
    return [row.match for row in rows if row.my_turn]


def next_board_or_not_found(*, tournament_id: str, match_id: str, user: User) -> NextBoard:
    """The same by the ids of an exhibition and of the board where its host is. Raises NotFound."""
    match = Match.objects.filter(pk=match_id, meeting__tournament=tournament_id).first()
    found = next_board(match=match, user=user) if match is not None else None
    if found is None:
        raise NotFound
    return found
