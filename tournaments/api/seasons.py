"""Seasons of clubs, master points, and the nights that open themselves."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import rosters
from accounts.api import access, bodies
from accounts.api.bodies import row_number
from accounts.api.errors import Problem
from accounts.api.forms import field_of, filled, valid
from accounts.api.pages import slice_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, must_match, tag_of, tagged, unchanged, viewer, who
from accounts.models import Club
from games.api.common import choice, none_such, shown, whole
from games.registry import RULES
from tournaments.errors import Refused
from tournaments.forms.clubs import RecurrenceForm, usual_night
from tournaments.forms.prizes import SeasonForm
from tournaments.models import Recurrence, Season
from tournaments.rhythm import KINDS, LAST, NTHS
from tournaments.seasons import MOST_PLACES
from tournaments.selectors import clubs
from tournaments.selectors import seasons as selectors
from tournaments.services import nights
from tournaments.services.seasons import MOST_POINTS, season_remove, season_save

_season = partial(field_of, SeasonForm)
_night = partial(field_of, RecurrenceForm)


class SeasonSerializer(serializers.Serializer[Any]):
    """A season of a club: which tournaments count in it, and how."""

    id = serializers.IntegerField(source="pk")
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField()
    first = serializers.DateField()
    last = serializers.DateField()
    rule = choice(Season.Rule)
    points = serializers.ListField(child=serializers.IntegerField(), help_text="For the first, second ... place.")
    presence = serializers.IntegerField(help_text="For all other places.")
    best = serializers.IntegerField(help_text="How many results of each count; 0: all.")
    variants = serializers.ListField(child=serializers.CharField(), help_text="The games that count; none: all.")


class SeasonRowSerializer(serializers.Serializer[Any]):
    """A line of the table of a season. Points are written as people write them."""

    place = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.CharField()
    played = serializers.IntegerField()
    firsts = serializers.IntegerField()
    wins = serializers.IntegerField()


class SeasonTableSerializer(SeasonSerializer):
    """A season with its table as it stands now."""

    tournaments = serializers.IntegerField()
    over = serializers.BooleanField()
    champions = serializers.ListField(child=serializers.CharField())
    table = SeasonRowSerializer(many=True)


class SeasonsQuery(bodies.Paged):
    """Of which club."""

    club = serializers.SlugField(required=False, max_length=50, help_text="Those of this club, by its slug.")


class SeasonFacts(bodies.Body):
    """What is to be another way about a season; the rest stays."""

    name = _season("name")
    first = _season("first")
    last = _season("last")
    rule = _season("rule")
    points = serializers.ListField(
        child=whole("Points.", most=MOST_POINTS),
        max_length=MOST_PLACES,
        required=False,
        help_text="For the first, second ... place.",
    )
    presence = _season("presence")
    best = _season("best")
    variants = serializers.ListField(
        child=choice(RULES), max_length=len(RULES), required=False, help_text="The games that count; none: all."
    )


class SeasonBody(SeasonFacts):
    """A season of a club, to be begun."""

    club = serializers.SlugField(max_length=50, help_text="Its slug.")
    name = _season("name", required=True)
    first = _season("first", required=True)
    last = _season("last", required=True)


def _saved(request: Request, club: Club, said: dict[str, Any], season: Season | None = None) -> Season:
    """A season as the form takes it and the service keeps it. Raises Refused as `season_save`, Problem ``unfit``."""
    form = valid(SeasonForm(filled(SeasonForm(season=season), said), season=season))
    return season_save(user=who(request), club=club, season_id=season.pk if season else None, **form.facts())


class Seasons(ApiView):
    """All seasons, by club, the last first; and beginning one."""

    access: ClassVar = {"GET": access.public(), "POST": access.member("club")}

    @extend_schema(
        parameters=[SeasonsQuery], responses=page_answer(SeasonSerializer), operation_id="seasons", tags=["seasons"]
    )
    def get(self, request: Request) -> Response:
        """All seasons, by club, the last first."""
        said = bodies.query_of(SeasonsQuery, request)
        slug = said.get("club", "")
        found = list(selectors.seasons_listed(slug))
        return slice_of(found, name=f"seasons-{slug}", asked=said, told=lambda some: shown(SeasonSerializer, some))

    @extend_schema(
        request=SeasonBody,
        responses={201: SeasonSerializer, **none_such()},
        operation_id="season_make",
        tags=["seasons"],
    )
    def post(self, request: Request) -> Response:
        """Begin a season of a club that one directs."""
        said = bodies.body_of(SeasonBody, request)
        club = directed(request, said.pop("club"))
        return Response(SeasonSerializer(_saved(request, club, said)).data, status=201)


class SeasonOne(ApiView):
    """A season with its table. With `If-Match` nothing is changed or taken away that is no longer as it was seen."""

    access: ClassVar = {
        "GET": access.public(),
        "PATCH": access.member("club"),
        "DELETE": access.member("club"),
    }

    @extend_schema(request=SeasonFacts, responses=SeasonSerializer, operation_id="season_change", tags=["seasons"])
    def patch(self, request: Request, season_id: int) -> Response:
        """Another name, other days, another rule: the table counts anew. What is not named stays."""
        said = bodies.body_of(SeasonFacts, request)
        with transaction.atomic():
            found = _seen(request, season_id)
            saved = _saved(request, found.club, said, found)
        return tagged(SeasonSerializer(saved).data, _whole(saved)[1])

    @extend_schema(responses={204: None}, operation_id="season_remove", tags=["seasons"])
    def delete(self, request: Request, season_id: int) -> Response:
        """Take a season away; what was played stays."""
        with transaction.atomic():
            found = _seen(request, season_id)
            season_remove(user=who(request), club=found.club, season_id=found.pk)
        return Response(status=204)

    @extend_schema(responses=SeasonTableSerializer, operation_id="season", tags=["seasons"])
    def get(self, request: Request, season_id: int) -> Response:
        """A season with its table."""
        bodies.query_of(bodies.Query, request)
        told, tag = _whole(selectors.season_named(row_number(season_id)))
        return unchanged(request, tag) or tagged(told, tag)


def _whole(season: Season) -> tuple[dict[str, Any], str]:
    """A season with its table, and the tag of both."""
    table = selectors.table(season)
    told = {
        **SeasonSerializer(table.season).data,
        "tournaments": table.tournaments,
        "over": table.over,
        "champions": table.champions,
        "table": shown(SeasonRowSerializer, table.rows),
    }
    return told, tag_of("season", get_language(), told)


def _seen(request: Request, season_id: int) -> Season:
    """A season as nobody else changes it meanwhile. Raises NotFound, Refused("not_club_director"), Problem 412."""
    club = directed(request, selectors.season_named(row_number(season_id)).club.slug)
    Club.objects.select_for_update().get(pk=club.pk)
    found = selectors.season_named(season_id)
    must_match(request, _whole(found)[1])
    return found


class MasterRowSerializer(serializers.Serializer[Any]):
    """Who has master points of a club, written as people write them."""

    place = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.CharField()
    played = serializers.IntegerField()
    wins = serializers.IntegerField()


class MasterPoints(ApiView):
    """The table of the master points of a club, most first."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_answer(MasterRowSerializer),
        operation_id="master_points",
        tags=["seasons"],
    )
    def get(self, request: Request, slug: str) -> Response:
        said = bodies.query_of(bodies.Paged, request)
        club = Club.objects.filter(slug=slug).first()
        if club is None:
            raise Problem("nothing_here", status=404)
        found = selectors.master_points(club)
        return slice_of(found, name=f"master-{slug}", asked=said, told=lambda some: shown(MasterRowSerializer, some))


