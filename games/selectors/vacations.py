"""Reads of vacations from correspondence matches."""

from __future__ import annotations

from datetime import datetime

from accounts.models import User
from games.database import now
from games.services import deadlines


def away_until(user: User) -> datetime | None:
    """When the player's vacation from correspondence matches ends, or None."""
    return deadlines.vacation_until([user.pk], now())
