"""Relationships of the user (follows, mutes, blocks) and private notes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import member, player
from accounts.api.bodies import Body, Paged, Query, body_of, query_of
from accounts.api.errors import Problem
from accounts.api.pagination import paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.users import PersonSerializer, serialize_person
from accounts.api.views import ApiView, current_user
from accounts.errors import Refused
from accounts.models import PlayerNote, Relationship, User
from accounts.names.validation import fold
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships

TAGS = ["me"]
FRIENDS = "friends"
KIND_IN_PATH = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(Relationship.Kind.values))


def user_by_name(name: str) -> User:
    """The player of that name, even with a closed account. Raises Refused("no_such_player")."""
    found = User.objects.filter(name_key=fold(name)).first() if len(name) <= 24 else None
    if found is None:
        raise Refused("no_such_player")
    return found


class RelationshipStatusSerializer(serializers.Serializer[Any]):
    """The user's relationship with a player, visible to them alone."""

    blocked = serializers.BooleanField()
    muted = serializers.BooleanField()
    followed = serializers.BooleanField()
    friends = serializers.BooleanField(help_text="Whether the following is mutual.")
    note = serializers.CharField(allow_blank=True)


def _serialize_status(by: User, other: User) -> dict[str, Any]:
    found = relationship_selectors.relationship_status(by, other)
    return {name: getattr(found, name) for name in ("blocked", "muted", "followed", "friends", "note")}


class RelationshipDetail(ApiView):
    """The user's relationship with a player."""

    access = {"GET": player("read")}

    @extend_schema(operation_id="player_ties", responses=RelationshipStatusSerializer, tags=TAGS)
    def get(self, request: Request, name: str) -> Response:
        query_of(Query, request)
        return Response(_serialize_status(current_user(request), user_by_name(name)))


class RelationshipKind(ApiView):
    """Block, mute or follow a player, or end that. Repeating changes nothing."""

    access = {"PUT": player("settings"), "DELETE": player("settings")}

    @extend_schema(
        operation_id="player_tie",
        parameters=[KIND_IN_PATH],
        request=None,
        responses=RelationshipStatusSerializer,
        tags=TAGS,
    )
    def put(self, request: Request, name: str, kind: str) -> Response:
        other = self._other_player(request, name, kind)
        relationships.relationship_create(by=current_user(request), about=other, kind=kind)
        return Response(_serialize_status(current_user(request), other))

    @extend_schema(operation_id="player_untie", parameters=[KIND_IN_PATH], responses={204: None}, tags=TAGS)
    def delete(self, request: Request, name: str, kind: str) -> Response:
        relationships.relationship_delete(
            by=current_user(request), about=self._other_player(request, name, kind), kind=kind
        )
        return Response(status=204)

    def _other_player(self, request: Request, name: str, kind: str) -> User:
        """The other player. Guests can mute and block, but not follow; bots can do nothing of it."""
        user = current_user(request)
        if kind not in Relationship.Kind.values:
            raise Problem("nothing_here", status=404)
        if user.is_bot or (user.is_guest and kind == relationship_selectors.FOLLOW):
            raise Problem("members_only", status=403)
        return user_by_name(name)


class RelationshipsQuery(Paged):
    kind = serializers.ChoiceField(
        choices=[*Relationship.Kind.values, FRIENDS], help_text="friends: the following is mutual."
    )


class RelationshipSerializer(serializers.Serializer[Any]):
    """A relationship with a player."""

    person = PersonSerializer()
    at = serializers.DateTimeField()
    friends = serializers.BooleanField(help_text="Whether the following is mutual.")


class Relationships(ApiView):
    """Whom the user follows, muted or blocked, the newest first."""

    access = {"GET": player("read")}

    @extend_schema(
        operation_id="ties",
        parameters=[RelationshipsQuery],
        responses=page_serializer(RelationshipSerializer),
        tags=TAGS,
    )
    def get(self, request: Request) -> Response:
        query = query_of(RelationshipsQuery, request)
        mutual = query["kind"] == FRIENDS
        rows = relationship_selectors.relationships_of(
            current_user(request), relationship_selectors.FOLLOW if mutual else query["kind"], mutual=mutual
        )
        return paginate_queryset(
            rows,
            by=("-at", "-pk"),
            query=query,
            serialize=lambda found: [_serialize_relationship(row) for row in found],
        )


def _serialize_relationship(row: Any) -> dict[str, Any]:
    friends = row.kind == relationship_selectors.FOLLOW and bool(row.friend)
    return {"person": serialize_person(row.about), "at": row.at, "friends": friends}


# Notes


class NoteBody(Body):
    text = serializers.CharField(max_length=relationships.MAX_NOTE_LENGTH, trim_whitespace=False)


class NoteSerializer(serializers.Serializer[Any]):
    """A private note about a player."""

    person = PersonSerializer()
    text = serializers.CharField()
    at = serializers.DateTimeField()


def _serialize_note(row: PlayerNote, about: User | None = None) -> dict[str, Any]:
    return {"person": serialize_person(about or row.about), "text": row.text, "at": row.at}


class Notes(ApiView):
    """The user's notes about players, the newest first."""

    access = {"GET": member("read")}

    @extend_schema(operation_id="notes", parameters=[Paged], responses=page_serializer(NoteSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        query = query_of(Paged, request)
        rows = relationship_selectors.notes_of(current_user(request))
        return paginate_queryset(
            rows, by=("-at", "-pk"), query=query, serialize=lambda found: [_serialize_note(row) for row in found]
        )


class Note(ApiView):
    """The user's note about a player."""

    access = {"PUT": member("settings"), "DELETE": member("settings")}

    @extend_schema(operation_id="note_write", request=NoteBody, responses={200: NoteSerializer, 204: None}, tags=TAGS)
    def put(self, request: Request, name: str) -> Response:
        text = body_of(NoteBody, request)["text"]
        about = user_by_name(name)
        row = relationships.note_save(by=current_user(request), about=about, text=text)
        return Response(status=204) if row is None else Response(_serialize_note(row, about))

    @extend_schema(operation_id="note_delete", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, name: str) -> Response:
        relationships.note_save(by=current_user(request), about=user_by_name(name), text="")
        return Response(status=204)
