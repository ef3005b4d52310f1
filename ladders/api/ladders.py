"""Reading ladders and creating one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.pagination import paginate_list, paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, current_user, viewer
from games.api.fields import not_found_response, serialize_many
from games.api.statistics import RatingStandingSerializer
from ladders import selectors as ladder_selectors
from ladders.api.serializers import (
    LadderEventSerializer,
    LadderRowSerializer,
    LadderSeasonHeadSerializer,
    LadderSeasonRowSerializer,
    LadderSeasonSerializer,
    LadderSerializer,
    RungSerializer,
)
from ladders.api.settings import LadderBody, ladder_of


def paged(row: type[serializers.Serializer[Any]], operation_id: str) -> Callable[..., Any]:
    """Document a method that answers with a page of rows."""
    return extend_schema(
        parameters=[bodies.Paged], responses=page_serializer(row), operation_id=operation_id, tags=["ladders"]
    )


def rows_of(
    request: Request, name: str, row: type[serializers.Serializer[Any]], read: Callable[[], Sequence[Any]]
) -> Response:
    """A page of the list that `read` gives after the query has been parsed; `name` is that of its cursors."""
    page = bodies.query_of(bodies.Paged, request)
    return paginate_list(read(), name=name, query=page, serialize=lambda rows: serialize_many(row, rows))


def ladder_seen(request: Request, ladder_id: str) -> ladder_selectors.LadderView:
    """The ladder as the viewer sees it. Raises NotFound."""
    return ladder_selectors.page(ladder_id=ladder_id, user=viewer(request))


class Ladders(ApiView):
    """All ladders, by club, the open ones of each first; and creating one."""

    access: ClassVar = {"GET": access.public(), "POST": access.member("club")}

    @paged(LadderRowSerializer, "ladders")
    def get(self, request: Request) -> Response:
        """All ladders, by club, the open ones of each first."""

        def read() -> list[ladder_selectors.LadderRow]:
            clubs = ladder_selectors.ladders_by_club(viewer(request))
            return [row for club in clubs for row in (*club.open, *club.closed)]

        return rows_of(request, "ladders", LadderRowSerializer, read)

    @extend_schema(
        request=LadderBody,
        responses={201: LadderSerializer, **not_found_response()},
        operation_id="ladder_make",
        tags=["ladders"],
    )
    def post(self, request: Request) -> Response:
        """Create a ladder of a club that one directs."""
        made = ladder_of(bodies.body_of(LadderBody, request), current_user(request))
        return Response(LadderSerializer(ladder_seen(request, made.pk)).data, status=201)


class LadderDetail(ApiView):
    """A ladder: what is played, its rules, its open challenges, its seasons."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=LadderSerializer, operation_id="ladder", tags=["ladders"])
    def get(self, request: Request, ladder_id: str) -> Response:
        return Response(LadderSerializer(ladder_seen(request, ladder_id)).data)


class Rungs(ApiView):
    """The places of a ladder from the top; of one by rating there are none: see its ratings."""

    access: ClassVar = {"GET": access.public()}

    @paged(RungSerializer, "ladder_places")
    def get(self, request: Request, ladder_id: str) -> Response:
        return rows_of(request, f"places-{ladder_id}", RungSerializer, lambda: ladder_seen(request, ladder_id).rungs)


class LadderRatings(ApiView):
    """The order of a ladder by rating: the active players of its club; of another kind it is empty."""

    access: ClassVar = {"GET": access.public()}

    @paged(RatingStandingSerializer, "ladder_ratings")
    def get(self, request: Request, ladder_id: str) -> Response:
        name = f"ratings-{ladder_id}"
        return rows_of(request, name, RatingStandingSerializer, lambda: ladder_seen(request, ladder_id).standings)


class LadderEvents(ApiView):
    """Everything that happened on a ladder, the last first."""

    access: ClassVar = {"GET": access.public()}

    @paged(LadderEventSerializer, "ladder_events")
    def get(self, request: Request, ladder_id: str) -> Response:
        page = bodies.query_of(bodies.Paged, request)
        history = ladder_selectors.history(ladder_id=ladder_id)
        return paginate_queryset(
            history.events,
            by=("-n",),
            query=page,
            serialize=lambda events: serialize_many(LadderEventSerializer, history.views(events)),
        )


class LadderSeasonDetail(ApiView):
    """The final table of a season that is over."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=LadderSeasonSerializer, operation_id="ladder_season", tags=["ladders"])
    def get(self, request: Request, ladder_id: str, number: int) -> Response:
        _ladder, season, rows = ladder_selectors.season(ladder_id=ladder_id, number=valid_pk(number))
        return Response(
            {**LadderSeasonHeadSerializer(season).data, "table": serialize_many(LadderSeasonRowSerializer, rows)}
        )
