"""Moderators: the staff of the site, and the owners and directors of its default club."""

from __future__ import annotations

from django.db.models import Q

from accounts.clubs import roles
from accounts.models import Club, Membership, User
from accounts.web.staff import acts_as_staff


def is_moderator(user: User | None) -> bool:
    """Whether `user` is one of the moderators today."""
    club = Club.objects.filter(is_default=True).first()
    return club is not None and roles.may_direct(user, club)


def moderators() -> list[User]:
    """Return all moderators, who are notified of a new case."""
    club = Club.objects.filter(is_default=True).first()
    if club is None:
        return []
    lasting = Q(memberships__until=None) | Q(memberships__until__gte=club.today())
    heads = [Membership.Role.OWNER, Membership.Role.DIRECTOR]
    of_club = lasting & Q(memberships__club=club, memberships__role__in=heads)
    people = User.objects.filter(of_club | Q(is_staff=True), is_active=True, is_guest=False, is_bot=False)
    return list(people.order_by("pk").distinct())


def is_protected_from(about: User, by: User) -> bool:
    """Whether only staff may mute `about` or close their account: they are staff or a moderator themselves."""
    return not acts_as_staff(by) and (about.is_staff or is_moderator(about))
