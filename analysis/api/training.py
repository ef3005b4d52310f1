"""Questions about positions, the trainer, and the position of the day."""

from __future__ import annotations

from datetime import date
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import valid_pk
from accounts.api.errors import Problem
from accounts.api.views import ApiView, current_user, viewer
from accounts.models import User
from analysis import daily_puzzle, puzzles, trainer
from analysis.api.reports import CubeWorthSerializer, PlaySerializer
from analysis.errors import Refused
from analysis.models import DailyPuzzle, DailyVote, PositionQuestion, Puzzle, TrainerCard
from analysis.selectors import training
from analysis.services import daily_puzzles, live_positions, questions
from analysis.services.training import card_answer
from games.api.fields import choice, conflict_response, not_found_response
from games.api.position_serializers import PointsPositionSerializer
from games.api.state_serializers import ScoreSerializer
from games.formats import position_ids as ids

KINDS = ("play", "double", "take")


class AnswerSerializer(serializers.Serializer[Any]):
    """What the engine says of a decision; `best` is what it would do, `equity` what that is worth."""

    kind = choice(KINDS)
    side = serializers.CharField()
    best = serializers.CharField()
    equity = serializers.FloatField()
    choices = serializers.IntegerField(required=False, help_text="How many plays there are.")
    plays = PlaySerializer(many=True, required=False)
    cube = CubeWorthSerializer(required=False)


class QuestionSerializer(serializers.Serializer[Any]):
    """A question, and its answer once there is one. `running`: nothing is said while a match stands there."""

    id = serializers.IntegerField()
    xgid = serializers.CharField()
    depth = serializers.CharField()
    status = choice(PositionQuestion.Status)
    asked_at = serializers.DateTimeField()
    running = serializers.BooleanField()
    answer = AnswerSerializer(allow_null=True)


class QuestionBody(bodies.Body):
    """A position by its id."""

    id = serializers.CharField(max_length=ids.LONGEST, help_text="An XGID, or GNU Backgammon's ids.")


class Questions(ApiView):
    """Ask the engine about a position. So many a day; the same again is the same question."""

    access: ClassVar = {"POST": access.member("analysis", "analysis")}

    @extend_schema(
        request=QuestionBody, responses={202: QuestionSerializer}, operation_id="question_ask", tags=["analysis"]
    )
    def post(self, request: Request) -> Response:
        row = questions.question_ask(user=current_user(request), text=bodies.body_of(QuestionBody, request)["id"])
        return Response(serialize_question(row, current_user(request)), status=202)


