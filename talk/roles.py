"""Who moderates: the staff of the site, and the owners and directors of its default club. Everybody else does not."""

from __future__ import annotations

from django.db.models import Q

from accounts import roles
from accounts.models import Club, Membership, User
from accounts.second import acts_as_staff


def moderates(user: User | None) -> bool:
    """Whether `user` is one of the moderators today."""
    club = Club.objects.filter(is_default=True).first()
    return club is not None and roles.directs(user, club)


def moderators() -> list[User]:
    """All moderators, who are told of a new case."""
    club = Club.objects.filter(is_default=True).first()
    if club is None:
        return []
    lasting = Q(memberships__until=None) | Q(memberships__until__gte=club.today())
    heads = [Membership.Role.OWNER, Membership.Role.DIRECTOR]
    of_club = lasting & Q(memberships__club=club, memberships__role__in=heads)
    people = User.objects.filter(of_club | Q(is_staff=True), is_active=True, is_guest=False, is_bot=False)
    return list(people.order_by("pk").distinct())


def stands_above(about: User, by: User) -> bool:
    """Whether only the staff may silence `about` or close his account: he is one of them, or a moderator himself."""
    return not acts_as_staff(by) and (about.is_staff or moderates(about))
