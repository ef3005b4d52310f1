"""Create and change clubs, memberships, invitations and join requests. Their only writers.

Each function is one transition in one transaction, recorded as a `ClubEvent`. All of them raise
`accounts.errors.Refused` for what is not allowed; then nothing is changed.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone as clock
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.clubs.roles import ClubAction, may, may_create
from accounts.errors import Refused
from accounts.models import Club, ClubEvent, Invitation, JoinRequest, Membership, User
from accounts.signals import join_request_answered, join_request_created
from accounts.web.staff import acts_as_staff, refusal_code

Role = Membership.Role
EDITABLE_FIELDS = ("name", "about", "place", "meets", "website", "timezone", "joining", "makers", "rated", "outside")
RESERVED_SLUGS = frozenset({"new", "join", "default"})  # URLs of our own below /clubs/
MAX_OWNED = 10
MAX_INVITATIONS = 50
MAX_DAYS, MAX_USES = 365, 500


# Clubs


def club_create(*, by: User, name: str, **facts: Any) -> Club:
    """Create a club; its creator owns it. Raises Refused: club_new, club_most, club_name, club_zone."""
    if not may_create(by):
        raise Refused(refusal_code(by, "club_new"))
    owned = Membership.objects.filter(user=by, role=Role.OWNER)
    if not acts_as_staff(by) and owned.count() >= MAX_OWNED:
        raise Refused("club_most", params={"most": MAX_OWNED})
    club = Club(**_validated({"timezone": settings.TIME_ZONE, **facts, "name": name}))
    with transaction.atomic():
        club.slug = _free_slug(club.name)
        club.save(force_insert=True)
        Membership.objects.create(club=club, user=by, role=Role.OWNER)
        _record(club, "created", by, name=club.name)
    return club


def club_update(*, club: Club, by: User, **facts: Any) -> Club:
    """Change the page and settings of a club. Its slug stays, so that links to it keep working.

    Raises Refused: club_not_owner, club_name, club_zone.
    """
    with transaction.atomic():
        locked = _lock(club, by, ClubAction.EDIT)
        checked = _validated(facts)
        changed = {name: value for name, value in checked.items() if getattr(locked, name) != value}
        if changed:
            for name, value in changed.items():
                setattr(locked, name, value)
            locked.save(update_fields=list(changed))
            _record(locked, "changed", by, fields=sorted(changed))
    return locked


def _validated(facts: dict[str, Any]) -> dict[str, Any]:
    """The values of a club, checked. Raises Refused: club_name, club_zone; ValueError for unknown names."""
    if unknown := facts.keys() - set(EDITABLE_FIELDS):
        raise ValueError(sorted(unknown))
    if "name" in facts:
        facts = {**facts, "name": " ".join(str(facts["name"]).split())}
        if not 2 <= len(facts["name"]) <= 80:
            raise Refused("club_name")
    if "timezone" in facts and facts["timezone"] not in available_timezones():
        raise Refused("club_zone")
    return facts


def _free_slug(name: str) -> str:
    """A slug made of the name that no other club has."""
    base = slugify(name)[:40] or "club"
    slugs = set(Club.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED_SLUGS
    return next(slug for n in range(1, len(slugs) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in slugs)


# Joining and leaving


def club_join(*, club: Club, user: User) -> Membership:
    """Join a club that is open to all. Raises Refused: club_joined, club_members_only, club_ask_first,
    club_invited_only.
    """
    _check_may_join(club, user)
    if club.joining != Club.Joining.OPEN:
        raise Refused("club_ask_first" if club.joining == Club.Joining.ASK else "club_invited_only")
    with transaction.atomic():
        return _membership_create(club, user, by=user)


def join_request_create(*, club: Club, user: User, text: str = "") -> JoinRequest:
    """Ask to join a club. Raises Refused: club_joined, club_members_only, club_asked, club_invited_only."""
    _check_may_join(club, user)
    if club.joining != Club.Joining.ASK:
        raise Refused("club_invited_only")
    try:
        with transaction.atomic():
            join_request = JoinRequest.objects.create(
                club=club, user=user, text=" ".join(text.split())[:200], asked_at=clock.now()
            )
            _record(club, "asked", user, about=user)
            join_request_created.send(JoinRequest, request=join_request)
    except IntegrityError as twice:
        raise Refused("club_asked") from twice
    return join_request


def join_request_answer(*, request_id: int, by: User, accepted: bool) -> JoinRequest:
    """Accept or decline a join request. Raises Refused: club_no_request, club_not_owner."""
    with transaction.atomic():
        join_request = JoinRequest.objects.select_related("club", "user").filter(pk=request_id).first()
        if join_request is None:
            raise Refused("club_no_request")
        club = _lock(join_request.club, by, ClubAction.PEOPLE)
        join_request.accepted, join_request.answered_by, join_request.answered_at = accepted, by, clock.now()
        unanswered = JoinRequest.objects.filter(pk=request_id, accepted=None)
        if not unanswered.update(accepted=accepted, answered_by=by, answered_at=join_request.answered_at):
            raise Refused("club_no_request")
        if not accepted:
            _record(club, "declined", by, about=join_request.user)
        elif not Membership.objects.filter(club=club, user=join_request.user).exists():
            _membership_create(club, join_request.user, by=by)
        join_request_answered.send(JoinRequest, request=join_request, by_owner=True)
    return join_request


def club_leave(*, club: Club, user: User) -> None:
    """Leave a club. Raises Refused: club_not_member, club_last_owner, club_default_stays."""
    with transaction.atomic():
        locked = _lock(club)
        row = _membership(locked, user)
        if locked.is_default:
            raise Refused("club_default_stays")
        _check_not_last_owner(row)
        row.delete()
        _record(locked, "left", user, about=user)


def member_remove(*, club: Club, by: User, user: User) -> None:
    """Remove a member from a club. Raises Refused: club_not_owner, club_not_member, club_last_owner,
    club_default_stays.
    """
    with transaction.atomic():
        locked = _lock(club, by, ClubAction.PEOPLE)
        row = _membership(locked, user)
        if locked.is_default:
            raise Refused("club_default_stays")
        _check_not_last_owner(row)
        row.delete()
        _record(locked, "removed", by, about=user)


# Roles and last days


def member_set_role(*, club: Club, by: User, user: User, role: str) -> Membership:
    """Change a member's role; the last owner stays one.

    In the default club, to which everybody belongs, a missing row is created. Raises Refused: club_not_owner,
    club_not_member, club_last_owner, club_role.
    """
    if role not in Role.values:
        raise Refused("club_role")
    with transaction.atomic():
        locked = _lock(club, by, ClubAction.ROLES)
        row = _membership(locked, user)
        if row.role == role:
            return row
        before = row.role
        if role != Role.OWNER:
            _check_not_last_owner(row)
        row.role = role
        if role == Role.OWNER:
            row.until = None
        row.save(update_fields=["role", "until"])
        _record(locked, "role", by, about=user, before=before, after=role)
    return row


def member_set_until(*, club: Club, by: User, user: User, until: date | None) -> Membership:
    """Set a member's last day; None: no end. Raises Refused: club_not_owner, club_not_member, club_owner_until."""
    with transaction.atomic():
        locked = _lock(club, by, ClubAction.PEOPLE)
        row = _membership(locked, user)
        if row.role == Role.OWNER and until is not None:
            raise Refused("club_owner_until")
        if row.until != until:
            row.until = until
            row.save(update_fields=["until"])
            _record(locked, "until", by, about=user, until=until.isoformat() if until else None)
    return row


