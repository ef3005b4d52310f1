"""The officials of a tournament: who has which role, and who gave it to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import User
from tournaments.models import Official, Tournament
from tournaments.roles import DeskAct, Role
from tournaments.selectors import labels, lookups


@dataclass(frozen=True, slots=True)
class OfficialRow:
    """An official; `by` and `at`: who appointed them and when, if it is known."""

    user: User
    role: Role
    by: str
    at: datetime | None
    at_text: str
    is_creator: bool


@dataclass(frozen=True, slots=True)
class Officials:
    """The officials of one tournament: directors, then referees, then scorekeepers, in the order of appointment."""

    tournament: Tournament
    rows: list[OfficialRow]

    @property
    def by_role(self) -> Iterator[tuple[Role, list[OfficialRow]]]:
        """Every role with its officials, directors first."""
        for role in reversed(Role):
            yield role, [row for row in self.rows if row.role == role]


def officials_of(*, tournament_id: str, user: User) -> Officials:
    """The officials, for those who appoint them. Raises NotFound, Refused("not_director")."""
    tournament = lookups.desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.APPOINT)
    zone = ZoneInfo(tournament.timezone)
    found = tournament.officials.select_related("user", "appointed_by")
    order = list(reversed(Role))
    rows = sorted(found, key=lambda official: (order.index(Role(official.role)), official.pk))
    return Officials(tournament, [_row(official, tournament, zone) for official in rows])


def _row(official: Official, tournament: Tournament, zone: ZoneInfo) -> OfficialRow:
    is_creator = official.user_id == tournament.created_by_id
    by = official.appointed_by
    return OfficialRow(
        user=official.user,
        role=Role(official.role),
        by=by.username if by is not None else "",
        at=official.appointed_at,
        at_text=labels.format_moment(official.appointed_at, zone),
        is_creator=is_creator,
    )
