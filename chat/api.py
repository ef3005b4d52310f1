"""The chat of a match over the API: reading it, writing a message, and chat preferences.

Thin: parse, call, answer. Players are muted by name (accounts.api.relationships): `PUT /players/{name}/ties/mute/`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import register_statuses
from accounts.api.forms import form_data, serializer_field, validated_form
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, viewer, with_etag
from accounts.models import User
from chat import services
from chat.forms import ChatPreferencesForm
from chat.models import ChatPreferences
from chat.phrases import PHRASES
from chat.rooms import Room
from chat.selectors.messages import chat_history
from chat.text_cleaning import LONGEST
from chat.visibility import preferences_of
from games.api.fields import choice, integer

register_statuses(403, "moderator_only", "talk_guest", "talk_silenced", "talk_silenced_for_good", "talk_warned")
register_statuses(404, "no_message", "no_case")
MOST = 2**53


class MessageSerializer(serializers.Serializer[Any]):
    """A chat message, with phrases in the reader's language; a removed message has no text."""

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


class ChatSerializer(serializers.Serializer[Any]):
    """The chat of a match for one reader, earliest message first. `more`: there are earlier messages."""

    room = choice([room.value for room in Room], "Where the reader writes.")
    rooms = serializers.ListField(child=serializers.CharField(), help_text="What he reads.")
    over = serializers.BooleanField()
    may = serializers.ListField(child=serializers.CharField(), help_text="`text`, `phrase`.")
    why = WhyNotSerializer(allow_null=True)
    messages = MessageSerializer(many=True)
    gone = serializers.ListField(child=serializers.IntegerField(), help_text="Messages that were removed.")
    more = serializers.BooleanField()


class ChatQuery(bodies.Query):
    """Which part of the chat: the latest hundred messages by default."""

    after = integer("Said after this message.", most=MOST)
    before = integer("Said before this message.", most=MOST)


@extend_schema_field({"type": "string", "pattern": "^[A-Za-z0-9-]{1,40}$"})
class SayIdField(serializers.CharField):
    """The client's own id of the message; the service checks it."""


class SayBody(bodies.Body):
    """A text, or the key of a quick phrase."""

    id = SayIdField(max_length=40, help_text="The same id again is said once.")
    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=4 * LONGEST)
    phrase = choice(PHRASES, "A ready phrase instead of words.", required=False)


class PostedMessageSerializer(serializers.Serializer[Any]):
    """The number of the message."""

    message = serializers.IntegerField()


class Chat(ApiView):
    """The chat of a match."""

    access: ClassVar = {"GET": access.public(), "POST": access.player("talk", "play")}

    @extend_schema(parameters=[ChatQuery], responses=ChatSerializer, operation_id="talk", tags=["talk"])
    def get(self, request: Request, match_id: str) -> Response:
        """The messages of a match that the reader may see."""
        query = bodies.query_of(ChatQuery, request)
        user = viewer(request)
        found = chat_history(
            match_id=match_id,
            user_id=user.pk if user else None,
            after=query.get("after", 0),
            before=query.get("before"),
        )
        return Response({name: value for name, value in found.frame().items() if name != "t"})

    @extend_schema(request=SayBody, responses=PostedMessageSerializer, operation_id="talk_say", tags=["talk"])
    def post(self, request: Request, match_id: str) -> Response:
        """Post a message in the reader's own room."""
        posted = bodies.body_of(SayBody, request)
        message = services.message_say(
            match_id=match_id,
            user_id=current_user(request).pk,
            client_id=posted["id"],
            text=posted["text"],
            phrase=posted.get("phrase", ""),
        )
        return Response({"message": message.pk})


class ChatPreferencesBody(bodies.Body):
    """What is to be another way; the rest stays."""

    level = serializer_field(ChatPreferencesForm, "level")
    hide_watchers = serializer_field(ChatPreferencesForm, "hide_watchers")
    announce = serializer_field(ChatPreferencesForm, "announce")


class ChatPreferencesSerializer(serializers.Serializer[Any]):
    """Chat preferences: who may write at the table, and two switches of the panel."""

    level = choice(ChatPreferences.Level)
    hide_watchers = serializers.BooleanField(help_text="Hide what was said among those who watched.")
    announce = serializers.BooleanField(help_text="Have new messages read out by a screen reader.")


def _preferences(user: User) -> tuple[dict[str, Any], str]:
    answer = {**ChatPreferencesSerializer(preferences_of(user)).data}
    return answer, etag_for("talk-wishes", user.pk, answer)


class ChatPreferencesView(ApiView):
    """How one wants to be talked to. With `If-Match` nothing is changed that is no longer as it was seen."""

    access: ClassVar = {"GET": access.player("read"), "PATCH": access.player("settings")}

    @extend_schema(responses=ChatPreferencesSerializer, operation_id="talk_wishes", tags=["talk"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        answer, tag = _preferences(current_user(request))
        return not_modified(request, tag) or with_etag(answer, tag)

    @extend_schema(
        request=ChatPreferencesBody,
        responses=ChatPreferencesSerializer,
        operation_id="talk_wishes_change",
        tags=["talk"],
    )
    def patch(self, request: Request) -> Response:
        posted = bodies.body_of(ChatPreferencesBody, request)
        user = current_user(request)
        check_if_match(request, _preferences(user)[1])
        preferences = preferences_of(user)
        form = validated_form(
            ChatPreferencesForm(form_data(ChatPreferencesForm(instance=preferences), posted), instance=preferences)
        )
        services.preferences_set(user=user, **form.cleaned_data)
        answer, tag = _preferences(user)
        return with_etag(answer, tag)
