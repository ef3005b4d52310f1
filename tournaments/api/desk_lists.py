"""Boards, lists of entrants, the next round before it is published, and byes on request, at the desk."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user
from games.api.fields import choice as choice_field
from games.api.fields import integer, serialize_many
from tournaments import services
from tournaments.api.desk_acts import DESK, Data, desk_view
from tournaments.api.fields import entrant_field, pairing_key_field, version_response
from tournaments.api.serializers import TournamentVersionSerializer
from tournaments.boards import LONGEST_ROOM, MOST_BOARDS, MOST_ROOMS, Boards, Room
from tournaments.entrants_list import MOST_CHARACTERS
from tournaments.roles import DeskAct
from tournaments.selectors import lookups
from tournaments.selectors.round_preview import round_preview

MOST_BOARD = 999
STATUSES = ("new", "member", "known", "twice", "error")
CHOICES = ("member", "walk-in", "skip")


# Boards


class RoomBody(bodies.Body):
    """A room with the boards `first` to `last`."""

    name = serializers.CharField(max_length=LONGEST_ROOM, allow_blank=True)
    first = integer("Its first board.", least=1, most=MOST_BOARD, required=True)
    last = integer("Its last board.", least=1, most=MOST_BOARD, required=True)


def _numbers(about: str) -> serializers.ListField:
    child = integer("A board.", least=1, most=MOST_BOARD, required=True)
    return serializers.ListField(child=child, max_length=MOST_BOARDS, required=False, default=list, help_text=about)


class BoardsBody(bodies.Body):
    """The rooms and their boards, in place of those before. Reserved and streamed boards are given by hand only."""

    rooms = serializers.ListField(child=RoomBody(), max_length=MOST_ROOMS)
    reserved = _numbers("Reserved boards.")
    streamed = _numbers("Streamed boards.")
    automatic = serializers.BooleanField(required=False, default=True, help_text="Call pairings to free boards.")


class CallBody(bodies.Body):
    """A pairing, and the board that its players are called to; null: none."""

    key = pairing_key_field()
    board = integer("The board.", least=1, most=MOST_BOARD, required=True, allow_null=True)


class RoomSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True)
    first = serializers.IntegerField()
    last = serializers.IntegerField()


class CalledSerializer(serializers.Serializer[Any]):
    """A pairing at a board, and since when."""

    key = serializers.CharField()
    board = serializers.IntegerField()
    at = serializers.DateTimeField()


class BoardsSerializer(serializers.Serializer[Any]):
    """The rooms, their boards, and who is called to which."""

    rooms = RoomSerializer(many=True)
    reserved = serializers.ListField(child=serializers.IntegerField())
    streamed = serializers.ListField(child=serializers.IntegerField())
    automatic = serializers.BooleanField()
    called = CalledSerializer(many=True)


def boards_in(data: Data) -> Boards:
    """The boards of a `BoardsBody`."""
    rooms = tuple(Room(room["name"], room["first"], room["last"]) for room in data["rooms"])
    return Boards(rooms, frozenset(data["reserved"]), frozenset(data["streamed"]), automatic=data["automatic"])


class DeskBoards(ApiView):
    """The rooms with their boards, and who is called to which; and setting them."""

    access: ClassVar = {"GET": access.member("read"), "POST": DESK}

    @extend_schema(responses=BoardsSerializer, operation_id="desk_boards", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        """The rooms with their boards, and who is called to which."""
        bodies.query_of(bodies.Query, request)
        boards, called = lookups.boards_of(tournament_id=tournament_id, user=current_user(request))
        calls = [{"key": key, "board": call.board, "at": call.at} for key, call in called.items()]
        return Response({**boards.as_json(), "called": calls})

    @extend_schema(
        request=BoardsBody, responses=TournamentVersionSerializer, operation_id="desk_boards_set", tags=["desk"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        """Set the rooms and their boards."""
        data, user = bodies.body_of(BoardsBody, request), current_user(request)
        services.boards_set(tournament_id=tournament_id, user=user, boards=boards_in(data))
        return version_response(tournament_id)


Call = desk_view(
    "desk_call", services.pairing_call, "Call the two of a pairing to a board.", CallBody, act=DeskAct.ASSIGN_BOARDS
)


# Byes on request


class ByeBody(bodies.Body):
    """An entrant who asks for a bye in a round, or (`asked` false) does not any more."""

    number = entrant_field()
    round = integer("The round.", least=1, most=999, required=True)
    asked = serializers.BooleanField(required=False, default=True)


ByeRequest = desk_view(
    "desk_bye", services.bye_request, "Record a bye that a player asks for.", ByeBody, act=DeskAct.RUN_ROUNDS
)


# Lists of entrants


class ListBody(bodies.Body):
    """A list of entrants as text: a name on each line, or a table with its columns in the first line."""

    text = serializers.CharField(max_length=MOST_CHARACTERS, trim_whitespace=False)


class LineChoiceBody(bodies.Body):
    """What to do with a line: enter the `member`, a `walk-in`, or `skip` it."""

    line = integer("Its number.", least=1, most=10_000, required=True)
    choice = choice_field(CHOICES)


class EntrantsImportBody(ListBody):
    """A list to enter; lines that are not named in `choices` do what the check proposed."""

    choices = serializers.ListField(child=LineChoiceBody(), max_length=1000, required=False, default=list)


class EntrantLineSerializer(serializers.Serializer[Any]):
    """A line of a list, what it is, and what is done with it unless one chooses otherwise."""

    line = serializers.IntegerField(source="listed.number")
    name = serializers.CharField(source="listed.name", allow_blank=True)
    seed = serializers.IntegerField(source="listed.seed", allow_null=True)
    paid = serializers.BooleanField(source="listed.paid")
    here = serializers.BooleanField(source="listed.here")
    fault = serializers.CharField(source="listed.fault", allow_blank=True)
    status = choice_field(STATUSES)
    choice = choice_field(CHOICES)


class EntrantLinesSerializer(serializers.Serializer[Any]):
    """The lines of a list."""

    lines = EntrantLineSerializer(many=True)


class EntrantsCheck(ApiView):
    """What each line of a list of entrants would do; nothing is written."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(
        request=ListBody, responses=EntrantLinesSerializer, operation_id="desk_entrants_check", tags=["desk"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        """What each line of a list of entrants would do; nothing is written."""
        data = bodies.body_of(ListBody, request)
        found = services.entrants_check(tournament_id=tournament_id, user=current_user(request), text=data["text"])
        return Response({"lines": serialize_many(EntrantLineSerializer, found)})


def _import(_tournament_id: str, data: Data) -> Data:
    return {"text": data["text"], "choices": {line["line"]: line["choice"] for line in data["choices"]}}


EntrantsImport = desk_view(
    "desk_entrants_import",
    services.entrants_import,
    "Enter the lines of a list.",
    EntrantsImportBody,
    _import,
    act=DeskAct.MANAGE_ENTRANTS,
)


# The next round


class PairBody(bodies.Body):
    """The pairs of the next round and its bye, where they differ from the proposal; each player of it plays once."""

    pairs = serializers.ListField(
        child=serializers.ListField(child=entrant_field(), min_length=2, max_length=2),
        max_length=256,
        required=False,
        default=list,
    )
    bye = entrant_field("Who has the bye.", required=False, allow_null=True, default=None)


class PreviewPairSerializer(serializers.Serializer[Any]):
    """A pair: two entrants, or one who has the bye; why, and how often they met before."""

    entrants = serializers.SerializerMethodField()
    reason = serializers.CharField()
    met = serializers.IntegerField()

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_entrants(self, pair: Any) -> list[int]:
        return [side.number for side in pair.sides]


class PreviewSerializer(serializers.Serializer[Any]):
    """The next round as it would be paired now; `absent` asked for a bye."""

    round = serializers.IntegerField(source="round.round")
    pairs = PreviewPairSerializer(many=True)
    absent = serializers.ListField(source="round.absent", child=serializers.IntegerField())


def _pair(_tournament_id: str, data: Data) -> Data:
    return {"pairs": [(a, b) for a, b in data["pairs"]], "bye": data["bye"]}


PairAs = desk_view(
    "desk_pair_as", services.round_pair, "Pair the next round like this.", PairBody, _pair, act=DeskAct.RUN_ROUNDS
)


class Preview(ApiView):
    """The next round as it would be paired now; nothing is published."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=PreviewSerializer, operation_id="desk_preview", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        """The next round as it would be paired now; nothing is published."""
        bodies.query_of(bodies.Query, request)
        found = round_preview(tournament_id=tournament_id, user=current_user(request))
        return Response(PreviewSerializer(found).data)
