"""What the actions on a ladder share: one service call, answered with its version and the viewer's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.views import ApiView, current_user
from accounts.models import User
from games.api.players import player_named
from ladders import selectors as ladder_selectors
from ladders.api.serializers import LadderPlaceSerializer

Step = TypeVar("Step", bound="type[LadderStep]")


class LadderStep(ApiView):
    """Run one service on a ladder or on a challenge of it; `role` is its argument for the account that asks."""

    access: ClassVar = {"POST": access.member("play")}
    role: ClassVar[str] = "user"
    body: ClassVar[type[bodies.Body] | None] = None
    service: ClassVar[Callable[..., Any]]

    def post(self, request: Request, ladder_id: str, challenge_id: int | None = None) -> Response:
        posted = {} if self.body is None else bodies.body_of(self.body, request)
        target: dict[str, Any] = {"ladder_id": ladder_id}
        if challenge_id is not None:
            number = valid_pk(challenge_id)
            target = {"challenge_id": ladder_selectors.challenge_on(ladder_id=ladder_id, challenge_id=number)}
        facts = self.facts(ladder_id, posted)
        return self.answer(
            request, ladder_id, type(self).service(**target, **{self.role: current_user(request)}, **facts)
        )

    def facts(self, ladder_id: str, posted: dict[str, Any]) -> Mapping[str, Any]:
        """The further arguments of the service, from the parsed body."""
        return posted

    def answer(self, request: Request, ladder_id: str, made: Any) -> Response:
        """The answer, from what the service returned."""
        ladder = ladder_selectors.ladder_with(ladder_id)
        return Response({"version": ladder.version, "mine": ladder_selectors.place_on(ladder, current_user(request))})


class DirectorStep(LadderStep):
    """The same for the directors of the ladder's club."""

    access: ClassVar = {"POST": access.member("club")}
    role: ClassVar[str] = "by"


def documented(
    operation_id: str, responses: type[serializers.Serializer[Any]] = LadderPlaceSerializer
) -> Callable[[Step], Step]:
    """Document a step in the schema under `operation_id`, with its own body."""

    def decorate(view: Step) -> Step:
        post = extend_schema(request=view.body, responses=responses, operation_id=operation_id, tags=["ladders"])
        documented_view: Step = extend_schema_view(post=post)(view)
        return documented_view

    return decorate


def player_of(ladder_id: str, name: str, code: str) -> User:
    """A player of a ladder by name. Raises NotFound, Refused: no_such_player, `code`."""
    ladder_selectors.ladder_with(ladder_id)
    return ladder_selectors.player_on(ladder_id=ladder_id, user_id=player_named(name).pk, code=code)
