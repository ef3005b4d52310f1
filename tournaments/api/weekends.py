"""Weekends: the list of a club, one weekend as players see it, its desk, and what organizers do about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import Problem
from accounts.api.forms import form_data, read_serializer, serializer_field, validated_form
from accounts.api.pagination import paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.views import (
    ApiView,
    check_if_match,
    current_user,
    etag_for,
    not_modified,
    viewer,
    with_etag,
)
from accounts.clubs import selectors as club_selectors
from accounts.models import Club
from games.api.fields import choice, serialize_many
from tournaments.api.weekend_fields import TournamentNameSerializer, tournament_ids_field, weekend_at_desk
from tournaments.forms.weekends import WeekendForm
from tournaments.models import Tournament, Weekend
from tournaments.selectors.weekends import desk, lookups
from tournaments.selectors.weekends import page as pages
from tournaments.services import weekends as services
from tournaments.weekend_roles import WeekendAct

DESK = access.member("desk")
TAGS: Any = ["weekends"]
_field = partial(serializer_field, WeekendForm)


class WeekendSerializer(serializers.Serializer[Any]):
    """A weekend of a club: where and when it is, in the time zone of the club."""

    id = serializers.CharField(source="pk")
    club = serializers.CharField(source="club.slug")
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    first = serializers.DateField()
    last = serializers.DateField()
    published = serializers.BooleanField(help_text="Whether everybody sees it, or only its officials.")
    page = serializers.SerializerMethodField()
    calendar = serializers.SerializerMethodField(help_text="Its schedule as a calendar feed (.ics).")

    def get_page(self, weekend: Weekend) -> str:
        return reverse("weekend", args=[weekend.pk])

    def get_calendar(self, weekend: Weekend) -> str:
        return reverse("weekend-calendar", args=[weekend.pk])


class WeekendTournamentSerializer(serializers.Serializer[Any]):
    """A tournament of a weekend, with its winners once it is over."""

    id = serializers.CharField(source="tournament.pk")
    name = serializers.CharField(source="tournament.name")
    phase = choice(Tournament.Phase, source="tournament.phase")
    format = serializers.CharField(source="row.format", help_text="In words.")
    variant = serializers.CharField(source="row.terms.variant")
    players = serializers.IntegerField(source="row.players")
    capacity = serializers.IntegerField(source="tournament.capacity", allow_null=True)
    places_free = serializers.IntegerField(
        allow_null=True, help_text="null: there is no limit, or registration is over."
    )
    entered = serializers.BooleanField(source="row.entered", help_text="Whether the viewer has entered.")
    starts_at = serializers.DateTimeField(source="tournament.starts_at", allow_null=True)
    rooms = serializers.CharField(allow_blank=True, help_text="In words.")
    winners = serializers.ListField(child=serializers.CharField())


class ScheduleEntrySerializer(serializers.Serializer[Any]):
    """What begins at a time: a tournament, or a round of it."""

    at = serializers.DateTimeField()
    tournament = serializers.CharField(source="row.tournament.pk")
    what = serializers.CharField(help_text="In words.")
    rooms = serializers.CharField(allow_blank=True, help_text="In words.")


class OwnMatchSerializer(serializers.Serializer[Any]):
    """A match that the viewer has to play now; without a board its players are not called yet."""

    tournament = serializers.CharField(source="tournament.pk")
    opponent = serializers.CharField()
    board = serializers.IntegerField(allow_null=True)
    room = serializers.CharField(allow_blank=True)
    match = serializers.CharField(source="match_id", allow_blank=True, help_text="Of a match on this site.")


class WeekendResultSerializer(serializers.Serializer[Any]):
    """A result; `score` is empty where only the winner was entered."""

    tournament = serializers.CharField(source="tournament.pk")
    winner = serializers.CharField()
    loser = serializers.CharField()
    score = serializers.CharField(allow_blank=True)


class WeekendDetailSerializer(WeekendSerializer):
    """A weekend as this viewer sees it; prizes are a resource of their own."""

    about = serializers.CharField(allow_blank=True)
    timezone = serializers.CharField(source="club.timezone")
    may = serializers.ListField(child=choice(tuple(WeekendAct)), help_text="What the viewer may do at its desk.")
    tournaments = WeekendTournamentSerializer(many=True)
    schedule = ScheduleEntrySerializer(many=True)
    matches = OwnMatchSerializer(many=True)
    results = WeekendResultSerializer(many=True, help_text="The last ones, the newest first.")


class WantedSerializer(serializers.Serializer[Any]):
    """A tournament in which a person has a match to play now, and the board to which they are called, or null."""

    tournament = serializers.CharField(source="tournament.pk")
    board = serializers.IntegerField(allow_null=True)


class ConflictSerializer(serializers.Serializer[Any]):
    """A person who has a match to play in several tournaments now."""

    name = serializers.CharField()
    wanted = WantedSerializer(many=True)


class SlotSerializer(serializers.Serializer[Any]):
    """A tournament that plays from a moment on."""

    tournament = serializers.CharField(source="tournament.pk")
    begins = serializers.DateTimeField()
    ends = serializers.DateTimeField()


class ClashSerializer(serializers.Serializer[Any]):
    """Two tournaments that will play at the same time, and the people who are in both."""

    first = SlotSerializer()
    second = SlotSerializer()
    names = serializers.ListField(child=serializers.CharField())


class WeekendDeskSerializer(serializers.Serializer[Any]):
    """The desk of a weekend: its conflicts, and what the viewer may do there."""

    may = serializers.SerializerMethodField()
    tournaments = serializers.SerializerMethodField()
    conflicts = ConflictSerializer(many=True)
    clashes = ClashSerializer(many=True)

    @extend_schema_field(serializers.ListField(child=choice(tuple(WeekendAct))))
    def get_may(self, view: desk.WeekendDesk) -> list[str]:
        return sorted(view.may)

    @extend_schema_field(TournamentNameSerializer(many=True))
    def get_tournaments(self, view: desk.WeekendDesk) -> list[Any]:
        return serialize_many(TournamentNameSerializer, [row.tournament for row in view.tournaments])


class WeekendsQuery(bodies.Paged):
    """Which weekends of the club."""

    past = serializers.BooleanField(required=False, help_text="Those that are over; else those that are not.")


class WeekendSettingsBody(bodies.Body):
    """Changes of a weekend; what is left out stays."""

    name = _field("name")
    first = _field("first")
    last = _field("last")
    place = _field("place")
    about = _field("about")


class WeekendBody(WeekendSettingsBody):
    """A weekend to create, which is not published yet."""

    name = _field("name", required=True)
    first = _field("first", required=True)
    last = _field("last", required=True)


WeekendSettingsSerializer = read_serializer(
    "WeekendSettingsSerializer", WeekendSettingsBody, "The name, place and days of a weekend."
)


class WeekendPublishBody(bodies.Body):
    """Whether everybody sees the weekend, or only its officials."""

    published = serializers.BooleanField(required=False, default=True)


class WeekendTournamentsBody(bodies.Body):
    """The tournaments of a weekend, in place of those before."""

    tournaments = tournament_ids_field("Tournaments of the club by their ids; each in one weekend at most.")


class OfferedTournamentSerializer(TournamentNameSerializer):
    """A tournament that the weekend may have, and whether it is part of it."""

    chosen = serializers.BooleanField()


class ClubWeekends(ApiView):
    """The weekends of a club that the viewer may see; and creating one."""

    access: ClassVar = {"GET": access.public(), "POST": DESK}

    @extend_schema(
        parameters=[WeekendsQuery], responses=page_serializer(WeekendSerializer), operation_id="weekends", tags=TAGS
    )
    def get(self, request: Request, slug: str) -> Response:
        """The weekends of a club that the viewer may see, in the order of their days."""
        query = bodies.query_of(WeekendsQuery, request)
        found = lookups.weekends_of_club(_club(request, slug), viewer(request), past=query.get("past", False))
        return paginate_queryset(
            found.select_related("club"),
            by=("first", "created_at", "pk"),
            query=query,
            serialize=lambda page: serialize_many(WeekendSerializer, page),
        )

    @extend_schema(request=WeekendBody, responses={201: WeekendSerializer}, operation_id="weekend_make", tags=TAGS)
    def post(self, request: Request, slug: str) -> Response:
        """Create a weekend, as somebody who may create tournaments of the club. It is not published yet."""
        data = bodies.body_of(WeekendBody, request)
        club = _club(request, slug)
        return Response(WeekendSerializer(_save(request, club, data)).data, status=201)


class WeekendDetail(ApiView):
    """A weekend as this viewer sees it; and deleting it."""

    access: ClassVar = {"GET": access.public(), "DELETE": DESK}

    @extend_schema(responses=WeekendDetailSerializer, operation_id="weekend", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        """A weekend: its tournaments, its schedule, the matches of the viewer, and the last results."""
        bodies.query_of(bodies.Query, request)
        view = pages.weekend_page(weekend_id=weekend_id, user=viewer(request))
        return Response(
            {
                **WeekendSerializer(view.weekend).data,
                "about": view.weekend.about,
                "timezone": view.weekend.club.timezone,
                "may": sorted(view.may),
                "tournaments": serialize_many(WeekendTournamentSerializer, view.tournaments),
                "schedule": serialize_many(ScheduleEntrySerializer, [row for day in view.days for row in day.entries]),
                "matches": serialize_many(OwnMatchSerializer, view.matches),
                "results": serialize_many(WeekendResultSerializer, view.results),
            }
        )

    @extend_schema(responses={204: None}, operation_id="weekend_remove", tags=TAGS)
    def delete(self, request: Request, weekend_id: str) -> Response:
        """Delete a weekend without records, as an organizer; its tournaments stay."""
        weekend_at_desk(request, weekend_id, WeekendAct.ORGANIZE)
        services.weekend_remove(weekend_id=weekend_id, user=current_user(request))
        return Response(status=204)


class WeekendDesk(ApiView):
    """The desk of a weekend, for the officials of its tournaments: who is wanted in two tournaments at a time."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=WeekendDeskSerializer, operation_id="weekend_desk", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        user = current_user(request)
        seen = lookups.weekend_desk(weekend_id=weekend_id, user=user, act=WeekendAct.VIEW_DESK)
        return Response(WeekendDeskSerializer(desk.weekend_desk(seen)).data)


