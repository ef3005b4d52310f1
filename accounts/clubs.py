"""The only writers of clubs and of who is in them. Each function is one transition in one transaction, and leaves a
`ClubEvent`. All of them raise `accounts.errors.Refused` for what may not be, and then nothing was changed.
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
from django.utils.translation import gettext as _

from accounts.errors import Refused
from accounts.models import Club, ClubEvent, Invitation, JoinRequest, Membership, User
from accounts.roles import Act, may
from accounts.second import acts_as_staff
from accounts.signals import club_answered, club_asked

Role = Membership.Role
FACTS = ("name", "about", "place", "meets", "website", "timezone", "joining", "makers", "rated", "outside")
RESERVED = frozenset({"new", "join", "default"})  # addresses of our own below /clubs/
MOST_OWNED = 10
MOST_INVITATIONS = 50
LONGEST_DAYS, MOST_USES = 365, 500


# Clubs


def may_create(user: User | None) -> bool:
    """Whether `user` may open a club: the staff of the site, or any member where `CLUBS_OPEN` is set (K1)."""
    if user is None or not user.is_authenticated or user.is_guest or user.is_bot or not user.is_active:
        return False
    return acts_as_staff(user) or settings.CLUBS_OPEN


def club_create(*, by: User, name: str, **facts: Any) -> Club:
    """Open a club; who opens it owns it. Raises Refused: club_new, club_most, club_name, club_zone."""
    if not may_create(by):
        raise Refused("club_new")
    owned = Membership.objects.filter(user=by, role=Role.OWNER)
    if not acts_as_staff(by) and owned.count() >= MOST_OWNED:
        raise Refused("club_most", params={"most": MOST_OWNED})
    club = Club(**_checked({"timezone": settings.TIME_ZONE, **facts, "name": name}))
    with transaction.atomic():
        club.slug = _free_slug(club.name)
        club.save(force_insert=True)
        Membership.objects.create(club=club, user=by, role=Role.OWNER)
        _record(club, "created", by, name=club.name)
    return club


def club_change(*, club: Club, by: User, **facts: Any) -> Club:
    """Change what the club says of itself and its policies. Its address stays, so that links go on leading there.

    Raises Refused: club_not_owner, club_name, club_zone.
    """
    with transaction.atomic():
        locked = _lock(club, by, Act.EDIT)
        checked = _checked(facts)
        changed = {name: value for name, value in checked.items() if getattr(locked, name) != value}
        if changed:
            for name, value in changed.items():
                setattr(locked, name, value)
            locked.save(update_fields=list(changed))
            _record(locked, "changed", by, fields=sorted(changed))
    return locked


def _checked(facts: dict[str, Any]) -> dict[str, Any]:
    """The columns of a club. Raises Refused: club_name, club_zone; ValueError for names that are none."""
    if unknown := facts.keys() - set(FACTS):
        raise ValueError(sorted(unknown))
    if "name" in facts:
        facts = {**facts, "name": " ".join(str(facts["name"]).split())}
        if not 2 <= len(facts["name"]) <= 80:
            raise Refused("club_name")
    if "timezone" in facts and facts["timezone"] not in available_timezones():
        raise Refused("club_zone")
    return facts


def _free_slug(name: str) -> str:
    """The name as an address that no other club has."""
    base = slugify(name)[:40] or "club"
    taken = set(Club.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


# Coming and going


def club_join(*, club: Club, user: User) -> Membership:
    """Step into a club that is open to all. Raises Refused: club_joined, club_members_only, club_ask_first,
    club_invited_only.
    """
    _check_may_join(club, user)
    if club.joining != Club.Joining.OPEN:
        raise Refused("club_ask_first" if club.joining == Club.Joining.ASK else "club_invited_only")
    with transaction.atomic():
        return _admit(club, user, by=user)


def club_ask(*, club: Club, user: User, text: str = "") -> JoinRequest:
    """Ask to be let in. Raises Refused: club_joined, club_members_only, club_asked, club_invited_only."""
    _check_may_join(club, user)
    if club.joining != Club.Joining.ASK:
        raise Refused("club_invited_only")
    try:
        with transaction.atomic():
            asked = JoinRequest.objects.create(
                club=club, user=user, text=" ".join(text.split())[:200], asked_at=clock.now()
            )
            _record(club, "asked", user, about=user)
            club_asked.send(JoinRequest, request=asked)
    except IntegrityError as twice:
        raise Refused("club_asked") from twice
    return asked


def request_answer(*, request_id: int, by: User, accepted: bool) -> JoinRequest:
    """An owner lets somebody in, or does not. Raises Refused: club_no_request, club_not_owner."""
    with transaction.atomic():
        asked = JoinRequest.objects.select_related("club", "user").filter(pk=request_id).first()
        if asked is None:
            raise Refused("club_no_request")
        club = _lock(asked.club, by, Act.PEOPLE)
        asked.accepted, asked.answered_by, asked.answered_at = accepted, by, clock.now()
        fresh = JoinRequest.objects.filter(pk=request_id, accepted=None)
        if not fresh.update(accepted=accepted, answered_by=by, answered_at=asked.answered_at):
            raise Refused("club_no_request")
        if not accepted:
            _record(club, "declined", by, about=asked.user)
        elif not Membership.objects.filter(club=club, user=asked.user).exists():  # he may have come by an invitation
            _admit(club, asked.user, by=by)
        club_answered.send(JoinRequest, request=asked, said=True)
    return asked


def club_leave(*, club: Club, user: User) -> None:
    """Leave a club. Raises Refused: club_not_member, club_last_owner, club_default_stays."""
    with transaction.atomic():
        locked = _lock(club)
        row = _row(locked, user)
        if locked.is_default:
            raise Refused("club_default_stays")
        _keep_an_owner(row)
        row.delete()
        _record(locked, "left", user, about=user)


def member_remove(*, club: Club, by: User, user: User) -> None:
    """Take somebody out of a club. Raises Refused: club_not_owner, club_not_member, club_last_owner,
    club_default_stays.
    """
    with transaction.atomic():
        locked = _lock(club, by, Act.PEOPLE)
        row = _row(locked, user)
        if locked.is_default:
            raise Refused("club_default_stays")
        _keep_an_owner(row)
        row.delete()
        _record(locked, "removed", by, about=user)


# Roles and terms


def member_role(*, club: Club, by: User, user: User, role: str) -> Membership:
    """Give a member a role, or take it back; the last owner keeps his.

    In the default club, to which everybody belongs, a row is made for who has none. Raises Refused: club_not_owner,
    club_not_member, club_last_owner, club_role.
    """
    if role not in Role.values:
        raise Refused("club_role")
    with transaction.atomic():
        locked = _lock(club, by, Act.ROLES)
        row = _row(locked, user)
        if row.role == role:
            return row
        before = row.role
        if role != Role.OWNER:
            _keep_an_owner(row)
        row.role = role
        if role == Role.OWNER:
            row.until = None
        row.save(update_fields=["role", "until"])
        _record(locked, "role", by, about=user, before=before, after=role)
    return row


def member_until(*, club: Club, by: User, user: User, until: date | None) -> Membership:
    """Say a member's last day; None: without end. Raises Refused: club_not_owner, club_not_member, club_owner_until."""
    with transaction.atomic():
        locked = _lock(club, by, Act.PEOPLE)
        row = _row(locked, user)
        if row.role == Role.OWNER and until is not None:
            raise Refused("club_owner_until")
        if row.until != until:
            row.until = until
            row.save(update_fields=["until"])
            _record(locked, "until", by, about=user, until=until.isoformat() if until else None)
    return row


