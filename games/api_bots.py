"""Finding a rival over HTTP, and what a bot has to do. Acting is the same as anybody's (games.api)."""

from __future__ import annotations

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from games import services
from games.api import RefusalSerializer
from games.errors import Refused
from games.models import Match
from games.selectors import bots, lists
from games.services import presence

REFUSED = {404: RefusalSerializer, 409: RefusalSerializer}


class IsBot(permissions.BasePermission):
    """A bot with its token."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.is_authenticated and request.user.is_bot)


class EventsSerializer(serializers.Serializer[Any]):
    """What there is to do, each time all of it (docs/bots.md)."""

    events = serializers.ListField(child=serializers.DictField())


class OfferSerializer(serializers.Serializer[Any]):
    """An unrated match to offer: to `to`, or to whoever comes."""

    variant = serializers.CharField(max_length=24)
    length = serializers.IntegerField(min_value=0, max_value=99)
    clock = serializers.CharField(max_length=16)
    options = serializers.DictField(required=False)
    to = serializers.CharField(max_length=24, required=False, help_text="The name of the one whom you challenge.")


class FoundSerializer(serializers.Serializer[Any]):
    """A match, and how far it is: `open` or `live`."""

    id = serializers.CharField()
    status = serializers.CharField()


def _who(request: Request) -> User:
    """The account behind a request that the permissions let in."""
    return cast(User, request.user)


def _found(match: Match) -> Response:
    return Response({"id": match.pk, "status": match.status})


class BotEvents(APIView):
    """What this bot has to do now. Ask every second or two; the socket `/ws/bot/` says the same without being asked."""

    permission_classes = (IsBot,)

    @extend_schema(responses={200: EventsSerializer}, operation_id="bot_events")
    def get(self, request: Request) -> Response:
        presence.bot_asked(_who(request).pk)
        return Response({"events": bots.news(bot_id=_who(request).pk)})


class MatchOffer(APIView):
    """Challenge somebody, or look for anybody. Always unrated."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(request=OfferSerializer, responses={200: FoundSerializer, **REFUSED}, operation_id="match_offer")
    def post(self, request: Request) -> Response:
        form = OfferSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        offer = form.validated_data
        invited = lists.player_named(offer["to"]) if offer.get("to") else None
        if invited is not None and invited.is_guest:
            raise Refused("no_such_player")
        match = services.match_create(
            creator=_who(request),
            variant=offer["variant"],
            length=offer["length"],
            clock=offer["clock"],
            rated=False,
            options=offer.get("options"),
            invited=invited,
        )
        return _found(match)


class MatchJoin(APIView):
    """Accept a challenge or a seek: the match begins."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(request=None, responses={200: FoundSerializer, **REFUSED}, operation_id="match_join")
    def post(self, request: Request, match_id: str) -> Response:
        return _found(services.match_join(match_id=match_id, user=_who(request)))


class MatchDecline(APIView):
    """Say no to a challenge."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(request=None, responses={200: FoundSerializer, **REFUSED}, operation_id="match_decline")
    def post(self, request: Request, match_id: str) -> Response:
        services.match_decline(match_id=match_id, user=_who(request))
        return Response({"id": match_id, "status": Match.Status.CANCELLED})
