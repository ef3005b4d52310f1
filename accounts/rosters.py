"""What the pages of clubs read of their people: the same number of queries however many there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Case, Count, F, FilteredRelation, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone as clock

from accounts import clubs
from accounts.models import Club, ClubEvent, Invitation, JoinRequest, Membership, User
from accounts.names import fold
from accounts.roles import MAY, Act, Standing, standings

RANK = {Membership.Role.OWNER: 0, Membership.Role.DIRECTOR: 1, Membership.Role.MEMBER: 2}
MOST_STORY = 50


@dataclass(frozen=True)
class Visit:
    """A club as one viewer finds it: what he is there, and what he may do."""

    club: Club
    user: User | None
    standings: frozenset[Standing]
    people: int
    membership: Membership | None = None
    asked: bool = False
    waiting: int = 0  # people who ask to join, for those who answer

    def may(self, act: Act) -> bool:
        return not MAY[act].isdisjoint(self.standings)

    @property
    def edits(self) -> bool:
        return self.may(Act.EDIT)

    @property
    def keeps(self) -> bool:
        """Whether the viewer looks after the people of the club."""
        return self.may(Act.PEOPLE)

    @property
    def directs(self) -> bool:
        return self.may(Act.DIRECT)

    @property
    def opens(self) -> bool:
        """Whether he may open a tournament of the club."""
        return self.directs or (self.club.makers == Club.Makers.MEMBERS and self.may(Act.ENTER))

    @property
    def joins(self) -> bool:
        return self.may(Act.JOIN) and self.club.joining == Club.Joining.OPEN

    @property
    def asks(self) -> bool:
        return self.may(Act.JOIN) and self.club.joining == Club.Joining.ASK and not self.asked

    @property
    def invited_only(self) -> bool:
        return self.may(Act.JOIN) and self.club.joining == Club.Joining.INVITED

    @property
    def leaves(self) -> bool:
        return self.membership is not None and not self.club.is_default

    @property
    def member(self) -> bool:
        return self.may(Act.ENTER)

    @property
    def expired(self) -> bool:
        return Standing.EXPIRED in self.standings


def visit(*, slug: str, user: User | None) -> Visit | None:
    """A club by its address, or None."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        return None
    found = standings(user, club)
    here = user is not None and Standing.GUEST not in found
    keeps = not MAY[Act.PEOPLE].isdisjoint(found)
    return Visit(
        club=club,
        user=user,
        standings=found,
        people=people(club).count(),
        membership=Membership.objects.filter(club=club, user=user).first() if here else None,
        asked=here and JoinRequest.objects.filter(club=club, user=user, accepted=None).exists(),
        waiting=club.requests.filter(accepted=None).count() if keeps else 0,
    )


def people(club: Club) -> QuerySet[User]:
    """The people of a club: of the default one everybody of the site."""
    found = User.objects.filter(is_active=True, is_guest=False, is_bot=False)
    return found if club.is_default else found.filter(memberships__club=club)


# The list


@dataclass(frozen=True, slots=True)
class Listed:
    """A club as the list shows it to one viewer; `role` is his, "" where he has none."""

    club: Club
    people: int
    role: str


def listed(user: User | None) -> list[Listed]:
    """All clubs, the viewer's own first; four queries at most."""
    counted = Club.objects.annotate(
        n=Count("memberships", filter=Q(memberships__user__is_active=True, memberships__user__is_guest=False))
    )
    mine = Membership.objects.filter(user=user) if user is not None else Membership.objects.none()
    roles = {row.club_id: row.get_role_display() for row in mine}
    rows = []
    for club in counted.order_by("-is_default", "name"):
        rows.append(Listed(club, people(club).count() if club.is_default else club.n, roles.get(club.pk, "")))
    return sorted(rows, key=lambda row: not row.role)


# The roster


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody on the roster of a club."""

    user: User
    role: str
    until: date | None
    expired: bool

    @property
    def role_name(self) -> str:
        return str(Membership.Role(self.role).label)


def roster(club: Club, search: str = "", role: str = "") -> QuerySet[User]:
    """The people of a club, owners and directors first, then by name; `places` makes them into rows."""
    found = User.objects.filter(is_active=True, is_guest=False, is_bot=False)
    found = found.annotate(place=FilteredRelation("memberships", condition=Q(memberships__club=club)))
    if not club.is_default:
        found = found.filter(place__isnull=False)
    found = found.annotate(
        role=Coalesce(F("place__role"), Value(Membership.Role.MEMBER.value)), until=F("place__until")
    )
    if search:
        found = found.filter(name_key__contains=fold(search))
    if role in Membership.Role.values:
        found = found.filter(role=role)
    whens = [When(role=name, then=Value(rank)) for name, rank in RANK.items()]
    rank: Any = Case(*whens, default=Value(len(RANK)), output_field=IntegerField())
    return found.annotate(rank=rank).order_by("rank", "name_key")


def places(club: Club, found: list[Any]) -> list[Place]:
    """Rows of the roster, from users that `roster` found."""
    today = club.today()
    return [Place(user, user.role, user.until, expired=user.until is not None and user.until < today) for user in found]


# The office


@dataclass(frozen=True, slots=True)
class Office:
    """What an owner looks after."""

    requests: list[JoinRequest] = field(default_factory=list)
    invitations: list[Invitation] = field(default_factory=list)
    story: list[ClubEvent] = field(default_factory=list)


def office(club: Club) -> Office:
    """Who asks to join, the invitations that are good, and what was done last; three queries."""
    good = club.invitations.filter(revoked_at=None, expires_at__gt=clock.now()).select_related("made_by")
    return Office(
        requests=list(club.requests.filter(accepted=None).select_related("user")),
        invitations=[one for one in good[: clubs.MOST_INVITATIONS] if not one.spent],
        story=list(club.events.select_related("by", "about")[:MOST_STORY]),
    )


def invitation(token: str) -> Invitation | None:
    """An invitation by its secret, used up or not."""
    return Invitation.objects.select_related("club", "made_by").filter(token=token).first()