# Invitations


def invitation_make(*, club: Club, by: User, days: int, most_uses: int | None = 1, email: str = "") -> Invitation:
    """A link by which people join, good for some days. Raises Refused: club_not_owner, invitation_terms,
    invitation_most.
    """
    if not 1 <= days <= LONGEST_DAYS or not (most_uses is None or 1 <= most_uses <= MOST_USES):
        raise Refused("invitation_terms")
    with transaction.atomic():
        locked = _lock(club, by, Act.PEOPLE)
        moment = clock.now()
        usable = Q(most_uses=None) | Q(uses__lt=F("most_uses"))
        if locked.invitations.filter(usable, revoked_at=None, expires_at__gt=moment).count() >= MOST_INVITATIONS:
            raise Refused("invitation_most", params={"most": MOST_INVITATIONS})
        made = Invitation.objects.create(
            club=locked,
            made_by=by,
            made_at=moment,
            expires_at=moment + timedelta(days=days),
            most_uses=most_uses,
            email=email,
        )
        _record(locked, "invited", by, days=days, uses=most_uses)
    return made


def invitation_send(*, invitation: Invitation, link: str) -> bool:
    """Send the link to the address of its invitation. Whether there was a way to."""
    if not settings.HAS_MAIL or not invitation.email:
        return False
    facts = {"club": invitation.club.name, "name": invitation.made_by.username, "link": link}
    subject = _("An invitation to %(club)s") % facts
    body = _("%(name)s invites you to the backgammon club %(club)s. Join here:\n\n%(link)s\n") % facts
    return bool(send_mail(" ".join(subject.split()), body, None, [invitation.email], fail_silently=True))


