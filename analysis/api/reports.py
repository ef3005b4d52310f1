"""Reports and error rates."""

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
from accounts.api.views import ApiView, current_user, viewer
from analysis import services
from analysis.engine import DEPTHS
from analysis.errors import Refused
from analysis.models import Report
from analysis.selectors import error_rates, reports
from games.api.fields import choice, optional_choice, serialize_many
from games.api.position_serializers import SIDES, side
from games.models import Match
from games.selectors.matches import visible_match
from games.selectors.players import player_named

KINDS = ("play", "double", "take")
GRADE_WORDS = ("doubtful", "error", "blunder")


class RateSerializer(serializers.Serializer[Any]):
    """Decisions that count, those that were obvious, what all of them gave away, and the PR of them."""

    decisions = serializers.IntegerField()
    obvious = serializers.IntegerField()
    lost = serializers.FloatField()
    pr = serializers.FloatField(allow_null=True)


class PhasesSerializer(serializers.DictField):
    """The same by phase of the game."""

    child = RateSerializer()


class GradesSerializer(serializers.Serializer[Any]):
    """How many of each grade."""

    doubtful = serializers.IntegerField()
    error = serializers.IntegerField()
    blunder = serializers.IntegerField()


class LuckSerializer(serializers.Serializer[Any]):
    """What the dice gave: in points, and in chances to win the match (null where none is won)."""

    rolls = serializers.IntegerField()
    equity = serializers.FloatField()
    mwc = serializers.FloatField(allow_null=True)


class SumsSerializer(serializers.Serializer[Any]):
    """What a report says of one side. `adjusted`: the result without luck, 0 to 1."""

    plays = RateSerializer()
    cube = RateSerializer()
    all = RateSerializer()
    phases = PhasesSerializer()
    grades = GradesSerializer()
    luck = LuckSerializer()
    adjusted = serializers.FloatField(allow_null=True)


class CardSidesSerializer(serializers.Serializer[Any]):
    white = SumsSerializer()
    black = SumsSerializer()


class ReportCardSerializer(serializers.Serializer[Any]):
    """A report that is ready; its decisions are a list of their own."""

    depth = choice(DEPTHS)
    engine = serializers.CharField()
    made_at = serializers.DateTimeField()
    sides = CardSidesSerializer()


class ReportProgressSerializer(serializers.Serializer[Any]):
    """A report that is being made: its place in the queue (0: in the making), and how far it is."""

    depth = choice(DEPTHS)
    status = choice(Report.Status)
    place = serializers.IntegerField()
    percent = serializers.IntegerField()


class RefusedSerializer(serializers.Serializer[Any]):
    """Why no more can be asked for."""

    code = serializers.CharField()
    text = serializers.CharField()


class ReportSerializer(serializers.Serializer[Any]):
    """The reports of a match: the deepest that is ready, the one under way, and what can be asked for still."""

    ready = ReportCardSerializer(allow_null=True)
    coming = ReportProgressSerializer(allow_null=True)
    failed = serializers.BooleanField()
    refusal = RefusedSerializer(allow_null=True)
    depths = serializers.ListField(child=serializers.CharField())


class DepthBody(bodies.Body):
    """How deep to look."""

    depth = choice(DEPTHS, required=False, default="quick")


class ReportDetail(ApiView):
    """The report of a finished match that one may see: one's own, or of players who show theirs."""

    access: ClassVar = {"GET": access.public(), "POST": access.player("analysis", "analysis")}

    @extend_schema(responses=ReportSerializer, operation_id="report", tags=["analysis"])
    def get(self, request: Request, match_id: str) -> Response:
        """The report of a finished match, or how far it is."""
        bodies.query_of(bodies.Query, request)
        return Response(_report(reports.analysable_match(match_id=match_id, user=viewer(request)), request))

    @extend_schema(request=DepthBody, responses={202: ReportSerializer}, operation_id="report_ask", tags=["analysis"])
    def post(self, request: Request, match_id: str) -> Response:
        """Ask for a report; a worker makes it."""
        depth = bodies.body_of(DepthBody, request)["depth"]
        visible_match(match_id=match_id, user=current_user(request))
        services.report_ask(match_id=match_id, user=current_user(request), depth=depth)
        return Response(
            _report(reports.analysable_match(match_id=match_id, user=current_user(request)), request), status=202
        )


