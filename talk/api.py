"""The talk of a match over the API: what one may read of it, saying something, and how one wants to be talked to.

Thin: parse, call, answer. Whom one mutes stands under his name (accounts.api.ties): `PUT /players/{name}/ties/mute/`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import refused_with
from accounts.api.forms import field_of, filled, valid
from accounts.api.views import ApiView, must_match, tag_of, tagged, unchanged, viewer, who
from accounts.models import User
from games.api.common import choice, whole
from talk import services
from talk.forms import WishesForm
from talk.hearing import wishes_of
from talk.models import Wishes
from talk.phrases import PHRASES
from talk.rooms import Room
from talk.selectors.rooms import talk_of
from talk.texts import LONGEST

refused_with(403, "moderator_only", "talk_guest", "talk_silenced", "talk_silenced_for_good", "talk_warned")
refused_with(404, "no_message", "no_case")
MOST = 2**53


class LineSerializer(serializers.Serializer[Any]):
    """Something that was said, phrases in the reader's language; of what was removed nothing is left."""

    id = serializers.IntegerField()
    room = choice([room.value for room in Room])
    by = serializers.CharField(allow_blank=True)
    mine = serializers.BooleanField()
    at = serializers.DateTimeField()
    text = serializers.CharField(allow_blank=True)
    gone = serializers.BooleanField()


class WhyNotSerializer(serializers.Serializer[Any]):
    """Why one cannot write, or not everything."""

    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class TalkSerializer(serializers.Serializer[Any]):
    """The talk of a match for one reader, the earliest first. `more`: there is earlier than that."""

    room = choice([room.value for room in Room], "Where the reader writes.")
    rooms = serializers.ListField(child=serializers.CharField(), help_text="What he reads.")
    over = serializers.BooleanField()
    may = serializers.ListField(child=serializers.CharField(), help_text="`text`, `phrase`.")
    why = WhyNotSerializer(allow_null=True)
    messages = LineSerializer(many=True)
    gone = serializers.ListField(child=serializers.IntegerField(), help_text="Messages that were removed.")
    more = serializers.BooleanField()


class TalkQuery(bodies.Query):
    """Which part of it: the latest hundred unless said."""

    after = whole("Said after this message.", most=MOST)
    before = whole("Said before this message.", most=MOST)


@extend_schema_field({"type": "string", "pattern": "^[A-Za-z0-9-]{1,40}$"})
class SayIdField(serializers.CharField):
    """The name that a client gives what it says; the service reads it."""


class SayBody(bodies.Body):
    """Words of one's own, or a ready phrase by its key."""

    id = SayIdField(max_length=40, help_text="The same id again is said once.")
    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=4 * LONGEST)
    phrase = choice(PHRASES, "A ready phrase instead of words.", required=False)


class SaidMessageSerializer(serializers.Serializer[Any]):
    """The number of the message."""

    message = serializers.IntegerField()


class Talk(ApiView):
    """The talk of a match."""

    access: ClassVar = {"GET": access.public(), "POST": access.player("talk", "play")}

    @extend_schema(parameters=[TalkQuery], responses=TalkSerializer, operation_id="talk", tags=["talk"])
    def get(self, request: Request, match_id: str) -> Response:
        """What was said at a match, as far as one may read it."""
        said = bodies.query_of(TalkQuery, request)
        user = viewer(request)
        found = talk_of(
            match_id=match_id,
            user_id=user.pk if user else None,
            after=said.get("after", 0),
            before=said.get("before"),
        )
        return Response({name: value for name, value in found.frame().items() if name != "t"})

    @extend_schema(request=SayBody, responses=SaidMessageSerializer, operation_id="talk_say", tags=["talk"])
    def post(self, request: Request, match_id: str) -> Response:
        """Say something in the room where one writes."""
        said = bodies.body_of(SayBody, request)
        message = services.message_say(
            match_id=match_id,
            user_id=who(request).pk,
            client_id=said["id"],
            text=said["text"],
            phrase=said.get("phrase", ""),
        )
        return Response({"message": message.pk})


class TalkWishesBody(bodies.Body):
    """What is to be another way; the rest stays."""

    level = field_of(WishesForm, "level")
    hide_watchers = field_of(WishesForm, "hide_watchers")
    announce = field_of(WishesForm, "announce")


class TalkWishesSerializer(serializers.Serializer[Any]):
    """How one wants to be talked to: who may write to one at the table, and two switches of the panel."""

    level = choice(Wishes.Level)
    hide_watchers = serializers.BooleanField(help_text="Hide what was said among those who watched.")
    announce = serializers.BooleanField(help_text="Have new messages read out by a screen reader.")


def _wishes(user: User) -> tuple[dict[str, Any], str]:
    told = {**TalkWishesSerializer(wishes_of(user)).data}
    return told, tag_of("talk-wishes", user.pk, told)


class TalkWishes(ApiView):
    """How one wants to be talked to. With `If-Match` nothing is changed that is no longer as it was seen."""

    access: ClassVar = {"GET": access.player("read"), "PATCH": access.player("settings")}

    @extend_schema(responses=TalkWishesSerializer, operation_id="talk_wishes", tags=["talk"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        told, tag = _wishes(who(request))
        return unchanged(request, tag) or tagged(told, tag)

    @extend_schema(
        request=TalkWishesBody, responses=TalkWishesSerializer, operation_id="talk_wishes_change", tags=["talk"]
    )
    def patch(self, request: Request) -> Response:
        said = bodies.body_of(TalkWishesBody, request)
        user = who(request)
        must_match(request, _wishes(user)[1])
        kept = wishes_of(user)
        form = valid(WishesForm(filled(WishesForm(instance=kept), said), instance=kept))
        services.wishes_set(user=user, **form.cleaned_data)
        told, tag = _wishes(user)
        return tagged(told, tag)
