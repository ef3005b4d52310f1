"""What ends on ladders when somebody leaves the site for good."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from games.database import now
from games.errors import Refused
from ladders.models import LadderPlayer
from ladders.services.results import lost_results, match_over
from ladders.services.rungs import ladder_leave


def ladders_leave(*, user: User) -> None:
    """Count the last results of `user`, then give up every place on a ladder, with the open challenges (L11)."""
    with transaction.atomic():
        for match_id in lost_results(now(), user=user):
            match_over(match_id=match_id)
        for ladder_id in LadderPlayer.objects.filter(user=user).order_by("ladder").values_list("ladder", flat=True):
            try:
                ladder_leave(ladder_id=ladder_id, user=user)
            except Refused:  # no longer on it, or it is a ladder by rating
                continue
