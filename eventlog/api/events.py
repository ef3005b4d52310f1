"""The log of events, a page at a time: for programs that come by now and then."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import player
from accounts.api.bodies import Query, query_of
from accounts.api.views import ApiView, current_user
from accounts.programs.scopes import HOOKS
from accounts.web import api_rates
from eventlog import services
from eventlog.kinds import KINDS, MOST_SUBJECTS, SUBJECT
from eventlog.selectors.events import events_after, first_number, last_number

LONGEST_LIST = 600
KIND_PATTERN = "|".join(kind.replace(".", "[.]") for kind in KINDS)


class EventSerializer(serializers.Serializer[Any]):
    """One thing that happened. `data` depends on the kind (docs/streams.md); `subject` is what it is about."""

    number = serializers.IntegerField(
        help_text="Counts through the whole log; the numbers that one reader receives have gaps."
    )
    kind = serializers.ChoiceField(choices=KINDS)
    subject = serializers.CharField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True, help_text="The name of the person who did it, where one matters.")
    url = serializers.CharField(allow_blank=True, help_text="The path of its page on the site.")
    data = serializers.DictField()  # type: ignore[assignment]


class EventsSerializer(serializers.Serializer[Any]):
    """What there is after a number."""

    results = EventSerializer(many=True)
    after = serializers.IntegerField(help_text="Ask again with it: everything up to this number has been sent.")
    last = serializers.IntegerField(help_text="The last number of the log.")
    gone = serializers.BooleanField(help_text="Whether events after the number asked for are no longer kept.")


class EventsQuery(Query):
    """From where on, and of what."""

    after = serializers.IntegerField(
        required=False, min_value=0, max_value=2**53, help_text="A number; without one, the end of the log as it is."
    )
    size = serializers.IntegerField(required=False, default=100, min_value=1, max_value=200)
    kinds = serializers.RegexField(
        rf"^(?:{KIND_PATTERN})(?:,(?:{KIND_PATTERN}))*$",
        required=False,
        max_length=LONGEST_LIST,
        help_text="Kinds of events with commas between; all without.",
    )
    subjects = serializers.RegexField(
        rf"^{SUBJECT.pattern}(?:,{SUBJECT.pattern}){{0,{MOST_SUBJECTS - 1}}}$",
        required=False,
        max_length=LONGEST_LIST,
        help_text="What to receive besides what concerns its owner: `match:…`, `tournament:…`, `desk:…`, `ladder:…`.",
    )


EXAMPLE = OpenApiExample(
    "A match has ended",
    value={
        "results": [
            {
                "number": 1207,
                "kind": "match.finished",
                "subject": "match:k3YpaZb7Qd",
                "at": "2026-11-22T19:04:11.480000+00:00",
                "by": None,
                "url": "/match/k3YpaZb7Qd/",
                "data": {
                    "winner": "white",
                    "by": "score",
                    "points": {"white": 5, "black": 2},
                    "version": 214,
                    "players": {"white": "ana", "black": "bea"},
                },
            }
        ],
        "after": 1207,
        "last": 1207,
        "gone": False,
    },
    response_only=True,
)


class Events(ApiView):
    """The events after a number that the token's owner may see.

    The log begins for an owner with their first request, and goes on for a day after their last one. The same comes as
    a stream from `/api/v1/events/stream/` (server-sent events, NDJSON) and `/ws/events/` (WebSocket): docs/streams.md.
    """

    access: ClassVar = {"GET": player(HOOKS, kind=api_rates.READ)}

    @extend_schema(
        operation_id="events", parameters=[EventsQuery], responses=EventsSerializer, examples=[EXAMPLE], tags=["hooks"]
    )
    def get(self, request: Request) -> Response:
        query = query_of(EventsQuery, request)
        user = current_user(request)
        topics = services.topics_of(user, subjects=_listed(query.get("subjects")))
        kinds = services.kinds_of(_listed(query.get("kinds")))
        services.subscribe(user=user, topics=topics)
        last = last_number()
        after = min(query.get("after", last), last)
        serialized, up_to = events_after(user, topics, after=after, kinds=kinds, most=query["size"])
        expired = "after" in query and after + 1 < first_number()
        return Response({"results": serialized, "after": up_to, "last": max(last, up_to), "gone": expired})


def _listed(text: str | None) -> list[str]:
    return text.split(",") if text else []
