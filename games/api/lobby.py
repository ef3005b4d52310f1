"""The lobby over HTTP: its lists, offering and joining matches, and the pending events of bots."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user, viewer
from games import services
from games.api.fields import not_found_response
from games.api.match_serializers import LobbySerializer
from games.api.matches import SiteMatches
from games.api.players import player_named
from games.api.state_serializers import OptionsField
from games.clocks import PRESETS
from games.errors import Refused
from games.models import Match
from games.registry import RULES
from games.selectors import bot_events
from games.selectors.lobby import lobby
from games.services import presence
from games.services.offers import MAX_LENGTH


class BotEventSerializer(serializers.Serializer[Any]):
    """A pending event: `challenge`, `turn` or `resume`; each names its match."""

    t = serializers.ChoiceField(choices=[(word, word) for word in ("challenge", "turn", "resume")])
    id = serializers.CharField()
    variant = serializers.CharField(required=False)
    length = serializers.IntegerField(required=False)
    clock = serializers.CharField(required=False)
    rated = serializers.BooleanField(required=False)
    options = OptionsField(required=False)
    version = serializers.IntegerField(required=False)
    you = serializers.CharField(required=False)
    url = serializers.CharField(required=False)
    actions = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The actions that continue the match."
    )


BotEventSerializer._declared_fields["from"] = serializers.CharField(required=False)  # a keyword cannot be an attribute


class BotEventsSerializer(serializers.Serializer[Any]):
    """All pending events of the bot, repeated until they are handled (docs/bots.md)."""

    events = BotEventSerializer(many=True)


@extend_schema_field({"type": "object", "additionalProperties": {"type": ["boolean", "integer", "string"]}})
class TermsField(serializers.DictField):
    """The options besides length and clock, by their names: `{"cube": true}`."""


class OfferBody(bodies.Body):
    """A match to offer: to the player `to`, or to anyone. Unrated by default; rated bots count against computers."""

    variant = serializers.ChoiceField(choices=[(key, key) for key in RULES])
    length = serializers.IntegerField(min_value=0, max_value=MAX_LENGTH, help_text="0: a money session.")
    clock = serializers.ChoiceField(choices=[(key, key) for key in PRESETS])
    rated = serializers.BooleanField(required=False, default=False)
    options = TermsField(required=False, help_text="Besides length and clock: see `GET /api/v1/variants/`.")
    to = serializers.CharField(
        max_length=24, required=False, allow_blank=True, help_text="The name of the player you challenge."
    )


class MatchStatusSerializer(serializers.Serializer[Any]):
    """A match and its status."""

    id = serializers.CharField()
    status = serializers.ChoiceField(choices=Match.Status.choices)


def match_status_response(match: Match, status: int = 200) -> Response:
    return Response({"id": match.pk, "status": match.status}, status=status)


class Lobby(ApiView):
    """The lists of the lobby: your matches, challenges, open games, live matches and recent results."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: LobbySerializer}, operation_id="lobby", tags=["lobby"])
    def get(self, request: Request) -> Response:
        found = lobby(viewer(request))
        return Response(LobbySerializer(found).data)


class BotEvents(ApiView):
    """The pending events of this bot. Poll every second or two; the socket `/ws/bot/` pushes the same events."""

    access: ClassVar = {"GET": access.bot("read", "play")}

    @extend_schema(responses={200: BotEventsSerializer}, operation_id="bot_events", tags=["bots"])
    def get(self, request: Request) -> Response:
        presence.bot_polled(current_user(request).pk)
        return Response({"events": bot_events.pending_events(bot_id=current_user(request).pk)})


class Matches(SiteMatches):
    """List the finished matches of the site, in pages; or offer a match."""

    access: ClassVar = {**SiteMatches.access, "POST": access.player("play")}

    @extend_schema(
        request=OfferBody,
        responses={200: MatchStatusSerializer, **not_found_response("There is no player of that name.")},
        operation_id="match_offer",
        tags=["matches"],
    )
    def post(self, request: Request) -> Response:
        """Challenge a player, or post an open game."""
        offer = bodies.body_of(OfferBody, request)
        invited = player_named(offer["to"]) if offer.get("to") else None
        if invited is not None and invited.is_guest:
            raise Refused("no_such_player")
        match = services.match_create(
            creator=current_user(request),
            variant=offer["variant"],
            length=offer["length"],
            clock=offer["clock"],
            rated=offer["rated"],
            options=offer.get("options"),
            invited=invited,
        )
        return match_status_response(match)


class MatchJoin(ApiView):
    """Accept a challenge or an open game: the match starts."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: MatchStatusSerializer}, operation_id="match_join", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        return match_status_response(services.match_join(match_id=match_id, user=current_user(request)))


class MatchDecline(ApiView):
    """Decline a challenge."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: MatchStatusSerializer}, operation_id="match_decline", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        services.match_decline(match_id=match_id, user=current_user(request))
        return Response({"id": match_id, "status": Match.Status.CANCELLED})


class MatchCancel(ApiView):
    """Cancel your own open game or challenge."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: MatchStatusSerializer}, operation_id="match_cancel", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        services.match_cancel(match_id=match_id, user=current_user(request))
        return Response({"id": match_id, "status": Match.Status.CANCELLED})


class MatchRematch(ApiView):
    """Offer a rematch on the same terms, or accept the opponent's; returns the new match."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: MatchStatusSerializer}, operation_id="match_rematch", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        return match_status_response(services.match_rematch(match_id=match_id, user=current_user(request)))


class MatchArrive(ApiView):
    """Join an arranged match: it starts when both players have joined."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: MatchStatusSerializer}, operation_id="match_arrive", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        return match_status_response(services.match_arrive(match_id=match_id, user=current_user(request)))
