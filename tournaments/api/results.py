"""Reporting, disputing and confirming the result of a match that was played over the board."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import bodies
from accounts.api.views import ApiView, current_user
from tournaments import services
from tournaments.api.fields import PointsField, entrant_field, pairing_key_field, points_in_order, version_response
from tournaments.api.registration import PLAY
from tournaments.api.serializers import TournamentVersionSerializer
from tournaments.selectors import lookups
from tournaments.selectors.tournament_page import tournament_or_not_found


class ScoreBody(bodies.Body):
    """Who won a pairing, and the points of the winner and of the loser."""

    key = pairing_key_field()
    winner = entrant_field("The number of the winner.")
    won = PointsField()
    lost = PointsField()


class _ResultClaimView(ApiView):
    """A view of a player's claim about a result."""

    access: ClassVar = {"POST": PLAY}

    def claim(self, request: Request, tournament_id: str, service: Any) -> Response:
        data = bodies.body_of(ScoreBody, request)
        tournament_or_not_found(tournament_id)
        first = lookups.first_entrant_number(tournament_id=tournament_id, key=data["key"])
        points = points_in_order(data, first)
        user = current_user(request)
        service(tournament_id=tournament_id, user=user, key=data["key"], winner=data["winner"], points=points)
        return version_response(tournament_id)


class Report(_ResultClaimView):
    """Report the result of a match over the board; the opponent confirms it."""

    @extend_schema(
        request=ScoreBody, responses=TournamentVersionSerializer, operation_id="result_report", tags=["tournaments"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        return self.claim(request, tournament_id, services.result_report)


class Dispute(_ResultClaimView):
    """Dispute the result that the opponent reported: a director decides."""

    @extend_schema(
        request=ScoreBody, responses=TournamentVersionSerializer, operation_id="result_dispute", tags=["tournaments"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        return self.claim(request, tournament_id, services.result_dispute)


class KeyBody(bodies.Body):
    """A pairing."""

    key = pairing_key_field()


class Confirm(ApiView):
    """Confirm the result that the opponent reported."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(
        request=KeyBody, responses=TournamentVersionSerializer, operation_id="result_confirm", tags=["tournaments"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        data = bodies.body_of(KeyBody, request)
        services.result_confirm(tournament_id=tournament_id, user=current_user(request), key=data["key"])
        return version_response(tournament_id)
