"""Ladders to look at, and to take part in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import row_number
from accounts.api.pages import page_of, slice_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, viewer, who
from accounts.models import User
from games.api.common import choice, none_such, shown, whole
from games.api.ladder_making import LadderBody, ladder_of
from games.api.ladder_shapes import (
    CallSerializer,
    LadderEventSerializer,
    LadderPlaceSerializer,
    LadderRowSerializer,
    LadderSeasonHeadSerializer,
    LadderSeasonRowSerializer,
    LadderSeasonSerializer,
    LadderSerializer,
    RungSerializer,
)
from games.api.numbers import RatingStandingSerializer
from games.api.people import player_named
from games.errors import NotFound, Refused
from games.models import LadderChallenge
from games.selectors import ladders
from games.selectors.ladders.entries import ladder_with
from games.services import ladders as services

PLAY = access.member("play")


def place_of(request: Request, ladder_id: str, status: int = 200) -> Response:
    found = ladder_with(ladder_id)
    mine = found.players.filter(user=who(request), rank__isnull=False).values_list("rank", flat=True).first()
    return Response({"version": found.version, "mine": mine}, status=status)


# To look


class Ladders(ApiView):
    """All ladders, by club, the open ones of each first; and setting one up."""

    access: ClassVar = {"GET": access.public(), "POST": access.member("club")}

    @extend_schema(
        parameters=[bodies.Paged], responses=page_answer(LadderRowSerializer), operation_id="ladders", tags=["ladders"]
    )
    def get(self, request: Request) -> Response:
        """All ladders, by club, the open ones of each first."""
        asked = bodies.query_of(bodies.Paged, request)
        found = [one for club in ladders.of_clubs(viewer(request)) for one in (*club.open, *club.closed)]
        return slice_of(found, name="ladders", asked=asked, told=lambda rows: shown(LadderRowSerializer, rows))

    @extend_schema(
        request=LadderBody,
        responses={201: LadderSerializer, **none_such()},
        operation_id="ladder_make",
        tags=["ladders"],
    )
    def post(self, request: Request) -> Response:
        """Set up a ladder of a club that one directs."""
        made = ladder_of(bodies.body_of(LadderBody, request), who(request))
        view = ladders.page(ladder_id=made.pk, user=viewer(request))
        return Response(LadderSerializer(view).data, status=201)


class LadderOne(ApiView):
    """A ladder: what is played, its rules, its open challenges, its seasons."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=LadderSerializer, operation_id="ladder", tags=["ladders"])
    def get(self, request: Request, ladder_id: str) -> Response:
        return Response(LadderSerializer(ladders.page(ladder_id=ladder_id, user=viewer(request))).data)


class Rungs(ApiView):
    """The places of a ladder from the top; of one by rating there are none: see its ratings."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged], responses=page_answer(RungSerializer), operation_id="ladder_places", tags=["ladders"]
    )
    def get(self, request: Request, ladder_id: str) -> Response:
        asked = bodies.query_of(bodies.Paged, request)
        view = ladders.page(ladder_id=ladder_id, user=viewer(request))
        name = f"places-{ladder_id}"
        return slice_of(view.rungs, name=name, asked=asked, told=lambda rows: shown(RungSerializer, rows))


class LadderRatings(ApiView):
    """The order of a ladder by rating: the active players of its club; of another kind it is empty."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_answer(RatingStandingSerializer),
        operation_id="ladder_ratings",
        tags=["ladders"],
    )
    def get(self, request: Request, ladder_id: str) -> Response:
        asked = bodies.query_of(bodies.Paged, request)
        view = ladders.page(ladder_id=ladder_id, user=viewer(request))
        name = f"ratings-{ladder_id}"
        return slice_of(view.standings, name=name, asked=asked, told=lambda rows: shown(RatingStandingSerializer, rows))


class LadderEvents(ApiView):
    """Everything that happened on a ladder, the last first."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_answer(LadderEventSerializer),
        operation_id="ladder_events",
        tags=["ladders"],
    )
    def get(self, request: Request, ladder_id: str) -> Response:
        asked = bodies.query_of(bodies.Paged, request)
        story = ladders.story(ladder_id=ladder_id)
        return page_of(
            story.events,
            by=("-n",),
            asked=asked,
            told=lambda found: shown(LadderEventSerializer, story.told(found)),
        )


class LadderSeasonOne(ApiView):
    """The final table of a season that is over."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=LadderSeasonSerializer, operation_id="ladder_season", tags=["ladders"])
    def get(self, request: Request, ladder_id: str, number: int) -> Response:
        _ladder, season, rows = ladders.season(ladder_id=ladder_id, number=row_number(number))
        return Response({**LadderSeasonHeadSerializer(season).data, "table": shown(LadderSeasonRowSerializer, rows)})


# To take part