def _report(match: Match, request: Request) -> dict[str, Any]:
    cards = reports.report_status(match, viewer(request))
    ready, coming = cards.ready, cards.coming
    card = None
    if ready is not None:
        card = ReportCardSerializer({**serialize_report(ready), "sides": ready.data["sides"]}).data
    progress = (
        {"depth": coming.depth, "status": coming.status, "percent": coming.percent} if coming is not None else None
    )
    return {
        "ready": card,
        "coming": {**progress, "place": cards.place} if progress is not None else None,
        "failed": cards.failed,
        "refusal": {"code": cards.refusal, "text": Refused(cards.refusal).text} if cards.refusal else None,
        "depths": list(cards.depths),
    }


def serialize_report(report: Report) -> dict[str, Any]:
    return {"depth": report.depth, "engine": report.engine, "made_at": report.made_at}


class PlaySerializer(serializers.Serializer[Any]):
    """A play, what it is worth and what it gives away. `chances` are those of the engine."""

    play = serializers.CharField()
    equity = serializers.FloatField()
    loss = serializers.FloatField()
    plies = serializers.IntegerField()
    chances = serializers.ListField(child=serializers.FloatField())


class CubeWorthSerializer(serializers.Serializer[Any]):
    """What each way of the cube is worth to the side that may double."""

    hold = serializers.FloatField()
    taken = serializers.FloatField()
    dropped = serializers.FloatField()
    answer = serializers.CharField()
    chances = serializers.ListField(child=serializers.FloatField())


class DecisionSerializer(serializers.Serializer[Any]):
    """A decision of a match: what was played, what was best, and what that gave away."""

    n = serializers.IntegerField(help_text="The number of its action.")
    game = serializers.IntegerField()
    side = side()
    kind = choice(KINDS)
    phase = serializers.CharField()
    xgid = serializers.CharField(allow_blank=True)
    dice = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    played = serializers.CharField()
    best = serializers.CharField()
    obvious = serializers.BooleanField()
    loss = serializers.FloatField()
    grade = serializers.CharField(allow_blank=True)
    equity = serializers.FloatField()
    mwc = serializers.FloatField(allow_null=True, help_text="White's chance to win the match after it.")
    plays = PlaySerializer(many=True, required=False)
    cube = CubeWorthSerializer(required=False)


class DecisionsQuery(bodies.Paged):
    """Which decisions."""

    side = optional_choice([word for word, _name in SIDES], "Of this side.")
    grade = optional_choice(GRADE_WORDS, "Of this grade.")


class Decisions(ApiView):
    """The decisions of a match with its report, in the order of play."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[DecisionsQuery],
        responses=page_serializer(DecisionSerializer),
        operation_id="report_decisions",
        tags=["analysis"],
    )
    def get(self, request: Request, match_id: str) -> Response:
        query = bodies.query_of(DecisionsQuery, request)
        match = reports.analysable_match(match_id=match_id, user=viewer(request))
        ready = reports.report_status(match, viewer(request)).ready
        wanted = {name: query[name] for name in ("side", "grade") if name in query}
        found = [
            {**each, "game": game["number"]}
            for game in (ready.data["games"] if ready is not None else ())
            for each in game["decisions"]
            if all(each[name] == value for name, value in wanted.items())
        ]
        name = f"decisions-{match_id}-{ready.pk if ready else ''}-{wanted}"
        return paginate_list(
            found, name=name, query=query, serialize=lambda page: serialize_many(DecisionSerializer, page)
        )


# Error rates


class PartSerializer(serializers.Serializer[Any]):
    """A part of a player's decisions, by phase or kind."""

    name = serializers.CharField()
    decisions = serializers.IntegerField()
    lost = serializers.FloatField()
    pr = serializers.FloatField(allow_null=True)


class KnownRateSerializer(serializers.Serializer[Any]):
    """A PR and the interval in which it is known."""

    matches = serializers.IntegerField()
    decisions = serializers.IntegerField()
    rate = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class MatchRateSerializer(serializers.Serializer[Any]):
    """The error rate in one match, and over the last matches up to it."""

    match = serializers.CharField(source="match.pk")
    rival = serializers.SerializerMethodField()
    ended_at = serializers.DateTimeField()
    decisions = serializers.IntegerField(source="sums.decisions")
    pr = serializers.FloatField(source="sums.rate", allow_null=True)
    rolling = serializers.FloatField()

    def get_rival(self, row: Any) -> str:
        return row.opponent.name if row.opponent is not None else ""