# Invitations


def invitation_create(*, club: Club, by: User, days: int, most_uses: int | None = 1, email: str = "") -> Invitation:
    """Create a link to join the club, valid for some days. Raises Refused: club_not_owner, invitation_terms,
    invitation_most.
    """
    if not 1 <= days <= MAX_DAYS or not (most_uses is None or 1 <= most_uses <= MAX_USES):
        raise Refused("invitation_terms")
    with transaction.atomic():
        locked = _lock(club, by, ClubAction.PEOPLE)
        moment = clock.now()
        usable = Q(most_uses=None) | Q(uses__lt=F("most_uses"))
        if locked.invitations.filter(usable, revoked_at=None, expires_at__gt=moment).count() >= MAX_INVITATIONS:
            raise Refused("invitation_most", params={"most": MAX_INVITATIONS})
        invitation = Invitation.objects.create(
            club=locked,
            made_by=by,
            made_at=moment,
            expires_at=moment + timedelta(days=days),
            most_uses=most_uses,
            email=email,
        )
        _record(locked, "invited", by, days=days, uses=most_uses)
    return invitation


def invitation_send(*, invitation: Invitation, link: str) -> bool:
    """Send the link to the e-mail address of the invitation; returns whether it was sent."""
    if not settings.HAS_MAIL or not invitation.email:
        return False
    params = {"club": invitation.club.name, "name": invitation.made_by.username, "link": link}
    subject = _("Invitation to %(club)s") % params
    body = _("%(name)s has invited you to the backgammon club %(club)s. Join here:\n\n%(link)s\n") % params
    return bool(send_mail(" ".join(subject.split()), body, None, [invitation.email], fail_silently=True))


