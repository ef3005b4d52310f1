"""What the views of weekends share: the weekend of a request, and fields of their bodies and answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.views import current_user
from games.api.fields import choice, integer
from tournaments.models import Tournament, Weekend
from tournaments.selectors.weekends import lookups
from tournaments.services.weekends import MOST_TOURNAMENTS
from tournaments.weekend_roles import WeekendAct

MOST_ID = 2**53
ENTRY = "The `id` of an entry of the person."


def weekend_at_desk(request: Request, weekend_id: str, act: WeekendAct) -> Weekend:
    """The weekend of a request, at which the user may do an act.

    Raises WeekendNotFound, Refused: not_weekend_official, not_weekend_director, not_organizer.
    """
    return lookups.weekend_desk(weekend_id=weekend_id, user=current_user(request), act=act).weekend


class TournamentNameSerializer(serializers.Serializer[Any]):
    """A tournament by its id, with its name."""

    id = serializers.CharField(source="pk")
    name = serializers.CharField()
    phase = choice(Tournament.Phase)


def tournament_ids_field(about: str, **more: Any) -> serializers.ListField:
    """Some tournaments by their ids."""
    child = serializers.CharField(max_length=16)
    return serializers.ListField(child=child, max_length=MOST_TOURNAMENTS, help_text=about, **more)


def entry_field(about: str = ENTRY) -> serializers.IntegerField:
    """A person of a weekend, by the id of one of their entries."""
    return integer(about, least=1, most=MOST_ID, required=True)