def invitation_revoke(*, invitation_id: int, by: User) -> None:
    """Take an invitation back; who joined by it stays. Raises Refused: invitation_gone, club_not_owner."""
    with transaction.atomic():
        found = Invitation.objects.select_related("club").filter(pk=invitation_id).first()
        if found is None:
            raise Refused("invitation_gone")
        club = _lock(found.club, by, Act.PEOPLE)
        if Invitation.objects.filter(pk=invitation_id, revoked_at=None).update(revoked_at=clock.now()):
            _record(club, "revoked", by)


def invitation_take(*, token: str, user: User) -> Membership:
    """Join by an invitation. Of two who take its last use at once, one joins.

    A member whose time is over has nothing from it: his owner says until when he is one.
    Raises Refused: invitation_gone, club_joined, club_members_only.
    """
    with transaction.atomic():
        found = Invitation.objects.select_related("club").filter(token=token).first()
        if found is None or not found.good:
            raise Refused("invitation_gone")
        _check_may_join(found.club, user)
        left = Q(most_uses=None) | Q(uses__lt=F("most_uses"))
        usable = Invitation.objects.filter(left, pk=found.pk, revoked_at=None)
        if not usable.update(uses=F("uses") + 1):
            raise Refused("invitation_gone")
        return _admit(found.club, user, by=found.made_by, invitation=found.pk)


# Steps


def _lock(club: Club, by: User | None = None, act: Act | None = None) -> Club:
    """The club, locked until the end of the transaction. Raises Refused("club_not_owner") for who may not do it."""
    locked = Club.objects.select_for_update().get(pk=club.pk)
    if act is not None and not may(by, act, locked):
        raise Refused("club_not_owner")
    return locked


def _check_may_join(club: Club, user: User) -> None:
    """Raises Refused: club_members_only, club_joined."""
    if user.is_guest or user.is_bot or not user.is_active:
        raise Refused("club_members_only")
    if club.is_default or Membership.objects.filter(club=club, user=user).exists():
        raise Refused("club_joined")


def _admit(club: Club, user: User, *, by: User, **facts: Any) -> Membership:
    """A place in the club; what he had asked for is answered by it. Raises Refused("club_joined")."""
    row, made = Membership.objects.get_or_create(club=club, user=user)
    if not made:
        raise Refused("club_joined")
    for one in JoinRequest.objects.filter(club=club, user=user, accepted=None):
        JoinRequest.objects.filter(pk=one.pk).update(accepted=True, answered_by=by, answered_at=clock.now())
        club_answered.send(JoinRequest, request=one, said=False)
    _record(club, "joined", by, about=user, **facts)
    return row


def _row(club: Club, user: User) -> Membership:
    """The membership of `user`. Raises Refused("club_not_member")."""
    if club.is_default and user.is_active and not (user.is_guest or user.is_bot):
        return Membership.objects.get_or_create(club=club, user=user)[0]
    found = Membership.objects.filter(club=club, user=user).first()
    if found is None:
        raise Refused("club_not_member")
    return found


def _keep_an_owner(row: Membership) -> None:
    """Raises Refused("club_last_owner") where this is the only one; the club is locked."""
    others = Membership.objects.filter(club=row.club_id, role=Role.OWNER, user__is_active=True).exclude(pk=row.pk)
    if row.role == Role.OWNER and not others.exists():
        raise Refused("club_last_owner")


def _record(club: Club, kind: str, by: User | None, *, about: User | None = None, **data: Any) -> None:
    ClubEvent.objects.create(club=club, kind=kind, by=by, about=about, data=data, at=clock.now())