class ErrorKindSerializer(serializers.Serializer[Any]):
    """How many errors of a kind, what they gave away, and which share that is of all errors."""

    kind = serializers.CharField()
    count = serializers.IntegerField()
    lost = serializers.FloatField()
    share = serializers.FloatField()


class ErrorsSerializer(serializers.Serializer[Any]):
    """A player's error rates over at most the last 300 matches, the latest last."""

    matches = MatchRateSerializer(source="rows", many=True)
    total = serializers.SerializerMethodField()
    parts = serializers.SerializerMethodField()
    rate = KnownRateSerializer(allow_null=True, help_text="Of the last 180 days; null of too few decisions.")
    kinds = ErrorKindSerializer(many=True)

    @extend_schema_field(PartSerializer)
    def get_total(self, errors: Any) -> dict[str, Any]:
        return _part("all", errors.total)

    @extend_schema_field(PartSerializer(many=True))
    def get_parts(self, errors: Any) -> list[dict[str, Any]]:
        return [_part(name, sums) for name, sums in errors.parts.items()]


def _part(name: str, sums: Any) -> dict[str, Any]:
    return {"name": name, "decisions": sums.decisions, "lost": sums.lost, "pr": sums.rate}


class PlayerErrors(ApiView):
    """A player's error rates: one's own, or of one who shows them."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=ErrorsSerializer, operation_id="player_errors", tags=["analysis"])
    def get(self, request: Request, name: str) -> Response:
        bodies.query_of(bodies.Query, request)
        found = player_named(name)
        if viewer(request) != found and not error_rates.shows_error_rates(found):
            raise Refused("errors_hidden")
        return Response(ErrorsSerializer(error_rates.player_errors(found)).data)


class ErrorRungSerializer(serializers.Serializer[Any]):
    """A place; `level`: the interval meets that of the place above."""

    place = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    rate = KnownRateSerializer()
    level = serializers.BooleanField()

    @extend_schema_field(PersonSerializer)
    def get_player(self, ranked: Any) -> dict[str, str] | None:
        return serialize_person(ranked.player)


class ErrorRates(ApiView):
    """Members who show their error rates, lowest first."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_serializer(ErrorRungSerializer),
        operation_id="error_rates",
        tags=["analysis"],
    )
    def get(self, request: Request) -> Response:
        query = bodies.query_of(bodies.Paged, request)
        return paginate_list(
            error_rates.ranked_players(),
            name="error-rates",
            query=query,
            serialize=lambda page: serialize_many(ErrorRungSerializer, page),
        )


class AnalysisPreferencesSerializer(serializers.Serializer[Any]):
    """Analysis preferences: analyse every match, and show one's error rates to everybody."""

    always = serializers.BooleanField()
    public = serializers.BooleanField()


class AnalysisPreferencesBody(bodies.Body):
    """Analysis preferences; fields that are left out stay."""

    always = serializers.BooleanField(required=False)
    public = serializers.BooleanField(required=False)


class AnalysisPreferencesView(ApiView):
    """What one wants of the analysis."""

    access: ClassVar = {"GET": access.player("read"), "PATCH": access.player("settings")}

    @extend_schema(responses=AnalysisPreferencesSerializer, operation_id="analysis_wishes", tags=["me"])
    def get(self, request: Request) -> Response:
        """What I want of the analysis."""
        bodies.query_of(bodies.Query, request)
        return Response(reports.preferences_of(current_user(request)))

    @extend_schema(
        request=AnalysisPreferencesBody,
        responses=AnalysisPreferencesSerializer,
        operation_id="analysis_wishes_change",
        tags=["me"],
    )
    def patch(self, request: Request) -> Response:
        """Change what I want of the analysis."""
        stored = reports.preferences_of(current_user(request)) or {}
        wanted = {**stored, **bodies.body_of(AnalysisPreferencesBody, request)}
        services.preferences_save(user=current_user(request), **wanted)
        return Response(wanted)
