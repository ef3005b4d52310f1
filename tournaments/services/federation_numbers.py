"""The member numbers of federations that directors enter for the report (ruling E28)."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import FEDERATION_NUMBER, User
from tournaments.errors import Refused
from tournaments.models import Entrant
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction


def federation_numbers_set(*, tournament_id: str, user: User, numbers: Mapping[int, str]) -> None:
    """Set the member numbers of entrants, as a director, at any time; the others keep theirs.

    "" stands for the number that the player has in their settings. Raises Refused: not_director, not_entered, is_team,
    federation_number.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.REPORT)
        changed = []
        for number, text in numbers.items():
            entrant, typed = tx.person(number), _checked(text)
            own = entrant.user.federation_number if entrant.user is not None else ""
            kept = "" if typed == own else typed
            if kept != entrant.federation_number:
                entrant.federation_number = kept
                changed.append(entrant)
        Entrant.objects.bulk_update(changed, ["federation_number"])


def _checked(text: str) -> str:
    """A member number as it is stored, or "". Raises Refused("federation_number")."""
    number = " ".join(text.split())
    if number:
        try:
            FEDERATION_NUMBER(number)
        except ValidationError as error:
            raise Refused("federation_number") from error
    return number
