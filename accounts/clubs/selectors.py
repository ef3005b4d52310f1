"""Read clubs for their pages: access, the list, members, and what owners manage. Query counts are constant."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Case, Count, F, FilteredRelation, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone as clock

from accounts.clubs.roles import PERMISSIONS, ClubAction, ClubStatus, club_statuses
from accounts.clubs.services import MAX_INVITATIONS
from accounts.models import Club, ClubEvent, Invitation, JoinRequest, Membership, User
from accounts.names.validation import fold

ROLE_ORDER = {Membership.Role.OWNER: 0, Membership.Role.DIRECTOR: 1, Membership.Role.MEMBER: 2}
MAX_EVENTS = 50


@dataclass(frozen=True)
class ClubAccess:
    """A club with what one viewer is and may do there."""

    club: Club
    user: User | None
    statuses: frozenset[ClubStatus]
    member_count: int
    membership: Membership | None = None
    has_requested: bool = False
    pending_requests: int = 0  # for those who can answer them

    def may(self, action: ClubAction) -> bool:
        return not PERMISSIONS[action].isdisjoint(self.statuses)

    @property
    def can_edit(self) -> bool:
        return self.may(ClubAction.EDIT)

    @property
    def can_manage_members(self) -> bool:
        return self.may(ClubAction.PEOPLE)

    @property
    def can_direct(self) -> bool:
        return self.may(ClubAction.DIRECT)

    @property
    def can_create_events(self) -> bool:
        return self.can_direct or (self.club.makers == Club.Makers.MEMBERS and self.may(ClubAction.ENTER))

    @property
    def can_join(self) -> bool:
        return self.may(ClubAction.JOIN) and self.club.joining == Club.Joining.OPEN

    @property
    def can_request(self) -> bool:
        """Whether the viewer can send a join request."""
        return self.may(ClubAction.JOIN) and self.club.joining == Club.Joining.ASK and not self.has_requested

    @property
    def invited_only(self) -> bool:
        return self.may(ClubAction.JOIN) and self.club.joining == Club.Joining.INVITED

    @property
    def can_leave(self) -> bool:
        return self.membership is not None and not self.club.is_default

    @property
    def is_member(self) -> bool:
        return self.may(ClubAction.ENTER)

    @property
    def is_expired(self) -> bool:
        return ClubStatus.EXPIRED in self.statuses


def club_access(*, slug: str, user: User | None) -> ClubAccess | None:
    """The access of `user` to the club of this slug, or None where there is no such club."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        return None
    statuses = club_statuses(user, club)
    has_account = user is not None and ClubStatus.GUEST not in statuses
    can_manage = not PERMISSIONS[ClubAction.PEOPLE].isdisjoint(statuses)
    return ClubAccess(
        club=club,
        user=user,
        statuses=statuses,
        member_count=people_of(club).count(),
        membership=Membership.objects.filter(club=club, user=user).first() if has_account else None,
        has_requested=has_account and JoinRequest.objects.filter(club=club, user=user, accepted=None).exists(),
        pending_requests=club.requests.filter(accepted=None).count() if can_manage else 0,
    )


def people_of(club: Club) -> QuerySet[User]:
    """The members of a club; of the default one everybody with an account."""
    users = User.objects.filter(is_active=True, is_guest=False, is_bot=False)
    return users if club.is_default else users.filter(memberships__club=club)


# The list


@dataclass(frozen=True, slots=True)
class ClubRow:
    """A club in the list of one viewer; `role` is the viewer's, "" for none."""

    club: Club
    people: int
    role: str


def club_rows(user: User | None) -> list[ClubRow]:
    """All clubs, the viewer's own first; four queries at most."""
    members = Count("memberships", filter=Q(memberships__user__is_active=True, memberships__user__is_guest=False))
    memberships = Membership.objects.filter(user=user) if user is not None else Membership.objects.none()
    roles = {row.club_id: row.get_role_display() for row in memberships}
    rows = []
    for club in Club.objects.annotate(n=members).order_by("-is_default", "name"):
        rows.append(ClubRow(club, people_of(club).count() if club.is_default else club.n, roles.get(club.pk, "")))
    return sorted(rows, key=lambda row: not row.role)


# Members


@dataclass(frozen=True, slots=True)
class RosterRow:
    """A member in the list of a club's members."""

    user: User
    role: str
    until: date | None
    expired: bool

    @property
    def role_name(self) -> str:
        return str(Membership.Role(self.role).label)


def roster(club: Club, search: str = "", role: str = "") -> QuerySet[User]:
    """The members of a club, owners and directors first, then by name; `roster_rows` makes rows of them."""
    users = User.objects.filter(is_active=True, is_guest=False, is_bot=False)
    users = users.annotate(membership=FilteredRelation("memberships", condition=Q(memberships__club=club)))
    if not club.is_default:
        users = users.filter(membership__isnull=False)
    users = users.annotate(
        role=Coalesce(F("membership__role"), Value(Membership.Role.MEMBER.value)), until=F("membership__until")
    )
    if search:
        users = users.filter(name_key__contains=fold(search))
    if role in Membership.Role.values:
        users = users.filter(role=role)
    whens = [When(role=name, then=Value(order)) for name, order in ROLE_ORDER.items()]
    rank: Any = Case(*whens, default=Value(len(ROLE_ORDER)), output_field=IntegerField())
    return users.annotate(rank=rank).order_by("rank", "name_key")


def roster_rows(club: Club, users: list[Any]) -> list[RosterRow]:
    """Rows of the members that `roster` selected."""
    today = club.today()
    return [
        RosterRow(user, user.role, user.until, expired=user.until is not None and user.until < today) for user in users
    ]


# Members & invitations


@dataclass(frozen=True, slots=True)
class ClubManagement:
    """What an owner manages: join requests, valid invitations, and the activity log."""

    requests: list[JoinRequest] = field(default_factory=list)
    invitations: list[Invitation] = field(default_factory=list)
    events: list[ClubEvent] = field(default_factory=list)


def club_management(club: Club) -> ClubManagement:
    """Pending join requests, valid invitations, and the last events; three queries."""
    unexpired = club.invitations.filter(revoked_at=None, expires_at__gt=clock.now()).select_related("made_by")
    return ClubManagement(
        requests=list(club.requests.filter(accepted=None).select_related("user")),
        invitations=[invitation for invitation in unexpired[:MAX_INVITATIONS] if not invitation.used_up],
        events=list(club.events.select_related("by", "about")[:MAX_EVENTS]),
    )


def invitation_by_token(token: str) -> Invitation | None:
    """An invitation by its secret, used up or not."""
    return Invitation.objects.select_related("club", "made_by").filter(token=token).first()