class WeekendSettings(ApiView):
    """The name, place and days of a weekend, for its organizers. With `If-Match` one that has changed since is not
    overwritten.
    """

    access: ClassVar = {"GET": access.member("read"), "PATCH": DESK}

    @extend_schema(responses=WeekendSettingsSerializer, operation_id="weekend_settings", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        body, tag = _settings_with_etag(weekend_at_desk(request, weekend_id, WeekendAct.ORGANIZE))
        return not_modified(request, tag) or with_etag(body, tag)

    @extend_schema(
        request=WeekendSettingsBody,
        responses=WeekendSettingsSerializer,
        operation_id="weekend_settings_change",
        tags=TAGS,
    )
    def patch(self, request: Request, weekend_id: str) -> Response:
        """Change a weekend; what is left out stays. With `If-Match` one that has changed since is not overwritten."""
        data = bodies.body_of(WeekendSettingsBody, request)
        weekend_at_desk(request, weekend_id, WeekendAct.ORGANIZE)
        with transaction.atomic():
            weekend = services.weekend_lock(weekend_id)
            check_if_match(request, _settings_with_etag(weekend)[1])
            saved = _save(request, weekend.club, data, weekend)
        return with_etag(*_settings_with_etag(saved))


class WeekendTournaments(ApiView):
    """The tournaments that a weekend has or may have, for its organizers; and choosing them."""

    access: ClassVar = {"GET": access.member("read"), "POST": DESK}

    @extend_schema(responses=OfferedTournamentSerializer(many=True), operation_id="weekend_tournaments", tags=TAGS)
    def get(self, request: Request, weekend_id: str) -> Response:
        """The tournaments that a weekend has or may have."""
        bodies.query_of(bodies.Query, request)
        weekend = weekend_at_desk(request, weekend_id, WeekendAct.ORGANIZE)
        return Response(_offered(weekend, request))

    @extend_schema(
        request=WeekendTournamentsBody,
        responses=OfferedTournamentSerializer(many=True),
        operation_id="weekend_tournaments_set",
        tags=TAGS,
    )
    def post(self, request: Request, weekend_id: str) -> Response:
        """Set of which tournaments a weekend consists. Who adds a tournament directs it, or the club."""
        data = bodies.body_of(WeekendTournamentsBody, request)
        weekend = weekend_at_desk(request, weekend_id, WeekendAct.ORGANIZE)
        services.weekend_set_tournaments(
            weekend_id=weekend_id, user=current_user(request), tournament_ids=data["tournaments"]
        )
        return Response(_offered(weekend, request))


class WeekendPublish(ApiView):
    """Show a weekend to everybody, or only to its officials."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(request=WeekendPublishBody, responses=WeekendSerializer, operation_id="weekend_publish", tags=TAGS)
    def post(self, request: Request, weekend_id: str) -> Response:
        data = bodies.body_of(WeekendPublishBody, request)
        weekend_at_desk(request, weekend_id, WeekendAct.ORGANIZE)
        services.weekend_publish(weekend_id=weekend_id, user=current_user(request), published=data["published"])
        return Response(WeekendSerializer(weekend_at_desk(request, weekend_id, WeekendAct.ORGANIZE)).data)


def _club(request: Request, slug: str) -> Club:
    """The club of a request. Raises Problem 404."""
    found = club_selectors.club_access(slug=slug, user=viewer(request))
    if found is None:
        raise Problem("nothing_here", status=404)
    return found.club


def _save(request: Request, club: Club, data: Mapping[str, Any], weekend: Weekend | None = None) -> Weekend:
    """Validate a weekend with the form, and save it. Raises Refused as `weekend_save`, Problem ``unfit``."""
    form = validated_form(WeekendForm(form_data(WeekendForm(weekend=weekend), data), weekend=weekend))
    return services.weekend_save(
        user=current_user(request),
        club=club,
        weekend_id=weekend.pk if weekend is not None else None,
        **form.cleaned_data,
    )


def _settings_with_etag(weekend: Weekend) -> tuple[dict[str, Any], str]:
    body = WeekendSettingsSerializer(weekend).data
    return body, etag_for("weekend", weekend.pk, body)


def _offered(weekend: Weekend, request: Request) -> list[Any]:
    """The tournaments that a weekend may have, those that it has among them."""
    found = lookups.tournaments_offered(weekend, current_user(request))
    return [{**TournamentNameSerializer(each).data, "chosen": each.weekend_id == weekend.pk} for each in found]
