"""Looking at the fair play report of a club leaves a row: who looked, at whom, when."""

from __future__ import annotations

from accounts.models import Club, User
from analysis.models import FairPlayLook
from games.database import now


def fair_play_look(*, club: Club, by: User, about: User | None = None) -> FairPlayLook:
    """Write down that `by` looked at the list of a club, or at one player of it."""
    return FairPlayLook.objects.create(club=club, by=by, about=about, at=now())
