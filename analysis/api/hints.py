"""Hints in one's own match against the computer."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user
from accounts.programs.scopes import PLAY
from analysis import explanation_texts
from analysis.api.training import OptionSerializer
from analysis.models import PositionQuestion
from analysis.report import grade_of
from analysis.services import hints
from games.api.fields import choice, conflict_response, not_found_response

MOST_OPTIONS = 3


class JudgedPlaySerializer(serializers.Serializer[Any]):
    """What one decision gives away against the best."""

    text = serializers.CharField()
    loss = serializers.FloatField()
    grade = serializers.CharField(help_text="doubtful, error or blunder; empty for a good decision.")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Sentences, in your language.")


class HintSerializer(serializers.Serializer[Any]):
    """What the engine would decide now, once a worker has found it: ask again until `status` is no longer `waiting`."""

    status = choice(PositionQuestion.Status)
    kind = serializers.CharField(allow_null=True, help_text="play, double or take.")
    options = OptionSerializer(many=True, help_text="The best decisions, the best first.")
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why the first is better than the second.")
    judged = JudgedPlaySerializer(allow_null=True, help_text="The play that was asked about.")


class HintBody(bodies.Body):
    """What to ask; both the answer and its reasons come at once where the position was asked about before."""

    play = serializers.CharField(
        max_length=60, required=False, default="", allow_blank=True, help_text="A play to judge, or a cube action."
    )
    last = serializers.BooleanField(
        required=False, default=False, help_text="Judge your last play instead, which you can still take back."
    )


class Hint(ApiView):
    """A hint in an unrated match of one's own against the computer."""

    access: ClassVar = {"POST": access.player(PLAY)}

    @extend_schema(
        request=HintBody,
        responses={200: HintSerializer, **not_found_response(), **conflict_response()},
        operation_id="match_hint",
        tags=["analysis"],
    )
    def post(self, request: Request, match_id: str) -> Response:
        body, user = bodies.body_of(HintBody, request), current_user(request)
        if body["last"]:
            return Response(serialize_hint(*hints.last_play_ask(user=user, match_id=match_id)))
        return Response(serialize_hint(hints.hint_ask(user=user, match_id=match_id), body["play"]))


def serialize_hint(row: PositionQuestion, play: str) -> dict[str, Any]:
    ready = row.status == PositionQuestion.Status.READY
    options = hints.options_of(row)
    hint: dict[str, Any] = HintSerializer(
        {
            "status": row.status,
            "kind": row.answer["kind"] if ready else None,
            "options": [
                {"text": text, "equity": equity, "loss": options[0][1] - equity}
                for text, equity in options[:MOST_OPTIONS]
            ],
            "reasons": explanation_texts.sentences(hints.reasons_of(row)),
            "judged": _judged(row, play) if ready and play else None,
        }
    ).data
    return hint


def _judged(row: PositionQuestion, play: str) -> dict[str, Any]:
    found = hints.judged(row, play)
    reasons = explanation_texts.sentences(found.words)
    return {"text": found.text, "loss": found.loss, "grade": grade_of(found.loss), "reasons": reasons}
