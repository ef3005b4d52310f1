"""Each view of a club's fair play report is recorded: who viewed it, about whom, when."""

from __future__ import annotations

from accounts.models import Club, User
from analysis.models import FairPlayView
from games.database import now


def fair_play_view(*, club: Club, by: User, about: User | None = None) -> FairPlayView:
    """Write down that `by` looked at the list of a club, or at one player of it."""
    return FairPlayView.objects.create(club=club, by=by, about=about, at=now())
