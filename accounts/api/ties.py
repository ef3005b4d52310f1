"""What one decided about others: whom one follows, muted or blocked, and one's private notes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import ties
from accounts.api.access import member, player
from accounts.api.bodies import Body, Paged, Query, body_of, query_of
from accounts.api.errors import Problem
from accounts.api.pages import page_of
from accounts.api.people import PersonSerializer, person_told
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, who
from accounts.errors import Refused
from accounts.models import PlayerNote, Tie, User
from accounts.names import fold

TAGS = ["me"]
FRIENDS = "friends"
KIND_IN_PATH = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=list(Tie.Kind.values))


def one_named(name: str) -> User:
    """The player of that name, also one whose account is closed. Raises Refused("no_such_player")."""
    found = User.objects.filter(name_key=fold(name)).first() if len(name) <= 24 else None
    if found is None:
        raise Refused("no_such_player")
    return found


class AboutSerializer(serializers.Serializer[Any]):
    """What one decided about a player. Nobody else is told of it."""

    blocked = serializers.BooleanField()
    muted = serializers.BooleanField()
    followed = serializers.BooleanField()
    friends = serializers.BooleanField(help_text="Whether the following is mutual.")
    note = serializers.CharField(allow_blank=True)


def _about(by: User, other: User) -> dict[str, Any]:
    found = ties.decided_about(by, other)
    return {name: getattr(found, name) for name in ("blocked", "muted", "followed", "friends", "note")}


class About(ApiView):
    """What one decided about a player."""

    access = {"GET": player("read")}

    @extend_schema(operation_id="player_ties", responses=AboutSerializer, tags=TAGS)
    def get(self, request: Request, name: str) -> Response:
        query_of(Query, request)
        return Response(_about(who(request), one_named(name)))


class OneTie(ApiView):
    """Block, mute or follow a player, or no longer. Twice is once."""

    access = {"PUT": player("settings"), "DELETE": player("settings")}

    @extend_schema(
        operation_id="player_tie", parameters=[KIND_IN_PATH], request=None, responses=AboutSerializer, tags=TAGS
    )
    def put(self, request: Request, name: str, kind: str) -> Response:
        other = self._other(request, name, kind)
        ties.tie_make(by=who(request), about=other, kind=kind)
        return Response(_about(who(request), other))

    @extend_schema(operation_id="player_untie", parameters=[KIND_IN_PATH], responses={204: None}, tags=TAGS)
    def delete(self, request: Request, name: str, kind: str) -> Response:
        ties.tie_cut(by=who(request), about=self._other(request, name, kind), kind=kind)
        return Response(status=204)

    def _other(self, request: Request, name: str, kind: str) -> User:
        """Who is meant. A guest may keep people away, and follows nobody; a bot is nobody's judge."""
        user = who(request)
        if kind not in Tie.Kind.values:
            raise Problem("nothing_here", status=404)
        if user.is_bot or (user.is_guest and kind == ties.FOLLOW):
            raise Problem("members_only", status=403)
        return one_named(name)


class TiesQuery(Paged):
    kind = serializers.ChoiceField(choices=[*Tie.Kind.values, FRIENDS], help_text="friends: the following is mutual.")


class TieSerializer(serializers.Serializer[Any]):
    """Somebody about whom one decided."""

    person = PersonSerializer()
    at = serializers.DateTimeField()
    friends = serializers.BooleanField(help_text="Whether the following is mutual.")


class Ties(ApiView):
    """Whom one follows, muted or blocked, the last first."""

    access = {"GET": player("read")}

    @extend_schema(operation_id="ties", parameters=[TiesQuery], responses=page_answer(TieSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        asked = query_of(TiesQuery, request)
        mutual = asked["kind"] == FRIENDS
        rows = ties.ties_of(who(request), ties.FOLLOW if mutual else asked["kind"], mutual=mutual)
        return page_of(rows, by=("-at", "-pk"), asked=asked, told=lambda found: [_tie(row) for row in found])


def _tie(row: Any) -> dict[str, Any]:
    friends = row.kind == ties.FOLLOW and bool(row.friend)
    return {"person": person_told(row.about), "at": row.at, "friends": friends}


# Notes


class NoteBody(Body):
    text = serializers.CharField(max_length=ties.LONGEST_NOTE, trim_whitespace=False)


class NoteSerializer(serializers.Serializer[Any]):
    """What one wrote for oneself about a player."""

    person = PersonSerializer()
    text = serializers.CharField()
    at = serializers.DateTimeField()


def _note(row: PlayerNote, about: User | None = None) -> dict[str, Any]:
    return {"person": person_told(about or row.about), "text": row.text, "at": row.at}


class Notes(ApiView):
    """One's notes about players, the last first."""

    access = {"GET": member("read")}

    @extend_schema(operation_id="notes", parameters=[Paged], responses=page_answer(NoteSerializer), tags=TAGS)
    def get(self, request: Request) -> Response:
        asked = query_of(Paged, request)
        rows = ties.notes_of(who(request))
        return page_of(rows, by=("-at", "-pk"), asked=asked, told=lambda found: [_note(row) for row in found])


class Note(ApiView):
    """One's note about a player."""

    access = {"PUT": member("settings"), "DELETE": member("settings")}

    @extend_schema(operation_id="note_write", request=NoteBody, responses={200: NoteSerializer, 204: None}, tags=TAGS)
    def put(self, request: Request, name: str) -> Response:
        text = body_of(NoteBody, request)["text"]
        about = one_named(name)
        row = ties.note_write(by=who(request), about=about, text=text)
        return Response(status=204) if row is None else Response(_note(row, about))

    @extend_schema(operation_id="note_delete", responses={204: None}, tags=TAGS)
    def delete(self, request: Request, name: str) -> Response:
        ties.note_write(by=who(request), about=one_named(name), text="")
        return Response(status=204)
