"""The calendar feed of a member: a secret address, which they can replace or remove at any time."""

from __future__ import annotations

import secrets

from accounts.models import User
from games.database import now
from tournaments.models import CalendarFeed


def calendar_feed_renew(*, user: User) -> CalendarFeed:
    """Make a new address; the one before it is void."""
    values = {"key": secrets.token_urlsafe(18), "made_at": now()}
    feed, _created = CalendarFeed.objects.update_or_create(user=user, defaults=values)
    return feed


def calendar_feed_remove(*, user: User) -> None:
    """Remove the address, so that nobody can read the calendar any more."""
    CalendarFeed.objects.filter(user=user).delete()
