"""The recurring events of a club."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.forms import form_data, serializer_field, validated_form
from accounts.api.views import ApiView, current_user
from accounts.models import Club
from games.api.fields import choice, integer, serialize_many
from tournaments.api.clubs import directed_club
from tournaments.errors import Refused
from tournaments.forms.clubs import RecurrenceForm, default_recurrence
from tournaments.models import RecurringEvent
from tournaments.recurrence import KINDS, LAST, NTHS
from tournaments.selectors.recurring_events import template_rows
from tournaments.services import recurring

_form_field = partial(serializer_field, RecurrenceForm)


class RecurringEventSerializer(serializers.Serializer[Any]):
    """A recurring event: its template, its recurrence in words, its next dates, and the skipped ones."""

    id = serializers.IntegerField(source="event.pk")
    name = serializers.CharField(source="event.name", help_text="{date} and {number} are replaced.")
    template = serializers.CharField(source="event.template.name")
    status = choice(RecurringEvent.Status, source="event.status")
    rhythm = serializers.CharField(source="recurrence")
    hour = serializers.SerializerMethodField(help_text="In the club's time zone: `20:00`.")
    opens_days = serializers.IntegerField(source="event.opens_days")
    ahead = serializers.SerializerMethodField()
    skipped = serializers.ListField(child=serializers.DateField())
    tournaments = serializers.SerializerMethodField(help_text="The last ones that it created.")

    @extend_schema_field(serializers.ListField(child=serializers.DateField()))
    def get_ahead(self, row: Any) -> list[str]:
        return [day.isoformat() for day, _words in row.upcoming]

    def get_tournaments(self, row: Any) -> list[str]:
        return [occurrence.tournament_id for occurrence in row.created]

    def get_hour(self, row: Any) -> str:
        return f"{row.event.hour:%H:%M}"


class RecurringEventBody(bodies.Body):
    """A recurring event of a template: on which days, and how long before registration opens. By default it is weekly,
    on today's weekday, at 20:00, from today on.
    """

    template = integer("The number of a template of the club.", least=1, most=2**53, required=True)
    name = _form_field("name")
    kind = _form_field("kind", choices=KINDS)
    weekdays = serializers.ListField(
        child=integer("0 is Monday.", most=6), min_length=1, max_length=7, required=False, help_text="0 is Monday."
    )
    every = _form_field("every")
    nth = integer("Of a monthly event: the week of the month; -1: the last.", least=LAST, most=max(NTHS))
    hour = serializers.RegexField(
        r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z", required=False, help_text="In the club's time zone: `20:00`."
    )
    opens_days = _form_field("opens_days")
    first = _form_field("first")
    until = _form_field("until", allow_null=True)


class RecurringEventActionBody(bodies.Body):
    """Pause, resume or stop a recurring event; skip a date of it, or restore that date."""

    action = choice(("pause", "resume", "stop", "skip", "restore"))
    date = serializers.DateField(required=False, help_text="For `skip` and `restore`.")


class RecurringEvents(ApiView):
    """The recurring events of a club, for its directors; and creating one."""

    access: ClassVar = {"GET": access.member("read"), "POST": access.member("club")}

    @extend_schema(responses=RecurringEventSerializer(many=True), operation_id="nights", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """The recurring events of a club, for its directors."""
        bodies.query_of(bodies.Query, request)
        return Response(_recurring_events(directed_club(request, slug)))

    @extend_schema(
        request=RecurringEventBody,
        responses={201: RecurringEventSerializer(many=True)},
        operation_id="night_make",
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a recurring event; the answer lists all recurring events of the club."""
        data = bodies.body_of(RecurringEventBody, request)
        club = directed_club(request, slug)
        template = club.event_templates.filter(pk=data.pop("template")).first()
        if template is None:
            raise Refused("no_template")
        initial = RecurrenceForm(initial=default_recurrence(template))
        form = validated_form(RecurrenceForm(form_data(initial, data)))
        recurring.recurring_event_create(template_id=template.pk, club=club, by=current_user(request), **form.kwargs())
        return Response(_recurring_events(club), status=201)


class RecurringEventAction(ApiView):
    """Pause, resume or stop a recurring event; skip a date, or restore it."""

    access: ClassVar = {"POST": access.member("club")}

    @extend_schema(
        request=RecurringEventActionBody,
        responses=RecurringEventSerializer(many=True),
        operation_id="night_act",
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str, recurring_event_id: int) -> Response:
        data = bodies.body_of(RecurringEventActionBody, request)
        club = directed_club(request, slug)
        kwargs: dict[str, Any] = {
            "recurring_event_id": valid_pk(recurring_event_id),
            "club": club,
            "by": current_user(request),
        }
        action, day = data["action"], data.get("date")
        if action in ("skip", "restore"):
            _change_date(action, day, kwargs)
        else:
            {
                "pause": recurring.recurring_event_pause,
                "resume": recurring.recurring_event_resume,
                "stop": recurring.recurring_event_stop,
            }[action](**kwargs)
        return Response(_recurring_events(club))


def _change_date(action: str, day: date | None, kwargs: dict[str, Any]) -> None:
    """Raises Refused("night_no_date")."""
    if day is None:
        raise Refused("night_no_date")
    service = recurring.occurrence_skip if action == "skip" else recurring.occurrence_restore
    service(**kwargs, day=day)


def _recurring_events(club: Club) -> list[Any]:
    found = [event for row in template_rows(club) for event in row.recurring_events]
    return serialize_many(RecurringEventSerializer, found)