class QuestionDetail(ApiView):
    """One's own question, with its answer once a worker has found it."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=QuestionSerializer, operation_id="question", tags=["analysis"])
    def get(self, request: Request, question_id: int) -> Response:
        bodies.query_of(bodies.Query, request)
        row = PositionQuestion.objects.filter(pk=valid_pk(question_id), user=current_user(request)).first()
        if row is None:
            raise Problem("nothing_here", status=404)
        return Response(serialize_question(row, current_user(request)))


def serialize_question(row: PositionQuestion, user: User) -> dict[str, Any]:
    """The answer was allowed when it was asked for; a match may have come to this position since."""
    position: Any = ids.read(row.xgid)
    ready = row.status == PositionQuestion.Status.READY
    stands = ready and live_positions.is_live_position(position, position.score.view(), user=user)
    facts = {name: getattr(row, name) for name in ("xgid", "depth", "status", "asked_at")}
    answer = row.answer if ready and not stands else None
    question: dict[str, Any] = QuestionSerializer({"id": row.pk, **facts, "running": stands, "answer": answer}).data
    return question


# What is asked


class PuzzleSerializer(serializers.Serializer[Any]):
    """A decision to make: the position with the solver as White, and what can be chosen."""

    kind = choice(KINDS)
    xgid = serializers.CharField()
    position = PointsPositionSerializer()
    score = ScoreSerializer()
    choices = serializers.ListField(child=serializers.CharField(), help_text="Of a cube decision; of a play none.")
    plays = serializers.ListField(child=serializers.CharField(), help_text="The legal plays.")


class OptionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    equity = serializers.FloatField()
    loss = serializers.FloatField()


class VerdictSerializer(serializers.Serializer[Any]):
    """The verdict on an answer; `options` are empty while the position stands in a running match."""

    running = serializers.BooleanField()
    answer = serializers.CharField()
    loss = serializers.FloatField(allow_null=True, help_text="Null: worse than all that is listed.")
    verdict = serializers.CharField(allow_null=True)
    best = serializers.CharField(allow_null=True)
    options = OptionSerializer(many=True)


def serialize_puzzle(row: Puzzle) -> dict[str, Any]:
    found = puzzles.Puzzle.read(row.xgid, row.options)
    position: Any = found.position
    view = position.view(puzzles.SOLVER)
    return {
        "kind": row.kind,
        "xgid": row.xgid,
        "position": view,
        "score": position.score.view(),
        "choices": [str(each) for each in found.choices],
        "plays": list(position.actions()) if row.kind == Puzzle.Kind.PLAY else [],
    }


def _is_live_position(row: Puzzle, user: User | None) -> bool:
    position: Any = puzzles.Puzzle.read(row.xgid, row.options).position
    return live_positions.is_live_position(position, position.score.view(), user=user)


def serialize_verdict(row: Puzzle, answer: str, loss: float | None, user: User | None) -> dict[str, Any]:
    """The verdict on an answer; nothing of the position while it stands in a running match."""
    nothing = {"running": True, "answer": answer, "loss": None, "verdict": None, "best": None, "options": []}
    if _is_live_position(row, user):
        return nothing
    found = puzzles.Puzzle.read(row.xgid, row.options)
    best = found.options[0][1]
    options = [{"text": text, "equity": equity, "loss": best - equity} for text, equity in found.options]
    verdict = {
        "answer": answer,
        "loss": loss,
        "verdict": trainer.verdict_of(loss),
        "best": found.best,
        "options": options,
    }
    return {"running": False, **verdict}


# The trainer


class TrainerStandingSerializer(serializers.Serializer[Any]):
    """How many cards are in each box, how many are left for today, and when the next one comes after that."""

    boxes = serializers.ListField(child=serializers.IntegerField())
    due = serializers.IntegerField()
    next_due = serializers.DateField(allow_null=True)
    cards = serializers.IntegerField()
    learned = serializers.IntegerField()


class AskedCardSerializer(serializers.Serializer[Any]):
    """The card to answer now: a decision out of one's own matches."""

    id = serializers.IntegerField()
    match = serializers.CharField()
    game = serializers.IntegerField()
    puzzle = PuzzleSerializer()


class TrainerSerializer(serializers.Serializer[Any]):
    """The next card of one's own errors (null: none for today), and how far one has come."""

    card = AskedCardSerializer(allow_null=True)
    standing = TrainerStandingSerializer()


class Trainer(ApiView):
    """The next card of one's own errors, and how far one has come."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=TrainerSerializer, operation_id="trainer", tags=["analysis"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        user, today = current_user(request), daily_puzzles.today()
        card = training.next_card(user, today)
        card_json = None
        if card is not None:
            puzzle = card.puzzle
            card_json = {
                "id": card.pk,
                "match": puzzle.match_id,
                "game": puzzle.game,
                "puzzle": serialize_puzzle(puzzle),
            }
        return Response(
            {"card": card_json, "standing": TrainerStandingSerializer(training.trainer_standing(user, today)).data}
        )


class PuzzleAnswerBody(bodies.Body):
    """A play, or what to do with the cube."""

    answer = serializers.CharField(max_length=120)


class TrainerCardDetail(ApiView):
    """Answer a card: right or wrong, and what was better."""

    access: ClassVar = {"POST": access.member("play")}

    @extend_schema(
        request=PuzzleAnswerBody, responses=VerdictSerializer, operation_id="trainer_answer", tags=["analysis"]
    )
    def post(self, request: Request, card_id: int) -> Response:
        posted, user = bodies.body_of(PuzzleAnswerBody, request)["answer"], current_user(request)
        card = TrainerCard.objects.select_related("puzzle").filter(pk=valid_pk(card_id), user=user).first()
        if card is None:
            raise Problem("nothing_here", status=404)
        if _is_live_position(card.puzzle, user):
            raise Refused("question_running")
        done = card_answer(user=user, card_id=card_id, answer=posted)
        return Response(serialize_verdict(done.card.puzzle, done.answer, done.loss, user))


# The position of the day


class VoteSerializer(serializers.Serializer[Any]):
    answer = serializers.CharField()


class DailySerializer(serializers.Serializer[Any]):
    """The position of today; one's own vote, once it is given."""

    day = serializers.DateField()
    puzzle = PuzzleSerializer()
    votes = serializers.IntegerField()
    mine = VoteSerializer(allow_null=True)


