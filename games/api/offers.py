"""Finding a rival over HTTP, coming to the table, and what a bot has to do. Acting is the same as anybody's."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, who
from games import services
from games.api.common import none_such
from games.api.matches import SiteMatches
from games.api.people import player_named
from games.api.states import OptionsField
from games.clocks import PRESETS
from games.errors import Refused
from games.models import Match
from games.registry import RULES
from games.selectors import bots
from games.services import presence
from games.services.offers import LONGEST_MATCH


class BotEventSerializer(serializers.Serializer[Any]):
    """One thing to do: `challenge`, `turn` or `resume`; each names its match."""

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
    actions = serializers.ListField(child=serializers.CharField(), required=False, help_text="All that moves it on.")


BotEventSerializer._declared_fields["from"] = serializers.CharField(required=False)  # no attribute can be called so


class BotEventsSerializer(serializers.Serializer[Any]):
    """What there is to do, each time all of it (docs/bots.md)."""

    events = BotEventSerializer(many=True)


@extend_schema_field({"type": "object", "additionalProperties": {"type": ["boolean", "integer", "string"]}})
class TermsField(serializers.DictField):
    """What was agreed on besides length and clock, by the names of the game: `{"cube": true}`."""


class OfferBody(bodies.Body):
    """A match to offer: to `to`, or to whoever comes. Unrated unless it says so; what a bot offers always is."""

    variant = serializers.ChoiceField(choices=[(key, key) for key in RULES])
    length = serializers.IntegerField(min_value=0, max_value=LONGEST_MATCH, help_text="0: a money session.")
    clock = serializers.ChoiceField(choices=[(key, key) for key in PRESETS])
    rated = serializers.BooleanField(required=False, default=False)
    options = TermsField(required=False, help_text="Besides length and clock: see `GET /api/v1/variants/`.")
    to = serializers.CharField(
        max_length=24, required=False, allow_blank=True, help_text="The name of the one whom you challenge."
    )


class FoundSerializer(serializers.Serializer[Any]):
    """A match, and how far it is."""

    id = serializers.CharField()
    status = serializers.ChoiceField(choices=Match.Status.choices)


def _found(match: Match, status: int = 200) -> Response:
    return Response({"id": match.pk, "status": match.status}, status=status)


class BotEvents(ApiView):
    """What this bot has to do now. Ask every second or two; the socket `/ws/bot/` says the same without being asked."""

    access: ClassVar = {"GET": access.bot("read", "play")}

    @extend_schema(responses={200: BotEventsSerializer}, operation_id="bot_events", tags=["bots"])
    def get(self, request: Request) -> Response:
        presence.bot_asked(who(request).pk)
        return Response({"events": bots.news(bot_id=who(request).pk)})


class Matches(SiteMatches):
    """The finished matches of the site, in pages; and a new offer to play."""

    access: ClassVar = {**SiteMatches.access, "POST": access.player("play")}

    @extend_schema(
        request=OfferBody,
        responses={200: FoundSerializer, **none_such("There is no player of that name.")},
        operation_id="match_offer",
        tags=["matches"],
    )
    def post(self, request: Request) -> Response:
        """Challenge somebody, or look for anybody."""
        offer = bodies.body_of(OfferBody, request)
        invited = player_named(offer["to"]) if offer.get("to") else None
        if invited is not None and invited.is_guest:
            raise Refused("no_such_player")
        match = services.match_create(
            creator=who(request),
            variant=offer["variant"],
            length=offer["length"],
            clock=offer["clock"],
            rated=offer["rated"] and not who(request).is_bot,
            options=offer.get("options"),
            invited=invited,
        )
        return _found(match)


class MatchJoin(ApiView):
    """Accept a challenge or a seek: the match begins."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: FoundSerializer}, operation_id="match_join", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        return _found(services.match_join(match_id=match_id, user=who(request)))


class MatchDecline(ApiView):
    """Say no to a challenge."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: FoundSerializer}, operation_id="match_decline", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        services.match_decline(match_id=match_id, user=who(request))
        return Response({"id": match_id, "status": Match.Status.CANCELLED})


class MatchCancel(ApiView):
    """Take back one's own seek or challenge."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: FoundSerializer}, operation_id="match_cancel", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        services.match_cancel(match_id=match_id, user=who(request))
        return Response({"id": match_id, "status": Match.Status.CANCELLED})


class MatchRematch(ApiView):
    """Offer a rematch on the same terms, or accept the rival's; what comes back is the new match."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: FoundSerializer}, operation_id="match_rematch", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        return _found(services.match_rematch(match_id=match_id, user=who(request)))


class MatchArrive(ApiView):
    """Come to the table of an arranged match: it begins when both are there."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: FoundSerializer}, operation_id="match_arrive", tags=["matches"])
    def post(self, request: Request, match_id: str) -> Response:
        return _found(services.match_arrive(match_id=match_id, user=who(request)))