class _Step(ApiView):
    """A step of a player on a ladder."""

    access: ClassVar = {"POST": PLAY}
    service: ClassVar[Callable[..., object]]

    def step(self, request: Request, ladder_id: str, **facts: Any) -> Response:
        type(self).service(ladder_id=ladder_id, user=who(request), **facts)
        return place_of(request, ladder_id)


class LadderJoin(_Step):
    """Step onto a ladder."""

    service = staticmethod(services.ladder_join)

    @extend_schema(request=None, responses=LadderPlaceSerializer, operation_id="ladder_join", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.step(request, ladder_id)


class LadderLeave(_Step):
    """Step off a ladder."""

    service = staticmethod(services.ladder_leave)

    @extend_schema(request=None, responses=LadderPlaceSerializer, operation_id="ladder_leave", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.step(request, ladder_id)


class AwayBody(bodies.Body):
    days = whole("How many days.", least=1, most=400, required=True)


class LadderAway(_Step):
    """Be away for some days: nobody challenges one meanwhile."""

    service = staticmethod(services.ladder_away)

    @extend_schema(request=AwayBody, responses=LadderPlaceSerializer, operation_id="ladder_away", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.step(request, ladder_id, days=bodies.body_of(AwayBody, request)["days"])


class LadderBack(_Step):
    """Be back before the time."""

    service = staticmethod(services.ladder_back)

    @extend_schema(request=None, responses=LadderPlaceSerializer, operation_id="ladder_back", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.step(request, ladder_id)


class RivalBody(bodies.Body):
    """Whom to challenge."""

    rival = serializers.CharField(max_length=24, help_text="The name of a player of the ladder.")


class CalledSerializer(serializers.Serializer[Any]):
    """A challenge that was made."""

    id = serializers.IntegerField()
    status = choice(LadderChallenge.Status)


class Challenges(ApiView):
    """The open challenges of a ladder; and a new one."""

    access: ClassVar = {"GET": access.public(), "POST": PLAY}

    @extend_schema(responses=CallSerializer(many=True), operation_id="ladder_challenges", tags=["ladders"])
    def get(self, request: Request, ladder_id: str) -> Response:
        """The challenges that wait for an answer or a match, the most urgent first."""
        bodies.query_of(bodies.Query, request)
        return Response(shown(CallSerializer, ladders.page(ladder_id=ladder_id, user=viewer(request)).calls))

    @extend_schema(
        request=RivalBody, responses={201: CalledSerializer}, operation_id="ladder_challenge", tags=["ladders"]
    )
    def post(self, request: Request, ladder_id: str) -> Response:
        """Challenge a player of the ladder."""
        rival = player_of(ladder_id, bodies.body_of(RivalBody, request)["rival"], "ladder_rival_not_on")
        made = services.challenge_make(ladder_id=ladder_id, user=who(request), rival=rival)
        return Response({"id": made.pk, "status": made.status}, status=201)


def player_of(ladder_id: str, name: str, code: str) -> User:
    """A player of a ladder by name. Raises NotFound, Refused: no_such_player, code."""
    ladder_with(ladder_id)
    user = player_named(name)
    if ladders.player_on(ladder_id=ladder_id, user_id=user.pk) is None:
        raise Refused(code)
    return user


def challenge_of(ladder_id: str, challenge_id: int) -> int:
    """The number of a challenge that belongs to this ladder. Raises NotFound."""
    if not ladders.has_challenge(ladder_id=ladder_id, challenge_id=row_number(challenge_id)):
        raise NotFound
    return challenge_id


class AcceptedSerializer(serializers.Serializer[Any]):
    """The match of an accepted challenge."""

    match = serializers.CharField()


class ChallengeAccept(ApiView):
    """Accept a challenge: the table is set."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=None, responses=AcceptedSerializer, operation_id="ladder_accept", tags=["ladders"])
    def post(self, request: Request, ladder_id: str, challenge_id: int) -> Response:
        match = services.challenge_accept(challenge_id=challenge_of(ladder_id, challenge_id), user=who(request))
        return Response({"match": match.pk})


class ChallengeDecline(ApiView):
    """Say no to a challenge."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=None, responses=LadderPlaceSerializer, operation_id="ladder_decline", tags=["ladders"])
    def post(self, request: Request, ladder_id: str, challenge_id: int) -> Response:
        services.challenge_decline(challenge_id=challenge_of(ladder_id, challenge_id), user=who(request))
        return place_of(request, ladder_id)


class ChallengeWithdraw(ApiView):
    """Take one's challenge back."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=None, responses=LadderPlaceSerializer, operation_id="ladder_withdraw", tags=["ladders"])
    def post(self, request: Request, ladder_id: str, challenge_id: int) -> Response:
        services.challenge_withdraw(challenge_id=challenge_of(ladder_id, challenge_id), user=who(request))
        return place_of(request, ladder_id)
