"""The people of a weekend: the register, entering somebody in several tournaments, shared boards, and fees."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.pagination import paginate_list
from accounts.api.schema import page_serializer
from accounts.api.users import PersonSerializer, serialize_person
from accounts.api.views import ApiView, current_user
from games.api.fields import serialize_many
from tournaments.api.desk_lists import BoardsBody, RoomSerializer, boards_in
from tournaments.api.desk_roster import PersonBody
from tournaments.api.weekend_fields import entry_field, tournament_ids_field, weekend_at_desk
from tournaments.api.weekends import DESK, TAGS
from tournaments.boards import Boards
from tournaments.forms.roster import named_person
from tournaments.models import Weekend
from tournaments.selectors.weekends import lookups, people
from tournaments.selectors.weekends.fees import FeeRegister, fee_register
from tournaments.services import weekend_people as services
from tournaments.weekend_roles import WeekendAct

CHOSEN = "Tournaments of the weekend by their ids."


# The register


class WeekendEntrySerializer(serializers.Serializer[Any]):
    """An entry of a person in a tournament of the weekend."""

    id = serializers.IntegerField(source="pk", help_text="By which fees and records name the person.")
    tournament = serializers.CharField(source="tournament_id")
    number = serializers.IntegerField(help_text="Of the entrant in that tournament.")
    checked_in = serializers.BooleanField()
    paid = serializers.BooleanField()
    withdrawn = serializers.BooleanField()
    waiting = serializers.BooleanField(help_text="On the waiting list.")


class WeekendPersonSerializer(serializers.Serializer[Any]):
    """A person of a weekend, a member or a walk-in (`player` null), with their entries."""

    name = serializers.CharField()
    player = serializers.SerializerMethodField()
    entries = serializers.SerializerMethodField()

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_player(self, person: people.Person) -> dict[str, str] | None:
        return serialize_person(person.user)

    @extend_schema_field(WeekendEntrySerializer(many=True))
    def get_entries(self, person: people.Person) -> list[Any]:
        return serialize_many(WeekendEntrySerializer, person.entries.values())


class WeekendPersonBody(PersonBody):
    """A member by name, or a name without an account, and the tournaments to enter them in."""

    tournaments = tournament_ids_field(CHOSEN, min_length=1)


class WeekendCheckInBody(bodies.Body):
    """A person, to check in or out."""

    entry = entry_field()
    tournament = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=16, help_text="null: all that are open."
    )
    here = serializers.BooleanField(required=False, default=True)


class WeekendPaidBody(bodies.Body):
    """A person, and whether they have paid."""

    entry = entry_field()
    tournament = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=16, help_text="null: everything that they owe."
    )
    paid = serializers.BooleanField(required=False, default=True)


class WeekendPeople(ApiView):
    """The register of a weekend, for the directors of its tournaments; and entering a person."""

    access: ClassVar = {"GET": access.member("read"), "POST": DESK}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_serializer(WeekendPersonSerializer),
        operation_id="weekend_people",
        tags=TAGS,
    )
    def get(self, request: Request, weekend_id: str) -> Response:
        """The people of a weekend by name, each with the entries in its tournaments."""
        query = bodies.query_of(bodies.Paged, request)
        weekend = weekend_at_desk(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
        return paginate_list(
            people.register(weekend).people,
            name=f"weekend-people-{weekend_id}",
            query=query,
            serialize=lambda page: serialize_many(WeekendPersonSerializer, page),
        )

    @extend_schema(
        request=WeekendPersonBody,
        responses={201: WeekendPersonSerializer},
        operation_id="weekend_person_add",
        tags=TAGS,
    )
    def post(self, request: Request, weekend_id: str) -> Response:
        """Enter a person in some tournaments of a weekend: in all of them, or in none if one refuses."""
        data = bodies.body_of(WeekendPersonBody, request)
        weekend = weekend_at_desk(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
        person = named_person(data["name"], data["walk_in"])
        services.weekend_person_add(
            weekend_id=weekend_id, user=current_user(request), tournament_ids=data["tournaments"], **person
        )
        found = people.person_of(weekend, **person)
        return Response(WeekendPersonSerializer(found).data, status=201)


class WeekendCheckIn(ApiView):
    """Check a person in, or out, in one tournament of a weekend or in all that are open."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(
        request=WeekendCheckInBody, responses=WeekendPersonSerializer, operation_id="weekend_check_in", tags=TAGS
    )
    def post(self, request: Request, weekend_id: str) -> Response:
        data = bodies.body_of(WeekendCheckInBody, request)
        weekend = weekend_at_desk(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
        services.weekend_check_in(
            weekend_id=weekend_id,
            user=current_user(request),
            entrant_id=data["entry"],
            tournament_id=data["tournament"],
            here=data["here"],
        )
        return Response(WeekendPersonSerializer(people.person_with_entry(weekend, data["entry"])).data)


# Boards


class WeekendBoardsBody(BoardsBody):
    """Rooms and their boards, for some tournaments in place of those before."""

    tournaments = tournament_ids_field(CHOSEN, min_length=1)


class TournamentRoomsSerializer(serializers.Serializer[Any]):
    """The rooms of a tournament and their boards."""

    tournament = serializers.CharField()
    rooms = RoomSerializer(many=True)
    reserved = serializers.ListField(child=serializers.IntegerField())
    streamed = serializers.ListField(child=serializers.IntegerField())
    automatic = serializers.BooleanField(help_text="Whether pairings are called to free boards.")


class BoardInUseSerializer(serializers.Serializer[Any]):
    """A board, and the pairing that is called to it."""

    board = serializers.IntegerField()
    tournament = serializers.CharField(source="tournament_id")
    key = serializers.CharField()


class WeekendBoardsSerializer(serializers.Serializer[Any]):
    """The rooms of each tournament, and the boards in use: a number is one board of the whole weekend."""

    tournaments = TournamentRoomsSerializer(many=True)
    called = BoardInUseSerializer(many=True)


class WeekendBoards(ApiView):
    """The boards that the tournaments of a weekend share, for their directors; and setting them."""

    access: ClassVar = {"GET": access.member("read"), "POST": DESK}

    @extend_schema(responses=WeekendBoardsSerializer, operation_id="weekend_boards", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        """The rooms with their boards by tournament, and which pairing is called to which board."""
        bodies.query_of(bodies.Query, request)
        return Response(_boards(weekend_at_desk(request, weekend_id, WeekendAct.MANAGE_PEOPLE)))

    @extend_schema(
        request=WeekendBoardsBody, responses=WeekendBoardsSerializer, operation_id="weekend_boards_set", tags=TAGS
    )
    def post(self, request: Request, weekend_id: str) -> Response:
        """Set the same rooms and boards for some tournaments: for all of them, or for none if one refuses."""
        data = bodies.body_of(WeekendBoardsBody, request)
        weekend = weekend_at_desk(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
        services.weekend_boards_set(
            weekend_id=weekend_id,
            user=current_user(request),
            tournament_ids=data["tournaments"],
            boards=boards_in(data),
        )
        return Response(_boards(weekend))


def _boards(weekend: Weekend) -> dict[str, Any]:
    tournaments = people.tournaments_of(weekend)
    known = lookups.boards_by_tournament([each.pk for each in tournaments])
    return {
        "tournaments": [{"tournament": each.pk, **known.get(each.pk, Boards()).as_json()} for each in tournaments],
        "called": serialize_many(BoardInUseSerializer, lookups.boards_in_use(weekend)),
    }


# Fees


class WeekendFeeSerializer(serializers.Serializer[Any]):
    """The fee of an entry, in hundredths: who took it and when, or to pay (`at` null)."""

    tournament = serializers.CharField(source="tournament.pk")
    number = serializers.IntegerField(source="entrant.number", help_text="Of the entrant in that tournament.")
    fee = serializers.IntegerField(source="purse.fee", help_text="In hundredths.")
    currency = serializers.CharField(source="purse.currency", allow_blank=True)
    paid = serializers.BooleanField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class PayerSerializer(serializers.Serializer[Any]):
    """A person, or a team, with the fees of all their entries. Sums are formatted text."""

    name = serializers.CharField()
    entry = serializers.IntegerField(source="entrant.pk")
    paid = serializers.CharField(allow_blank=True)
    to_pay = serializers.CharField(allow_blank=True)
    fees = WeekendFeeSerializer(many=True)


class TournamentFeesSerializer(serializers.Serializer[Any]):
    """The fees of one tournament. Sums are formatted text."""

    tournament = serializers.CharField(source="tournament.pk")
    entries = serializers.IntegerField()
    paid = serializers.IntegerField()
    collected = serializers.CharField(allow_blank=True)
    outstanding = serializers.CharField(allow_blank=True)


class FeeRegisterSerializer(serializers.Serializer[Any]):
    """The register of fees, first those who have to pay. Sums are formatted text. The site moves no money."""

    collected = serializers.CharField(allow_blank=True)
    outstanding = serializers.CharField(allow_blank=True)
    owing = serializers.IntegerField(help_text="How many people have to pay.")
    payers = PayerSerializer(many=True)
    tournaments = TournamentFeesSerializer(source="totals", many=True)


def _fees(weekend: Weekend) -> Response:
    found: FeeRegister = fee_register(weekend)
    return Response(FeeRegisterSerializer(found).data)


class WeekendFees(ApiView):
    """What each person has paid and has to pay in a weekend, for the directors of its tournaments."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=FeeRegisterSerializer, operation_id="weekend_fees", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        return _fees(weekend_at_desk(request, weekend_id, WeekendAct.MANAGE_PEOPLE))


class WeekendPaid(ApiView):
    """Record that a person has paid what they owe in a weekend, or in one of its tournaments; or has not."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(request=WeekendPaidBody, responses=FeeRegisterSerializer, operation_id="weekend_paid", tags=TAGS)
    def post(self, request: Request, weekend_id: str) -> Response:
        data = bodies.body_of(WeekendPaidBody, request)
        weekend = weekend_at_desk(request, weekend_id, WeekendAct.MANAGE_PEOPLE)
        services.weekend_fees_paid(
            weekend_id=weekend_id,
            user=current_user(request),
            entrant_id=data["entry"],
            tournament_id=data["tournament"],
            paid=data["paid"],
        )
        return _fees(weekend)