class ShareSerializer(serializers.Serializer[Any]):
    """How many chose an answer."""

    answer = serializers.CharField()
    votes = serializers.IntegerField()
    share = serializers.FloatField()


class PastSerializer(serializers.Serializer[Any]):
    """The position of a day that is over, with its answer and how the votes fell."""

    day = serializers.DateField()
    puzzle = PuzzleSerializer()
    verdict = VerdictSerializer()
    mine = VoteSerializer(allow_null=True)
    shares = ShareSerializer(many=True)


NO_PUZZLE = not_found_response("There is no position to ask: no match has given one yet.")


class DailyPuzzleDetail(ApiView):
    """The position of today; and a vote on it."""

    access: ClassVar = {"GET": access.public(), "POST": access.player("play")}

    @extend_schema(responses={200: DailySerializer, **NO_PUZZLE}, operation_id="daily", tags=["analysis"])
    def get(self, request: Request) -> Response:
        """The position of today."""
        bodies.query_of(bodies.Query, request)
        return Response(serialize_daily(_today(), viewer(request)))

    @extend_schema(
        request=PuzzleAnswerBody,
        responses={200: DailySerializer, **NO_PUZZLE},
        operation_id="daily_vote",
        tags=["analysis"],
    )
    def post(self, request: Request) -> Response:
        """Vote on the position of today, once."""
        answer, row = bodies.body_of(PuzzleAnswerBody, request)["answer"], _today()
        daily_puzzles.daily_vote(user=current_user(request), row=row, answer=answer)
        return Response(serialize_daily(row, current_user(request)))


def _today() -> DailyPuzzle:
    """Raises Problem."""
    row = daily_puzzles.daily_pick(day=daily_puzzles.today())
    if row is None:
        raise Problem("nothing_here", status=404)
    return row


def serialize_daily(row: DailyPuzzle, user: User | None) -> dict[str, Any]:
    vote = DailyVote.objects.filter(daily=row, user=user).first() if user else None
    return {
        "day": row.day,
        "puzzle": serialize_puzzle(row.puzzle),
        "votes": row.votes.count(),
        "mine": {"answer": vote.answer} if vote else None,
    }


class DailyPast(ApiView):
    """The position of a day that is over, with its answer and how the votes fell."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: PastSerializer, **conflict_response()}, operation_id="daily_past", tags=["analysis"])
    def get(self, request: Request, day: str) -> Response:
        bodies.query_of(bodies.Query, request)
        try:
            wanted = date.fromisoformat(day)
        except ValueError as error:
            raise Problem("nothing_here", status=404) from error
        row = DailyPuzzle.objects.select_related("puzzle").filter(day=wanted, day__lt=daily_puzzles.today()).first()
        if row is None:
            raise Problem("nothing_here", status=404)
        user, votes, puzzle = viewer(request), list(row.votes.all()), row.puzzle
        own_vote = next((vote for vote in votes if user is not None and vote.user_id == user.pk), None)
        answer, loss = (own_vote.answer, own_vote.loss) if own_vote else (puzzle.played, puzzle.loss)
        return Response(
            {
                "day": row.day,
                "puzzle": serialize_puzzle(puzzle),
                "verdict": serialize_verdict(puzzle, answer, loss, user),
                "mine": {"answer": own_vote.answer} if own_vote else None,
                "shares": [
                    serialize_vote_share(share) for share in daily_puzzle.vote_shares(vote.answer for vote in votes)
                ],
            }
        )


def serialize_vote_share(share: Any) -> dict[str, Any]:
    return {"answer": share.answer, "votes": share.votes, "share": share.share}