# Nights


class NightSerializer(serializers.Serializer[Any]):
    """A night that repeats: its template, its rhythm in words, its next dates, and those that are left out."""

    id = serializers.IntegerField(source="recurrence.pk")
    name = serializers.CharField(source="recurrence.name", help_text="{date} and {number} are filled in.")
    template = serializers.CharField(source="recurrence.template.name")
    status = choice(Recurrence.Status, source="recurrence.status")
    rhythm = serializers.CharField()
    hour = serializers.SerializerMethodField(help_text="Where the club meets: `20:00`.")
    opens_days = serializers.IntegerField(source="recurrence.opens_days")
    ahead = serializers.SerializerMethodField()
    skipped = serializers.ListField(child=serializers.DateField())
    tournaments = serializers.SerializerMethodField(help_text="The last ones that it opened.")

    @extend_schema_field(serializers.ListField(child=serializers.DateField()))
    def get_ahead(self, one: Any) -> list[str]:
        return [day.isoformat() for day, _words in one.ahead]

    def get_tournaments(self, one: Any) -> list[str]:
        return [night.tournament_id for night in one.made]

    def get_hour(self, night: Any) -> str:
        return f"{night.recurrence.hour:%H:%M}"


class NightFacts(bodies.Body):
    """A night that opens itself from a template, on which days and how long before. Without more it is weekly, on this
    weekday, at 20:00, from today on.
    """

    template = whole("The number of a template of the club.", least=1, most=2**53, required=True)
    name = _night("name")
    kind = _night("kind", choices=KINDS)
    weekdays = serializers.ListField(
        child=whole("0 is Monday.", most=6), min_length=1, max_length=7, required=False, help_text="0 is Monday."
    )
    every = _night("every")
    nth = whole("Of a monthly one: which of the month; -1: the last.", least=LAST, most=max(NTHS))
    hour = serializers.RegexField(
        r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z", required=False, help_text="Where the club meets: `20:00`."
    )
    opens_days = _night("opens_days")
    first = _night("first")
    until = _night("until", allow_null=True)