def invitation_revoke(*, invitation_id: int, by: User) -> None:
    """Revoke an invitation; whoever joined with it stays. Raises Refused: invitation_gone, club_not_owner."""
    with transaction.atomic():
        found = Invitation.objects.select_related("club").filter(pk=invitation_id).first()
        if found is None:
            raise Refused("invitation_gone")
        club = _lock(found.club, by, ClubAction.PEOPLE)
        if Invitation.objects.filter(pk=invitation_id, revoked_at=None).update(revoked_at=clock.now()):
            _record(club, "revoked", by)


def invitation_accept(*, token: str, user: User) -> Membership:
    """Join a club by an invitation. Of two users who take its last use at once, one joins.

    It does not renew an expired membership: an owner sets its last day.
    Raises Refused: invitation_gone, club_joined, club_members_only.
    """
    with transaction.atomic():
        found = Invitation.objects.select_related("club").filter(token=token).first()
        if found is None or not found.is_valid:
            raise Refused("invitation_gone")
        _check_may_join(found.club, user)
        left = Q(most_uses=None) | Q(uses__lt=F("most_uses"))
        usable = Invitation.objects.filter(left, pk=found.pk, revoked_at=None)
        if not usable.update(uses=F("uses") + 1):
            raise Refused("invitation_gone")
        return _membership_create(found.club, user, by=found.made_by, invitation=found.pk)


# Steps


def _lock(club: Club, by: User | None = None, act: ClubAction | None = None) -> Club:
    """Lock the club until the end of the transaction. Raises Refused("club_not_owner") where `by` lacks permission."""
    locked = Club.objects.select_for_update().get(pk=club.pk)
    if act is not None and not may(by, act, locked):
        raise Refused(refusal_code(by, "club_not_owner"))
    return locked


def _check_may_join(club: Club, user: User) -> None:
    """Raises Refused: club_members_only, club_joined."""
    if user.is_guest or user.is_bot or not user.is_active:
        raise Refused("club_members_only")
    if club.is_default or Membership.objects.filter(club=club, user=user).exists():
        raise Refused("club_joined")


def _membership_create(club: Club, user: User, *, by: User, **facts: Any) -> Membership:
    """Create the membership, which answers a pending join request. Raises Refused("club_joined")."""
    row, created = Membership.objects.get_or_create(club=club, user=user)
    if not created:
        raise Refused("club_joined")
    for join_request in JoinRequest.objects.filter(club=club, user=user, accepted=None):
        JoinRequest.objects.filter(pk=join_request.pk).update(accepted=True, answered_by=by, answered_at=clock.now())
        join_request_answered.send(JoinRequest, request=join_request, by_owner=False)
    _record(club, "joined", by, about=user, **facts)
    return row


def _membership(club: Club, user: User) -> Membership:
    """The membership of `user`. Raises Refused("club_not_member")."""
    if club.is_default and user.is_active and not (user.is_guest or user.is_bot):
        return Membership.objects.get_or_create(club=club, user=user)[0]
    found = Membership.objects.filter(club=club, user=user).first()
    if found is None:
        raise Refused("club_not_member")
    return found


def _check_not_last_owner(row: Membership) -> None:
    """Raises Refused("club_last_owner") where this is the only one; the club is locked."""
    others = Membership.objects.filter(club=row.club_id, role=Role.OWNER, user__is_active=True).exclude(pk=row.pk)
    if row.role == Role.OWNER and not others.exists():
        raise Refused("club_last_owner")


def _record(club: Club, kind: str, by: User | None, *, about: User | None = None, **data: Any) -> None:
    ClubEvent.objects.create(club=club, kind=kind, by=by, about=about, data=data, at=clock.now())


def default_club_ensure() -> Club:
    """The club that every member of this site belongs to, created if need be."""
    defaults = {"joining": Club.Joining.OPEN, "makers": Club.Makers.MEMBERS, "timezone": settings.TIME_ZONE}
    club, _ = Club.objects.get_or_create(is_default=True, defaults={"name": "Tablero", "slug": "tablero", **defaults})
    return club


def member_set_up(*, user: User) -> None:
    """Set up a new member: the membership of the default club, and the language of the sign-up."""
    Membership.objects.get_or_create(club=default_club_ensure(), user=user)
    if not user.language:
        user.language = get_language() or ""
        user.save(update_fields=["language"])
