"""The seeds of a tournament: with the ratings of the players, by rating, by hand or by lot."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user
from games.api.fields import choice, integer
from tournaments import services
from tournaments.api.desk_acts import DESK, Data, desk_view
from tournaments.api.fields import entrant_field, version_response
from tournaments.api.serializers import TournamentVersionSerializer
from tournaments.forms.seeding import MOST_SEEDS
from tournaments.roles import DeskAct
from tournaments.selectors.seeding import seeding
from tournaments.services.seeding import METHODS
from tournaments.terms import SEEDINGS


class SeedBody(bodies.Body):
    """An entrant, and their seed."""

    number = entrant_field()
    rank = integer("The seed; null: none.", least=1, most=MOST_SEEDS, required=True, allow_null=True)


class SeedsBody(bodies.Body):
    """Seeds; entrants who are not named keep theirs."""

    seeds = serializers.ListField(child=SeedBody(), max_length=MOST_SEEDS)


class SeedingBody(bodies.Body):
    """How the entrants are seeded: by `rating`, by `hand` (`seeds`), or by `lot` (nobody has a seed)."""

    method = choice(METHODS)
    most = integer("By rating: at most so many seeds; null: all who have a rating.", least=1, most=MOST_SEEDS)
    seeds = serializers.ListField(child=SeedBody(), max_length=MOST_SEEDS, required=False, default=list)
    rest = choice(SEEDINGS, "How entrants without a seed are placed.", required=False)


class SeededPlayerSerializer(serializers.Serializer[Any]):
    """An entrant who plays; null: no rating in the game, no seed."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    rating = serializers.IntegerField(allow_null=True)
    rank = serializers.IntegerField(source="seed", allow_null=True)


class SeedingSerializer(serializers.Serializer[Any]):
    """The players, seeds first, and how those without a seed are placed."""

    rest = choice(SEEDINGS)
    players = SeededPlayerSerializer(many=True)


def _ranks(_tournament_id: str, data: Data) -> Data:
    return {"ranks": {seed["number"]: seed["rank"] for seed in data["seeds"]}}


Seeds = desk_view("desk_seeds", services.entrants_seed, "Set or clear seeds.", SeedsBody, _ranks, act=DeskAct.SEED)


class Seeding(ApiView):
    """The seeds before the draw, with the ratings of the players; and seeding them."""

    access: ClassVar = {"GET": access.member("read"), "POST": DESK}

    @extend_schema(responses=SeedingSerializer, operation_id="desk_seeding", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        found = seeding(tournament_id=tournament_id, user=current_user(request))
        return Response(SeedingSerializer(found).data)

    @extend_schema(
        request=SeedingBody, responses=TournamentVersionSerializer, operation_id="desk_seeding_set", tags=["desk"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        """Seed the entrants, in place of the seeds that they had."""
        data = bodies.body_of(SeedingBody, request)
        user = current_user(request)
        services.seeding_set(
            tournament_id=tournament_id,
            user=user,
            method=data["method"],
            most=data.get("most"),
            rest=data.get("rest"),
            **_ranks(tournament_id, data),
        )
        return version_response(tournament_id)
