"""Seasons of clubs, and master points."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.errors import Problem
from accounts.api.forms import form_data, serializer_field, validated_form
from accounts.api.pagination import paginate_list
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, check_if_match, current_user, etag_for, not_modified, with_etag
from accounts.models import Club
from games.api.fields import choice, integer, not_found_response, serialize_many
from games.registry import RULES
from tournaments.api.clubs import directed_club
from tournaments.forms.seasons import SeasonForm
from tournaments.models import Season
from tournaments.seasons import MOST_PLACES
from tournaments.selectors import seasons as selectors
from tournaments.services.seasons import MOST_POINTS, season_remove, season_save

_season = partial(serializer_field, SeasonForm)


class SeasonSerializer(serializers.Serializer[Any]):
    """A season of a club: which tournaments count, and how."""

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
    """A row of the table of a season. Points are formatted text."""

    place = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.CharField()
    played = serializers.IntegerField()
    firsts = serializers.IntegerField()
    wins = serializers.IntegerField()


class SeasonTableSerializer(SeasonSerializer):
    """A season with its current table."""

    tournaments = serializers.IntegerField()
    over = serializers.BooleanField()
    champions = serializers.ListField(child=serializers.CharField())
    table = SeasonRowSerializer(many=True)


class SeasonsQuery(bodies.Paged):
    """Filters of the list of seasons."""

    club = serializers.SlugField(required=False, max_length=50, help_text="Those of this club, by its slug.")


class SeasonSettingsBody(bodies.Body):
    """Changes of a season; what is left out stays."""

    name = _season("name")
    first = _season("first")
    last = _season("last")
    rule = _season("rule")
    points = serializers.ListField(
        child=integer("Points.", most=MOST_POINTS),
        max_length=MOST_PLACES,
        required=False,
        help_text="For the first, second ... place.",
    )
    presence = _season("presence")
    best = _season("best")
    variants = serializers.ListField(
        child=choice(RULES), max_length=len(RULES), required=False, help_text="The games that count; none: all."
    )


class SeasonBody(SeasonSettingsBody):
    """A season to create."""

    club = serializers.SlugField(max_length=50, help_text="Its slug.")
    name = _season("name", required=True)
    first = _season("first", required=True)
    last = _season("last", required=True)


def _save_season(request: Request, club: Club, data: dict[str, Any], season: Season | None = None) -> Season:
    """Validate a season with the form, and save it. Raises Refused as `season_save`, Problem ``unfit``."""
    form = validated_form(SeasonForm(form_data(SeasonForm(season=season), data), season=season))
    return season_save(user=current_user(request), club=club, season_id=season.pk if season else None, **form.kwargs())


class Seasons(ApiView):
    """All seasons by club, the last first; and creating one."""

    access: ClassVar = {"GET": access.public(), "POST": access.member("club")}

    @extend_schema(
        parameters=[SeasonsQuery], responses=page_serializer(SeasonSerializer), operation_id="seasons", tags=["seasons"]
    )
    def get(self, request: Request) -> Response:
        """All seasons by club, the last first."""
        query = bodies.query_of(SeasonsQuery, request)
        slug = query.get("club", "")
        found = list(selectors.seasons_of(slug))
        return paginate_list(
            found, name=f"seasons-{slug}", query=query, serialize=lambda page: serialize_many(SeasonSerializer, page)
        )

    @extend_schema(
        request=SeasonBody,
        responses={201: SeasonSerializer, **not_found_response()},
        operation_id="season_make",
        tags=["seasons"],
    )
    def post(self, request: Request) -> Response:
        """Create a season of a club that one directs."""
        data = bodies.body_of(SeasonBody, request)
        club = directed_club(request, data.pop("club"))
        return Response(SeasonSerializer(_save_season(request, club, data)).data, status=201)


class SeasonDetail(ApiView):
    """A season with its table. With `If-Match` one that has changed since is neither changed nor deleted."""

    access: ClassVar = {
        "GET": access.public(),
        "PATCH": access.member("club"),
        "DELETE": access.member("club"),
    }

    @extend_schema(
        request=SeasonSettingsBody, responses=SeasonSerializer, operation_id="season_change", tags=["seasons"]
    )
    def patch(self, request: Request, season_id: int) -> Response:
        """Change a season; its table is computed again. What is left out stays."""
        data = bodies.body_of(SeasonSettingsBody, request)
        with transaction.atomic():
            found = _locked_season(request, season_id)
            saved = _save_season(request, found.club, data, found)
        return with_etag(SeasonSerializer(saved).data, _season_with_etag(saved)[1])

    @extend_schema(responses={204: None}, operation_id="season_remove", tags=["seasons"])
    def delete(self, request: Request, season_id: int) -> Response:
        """Delete a season; tournaments and matches stay."""
        with transaction.atomic():
            found = _locked_season(request, season_id)
            season_remove(user=current_user(request), club=found.club, season_id=found.pk)
        return Response(status=204)

    @extend_schema(responses=SeasonTableSerializer, operation_id="season", tags=["seasons"])
    def get(self, request: Request, season_id: int) -> Response:
        """A season with its table."""
        bodies.query_of(bodies.Query, request)
        body, tag = _season_with_etag(selectors.season_or_not_found(valid_pk(season_id)))
        return not_modified(request, tag) or with_etag(body, tag)


def _season_with_etag(season: Season) -> tuple[dict[str, Any], str]:
    """A season with its table, and their entity tag."""
    table = selectors.season_table(season)
    body = {
        **SeasonSerializer(table.season).data,
        "tournaments": table.tournaments,
        "over": table.over,
        "champions": table.champions,
        "table": serialize_many(SeasonRowSerializer, table.rows),
    }
    return body, etag_for("season", get_language(), body)


def _locked_season(request: Request, season_id: int) -> Season:
    """A season, locked against other changes. Raises NotFound, Refused("not_club_director"), Problem 412."""
    club = directed_club(request, selectors.season_or_not_found(valid_pk(season_id)).club.slug)
    Club.objects.select_for_update().get(pk=club.pk)
    found = selectors.season_or_not_found(season_id)
    check_if_match(request, _season_with_etag(found)[1])
    return found


class MasterRowSerializer(serializers.Serializer[Any]):
    """A row of the table of master points, which are formatted text."""

    place = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.CharField()
    played = serializers.IntegerField()
    wins = serializers.IntegerField()


class MasterPoints(ApiView):
    """The table of a club's master points, most first."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_serializer(MasterRowSerializer),
        operation_id="master_points",
        tags=["seasons"],
    )
    def get(self, request: Request, slug: str) -> Response:
        query = bodies.query_of(bodies.Paged, request)
        club = Club.objects.filter(slug=slug).first()
        if club is None:
            raise Problem("nothing_here", status=404)
        found = selectors.master_points_table(club)
        return paginate_list(
            found, name=f"master-{slug}", query=query, serialize=lambda page: serialize_many(MasterRowSerializer, page)
        )


# Recurring events
