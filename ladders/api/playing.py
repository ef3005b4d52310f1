"""Taking part in ladders: joining, vacations and challenges."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user, viewer
from games.api.fields import choice, integer, serialize_many
from ladders import selectors as ladder_selectors
from ladders import services
from ladders.api.serializers import LadderChallengeSerializer
from ladders.api.steps import LadderStep, documented, player_of
from ladders.models import LadderChallenge


@documented("ladder_join")
class LadderJoin(LadderStep):
    """Join a ladder."""

    service = staticmethod(services.ladder_join)


@documented("ladder_leave")
class LadderLeave(LadderStep):
    """Leave a ladder."""

    service = staticmethod(services.ladder_leave)


class AwayBody(bodies.Body):
    days = integer("How many days.", least=1, most=400, required=True)


@documented("ladder_away")
class LadderAway(LadderStep):
    """Go on vacation for some days: nobody can challenge the player meanwhile."""

    body = AwayBody
    service = staticmethod(services.ladder_away)


@documented("ladder_back")
class LadderBack(LadderStep):
    """Come back before the end of a vacation."""

    service = staticmethod(services.ladder_back)


# Challenges


class ChallengeBody(bodies.Body):
    """The player to challenge."""

    rival = serializers.CharField(max_length=24, help_text="The name of a player of the ladder.")


class ChallengeMadeSerializer(serializers.Serializer[Any]):
    """A challenge that was made."""

    id = serializers.IntegerField()
    status = choice(LadderChallenge.Status)


class Challenges(ApiView):
    """The open challenges of a ladder; and a new one."""

    access: ClassVar = {"GET": access.public(), "POST": access.member("play")}

    @extend_schema(responses=LadderChallengeSerializer(many=True), operation_id="ladder_challenges", tags=["ladders"])
    def get(self, request: Request, ladder_id: str) -> Response:
        """The challenges that wait for an answer or a match, the most urgent first."""
        bodies.query_of(bodies.Query, request)
        view = ladder_selectors.page(ladder_id=ladder_id, user=viewer(request))
        return Response(serialize_many(LadderChallengeSerializer, view.challenges))

    @extend_schema(
        request=ChallengeBody,
        responses={201: ChallengeMadeSerializer},
        operation_id="ladder_challenge",
        tags=["ladders"],
    )
    def post(self, request: Request, ladder_id: str) -> Response:
        """Challenge a player of the ladder."""
        opponent = player_of(ladder_id, bodies.body_of(ChallengeBody, request)["rival"], "ladder_rival_not_on")
        made = services.challenge_make(ladder_id=ladder_id, user=current_user(request), opponent=opponent)
        return Response({"id": made.pk, "status": made.status}, status=201)


class AcceptedSerializer(serializers.Serializer[Any]):
    """The match of an accepted challenge."""

    match = serializers.CharField()


@documented("ladder_accept", AcceptedSerializer)
class ChallengeAccept(LadderStep):
    """Accept a challenge: opens its match."""

    service = staticmethod(services.challenge_accept)

    def answer(self, request: Request, ladder_id: str, made: Any) -> Response:
        return Response({"match": made.pk})


@documented("ladder_decline")
class ChallengeDecline(LadderStep):
    """Decline a challenge."""

    service = staticmethod(services.challenge_decline)


@documented("ladder_withdraw")
class ChallengeWithdraw(LadderStep):
    """Withdraw a challenge."""

    service = staticmethod(services.challenge_withdraw)