class NightBody(bodies.Body):
    """Pause, resume or stop a night that repeats; skip a date of it, or restore that."""

    action = choice(("pause", "resume", "stop", "skip", "restore"))
    date = serializers.DateField(required=False, help_text="For `skip` and `restore`.")


class Nights(ApiView):
    """The nights of a club that open themselves, for who directs it; and a new one."""

    access: ClassVar = {"GET": access.member("read"), "POST": access.member("club")}

    @extend_schema(responses=NightSerializer(many=True), operation_id="nights", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """The nights of a club that open themselves, for who directs it."""
        bodies.query_of(bodies.Query, request)
        return Response(_nights(directed(request, slug)))

    @extend_schema(
        request=NightFacts, responses={201: NightSerializer(many=True)}, operation_id="night_make", tags=["clubs"]
    )
    def post(self, request: Request, slug: str) -> Response:
        """From now on open an evening from a template on each of its days; answered with all nights of the club."""
        said = bodies.body_of(NightFacts, request)
        club = directed(request, slug)
        template = club.night_templates.filter(pk=said.pop("template")).first()
        if template is None:
            raise Refused("no_template")
        usual = RecurrenceForm(initial=usual_night(template))
        form = valid(RecurrenceForm(filled(usual, said)))
        nights.recurrence_make(template_id=template.pk, club=club, by=who(request), **form.facts())
        return Response(_nights(club), status=201)


class NightAct(ApiView):
    """Pause, resume or stop a night that repeats; skip a date, or take that back."""

    access: ClassVar = {"POST": access.member("club")}

    @extend_schema(request=NightBody, responses=NightSerializer(many=True), operation_id="night_act", tags=["clubs"])
    def post(self, request: Request, slug: str, recurrence_id: int) -> Response:
        said = bodies.body_of(NightBody, request)
        club = directed(request, slug)
        facts: dict[str, Any] = {"recurrence_id": row_number(recurrence_id), "club": club, "by": who(request)}
        action, day = said["action"], said.get("date")
        if action in ("skip", "restore"):
            _date(action, day, facts)
        else:
            {"pause": nights.recurrence_pause, "resume": nights.recurrence_resume, "stop": nights.recurrence_stop}[
                action
            ](**facts)
        return Response(_nights(club))


def _date(action: str, day: date | None, facts: dict[str, Any]) -> None:
    """Raises Refused("night_no_date")."""
    if day is None:
        raise Refused("night_no_date")
    service = nights.night_skip if action == "skip" else nights.night_restore
    service(**facts, day=day)


def _nights(club: Club) -> list[Any]:
    found = [one for template in clubs.templates(club) for one in template.repeated]
    return shown(NightSerializer, found)


def directed(request: Request, slug: str) -> Club:
    """A club that the viewer directs. Raises Problem, Refused("not_club_director")."""
    visit = rosters.visit(slug=slug, user=viewer(request))
    if visit is None:
        raise Problem("nothing_here", status=404)
    if not visit.directs:
        raise Refused("not_club_director")
    return visit.club
