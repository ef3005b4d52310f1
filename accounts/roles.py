"""Who may do what in a club. Denied by default: a role is a row of `Membership`."""

from __future__ import annotations

from accounts.models import Club, Membership, User

DIRECTORS = (Membership.Role.OWNER, Membership.Role.DIRECTOR)


def directs(user: User | None, club: Club) -> bool:
    """Whether `user` may direct what this club plays: its owners and directors, and the staff of the site."""
    if user is None or not user.is_authenticated or not user.is_active:
        return False
    return user.is_staff or Membership.objects.filter(club=club, user=user, role__in=DIRECTORS).exists()
