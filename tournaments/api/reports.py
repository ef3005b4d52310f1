"""Reports for federations: the matches and the master points of a tournament, and of a club's tournaments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.pagination import paginate_list
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, current_user
from accounts.models import FEDERATION_NUMBER, LONGEST_FEDERATION_NUMBER
from games.api.fields import serialize_many
from tournaments import services
from tournaments.api.clubs import directed_club
from tournaments.api.desk_acts import Data, desk_view
from tournaments.api.fields import entrant_field
from tournaments.roles import DeskAct
from tournaments.selectors import federation_report
from tournaments.selectors.federation_report import FederationReport

MEMBER_NUMBER = "In the federation; empty: not known."


class ReportedPlayerSerializer(serializers.Serializer[Any]):
    """A player with their member number."""

    name = serializers.CharField()
    member_number = serializers.CharField(allow_blank=True, help_text=MEMBER_NUMBER)


class ReportedMatchSerializer(serializers.Serializer[Any]):
    """A match that two people played to its end."""

    date = serializers.DateField(source="day", help_text="In the time zone of the tournament.")
    tournament = serializers.CharField(source="tournament.pk")
    event = serializers.CharField(source="tournament.name")
    pairing = serializers.CharField(source="pairing.key")
    section = serializers.CharField(source="pairing.section")
    round = serializers.IntegerField(source="pairing.round")
    variant = serializers.CharField()
    length = serializers.IntegerField()
    player = ReportedPlayerSerializer()
    opponent = ReportedPlayerSerializer()
    points = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="Those of the player, then of the opponent; null: only the winner was entered.",
    )
    winner = serializers.CharField(source="winner.name")
    online = serializers.BooleanField(help_text="Played on this site; else over the board.")


class ReportedPointsSerializer(serializers.Serializer[Any]):
    """The master points of a player in a finished tournament. Points are thousandths, the weight is in percent."""

    date = serializers.DateField(source="day", help_text="When the tournament ended, in its time zone.")
    tournament = serializers.CharField(source="tournament.pk")
    event = serializers.CharField(source="tournament.name")
    player = ReportedPlayerSerializer()
    division = serializers.IntegerField()
    players = serializers.IntegerField(help_text="In the division.")
    rank = serializers.IntegerField(help_text="In the division.")
    sharing = serializers.IntegerField(help_text="How many share the rank.")
    weight = serializers.IntegerField(help_text="Of the event, in percent.")
    for_wins = serializers.IntegerField()
    for_place = serializers.IntegerField()
    total = serializers.IntegerField()


class PeriodQuery(bodies.Paged):
    """The days on which the tournaments ended, in the club's time zone: at most a year."""

    first = serializers.DateField()
    last = serializers.DateField()


SHEETS: dict[str, tuple[type[serializers.Serializer[Any]], Callable[[FederationReport], list[Any]]]] = {
    "matches": (ReportedMatchSerializer, lambda report: report.matches),
    "points": (ReportedPointsSerializer, lambda report: report.points),
}


def _page(report: FederationReport, sheet: str, query: Data, name: str) -> Response:
    serializer, rows = SHEETS[sheet]
    return paginate_list(
        rows(report),
        name=f"report-{sheet}-{name}",
        query=query,
        serialize=lambda page: serialize_many(serializer, page),
    )


def _tournament_sheet(sheet: str, summary: str) -> type[ApiView]:
    class TournamentSheet(ApiView):
        access: ClassVar = {"GET": access.member("read")}

        @extend_schema(
            parameters=[bodies.Paged],
            responses=page_serializer(SHEETS[sheet][0]),
            operation_id=f"desk_report_{sheet}",
            tags=["desk"],
            description=summary,
        )
        def get(self, request: Request, tournament_id: str) -> Response:
            query = bodies.query_of(bodies.Paged, request)
            report = federation_report.tournament_report(tournament_id=tournament_id, user=current_user(request))
            return _page(report, sheet, query, tournament_id)

    TournamentSheet.__doc__ = summary
    return TournamentSheet


def _club_sheet(sheet: str, summary: str) -> type[ApiView]:
    class ClubSheet(ApiView):
        access: ClassVar = {"GET": access.member("read")}

        @extend_schema(
            parameters=[PeriodQuery],
            responses=page_serializer(SHEETS[sheet][0]),
            operation_id=f"club_report_{sheet}",
            tags=["clubs"],
            description=summary,
        )
        def get(self, request: Request, slug: str) -> Response:
            query = bodies.query_of(PeriodQuery, request)
            club, first, last = directed_club(request, slug), query["first"], query["last"]
            report = federation_report.club_report(club=club, user=current_user(request), first=first, last=last)
            return _page(report, sheet, query, f"{club.pk}-{first}-{last}")

    ClubSheet.__doc__ = summary
    return ClubSheet


ReportMatches = _tournament_sheet("matches", "The matches that a federation can rate, with member numbers.")
ReportPoints = _tournament_sheet("points", "The master points of a finished tournament, with member numbers.")
ClubReportMatches = _club_sheet("matches", "The matches of a club's tournaments that ended on these days.")
ClubReportPoints = _club_sheet("points", "The master points of a club's tournaments that ended on these days.")


class MemberNumberBody(bodies.Body):
    """A player, and their member number in the federation; empty: that of their settings."""

    number = entrant_field("A player by number.")
    member_number = serializers.CharField(
        allow_blank=True, max_length=LONGEST_FEDERATION_NUMBER, validators=[FEDERATION_NUMBER]
    )


def _numbers(_tournament_id: str, data: Data) -> Data:
    return {"numbers": {data["number"]: data["member_number"]}}


MemberNumber = desk_view(
    "desk_member_number",
    services.federation_numbers_set,
    "Set a player's member number in a federation, for the report of this tournament.",
    MemberNumberBody,
    _numbers,
    act=DeskAct.REPORT,
)
