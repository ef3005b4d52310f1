"""Questions about positions, the trainer, and the position of the day."""

from __future__ import annotations

from datetime import date
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.bodies import row_number
from accounts.api.errors import Problem
from accounts.api.views import ApiView, viewer, who
from accounts.models import User
from analysis import daily, puzzles, trainer
from analysis.api.reports import CubeWorthSerializer, PlaySerializer
from analysis.errors import Refused
from analysis.models import Card, Daily, Puzzle, Question, Vote
from analysis.selectors import training
from analysis.services import dailies, questions, running
from analysis.services.training import card_answer
from games.api.boards import PointsPositionSerializer
from games.api.common import cannot, choice, none_such
from games.api.states import ScoreSerializer
from games.formats import position as ids

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
    status = choice(Question.Status)
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
        row = questions.question_ask(user=who(request), text=bodies.body_of(QuestionBody, request)["id"])
        return Response(_question(row, who(request)), status=202)


class QuestionOne(ApiView):
    """One's own question, with its answer once a worker has found it."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=QuestionSerializer, operation_id="question", tags=["analysis"])
    def get(self, request: Request, question_id: int) -> Response:
        bodies.query_of(bodies.Query, request)
        row = Question.objects.filter(pk=row_number(question_id), user=who(request)).first()
        if row is None:
            raise Problem("nothing_here", status=404)
        return Response(_question(row, who(request)))


def _question(row: Question, user: User) -> dict[str, Any]:
    """The answer was allowed when it was asked for; a match may have come to this position since."""
    position: Any = ids.read(row.xgid)
    ready = row.status == Question.Status.READY
    stands = ready and running.stands(position, position.score.view(), user=user)
    facts = {name: getattr(row, name) for name in ("xgid", "depth", "status", "asked_at")}
    answer = row.answer if ready and not stands else None
    told: dict[str, Any] = QuestionSerializer({"id": row.pk, **facts, "running": stands, "answer": answer}).data
    return told


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
    """What is said after an answer; `options` are empty while the position stands in a running match."""

    running = serializers.BooleanField()
    answer = serializers.CharField()
    loss = serializers.FloatField(allow_null=True, help_text="Null: worse than all that is listed.")
    verdict = serializers.CharField(allow_null=True)
    best = serializers.CharField(allow_null=True)
    options = OptionSerializer(many=True)


def _asked(row: Puzzle) -> dict[str, Any]:
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


def _stands(row: Puzzle, user: User | None) -> bool:
    position: Any = puzzles.Puzzle.read(row.xgid, row.options).position
    return running.stands(position, position.score.view(), user=user)


def _told(row: Puzzle, answer: str, loss: float | None, user: User | None) -> dict[str, Any]:
    """What is said after an answer; nothing of the position while it stands in a running match."""
    nothing = {"running": True, "answer": answer, "loss": None, "verdict": None, "best": None, "options": []}
    if _stands(row, user):
        return nothing
    found = puzzles.Puzzle.read(row.xgid, row.options)
    best = found.options[0][1]
    options = [{"text": text, "equity": equity, "loss": best - equity} for text, equity in found.options]
    said = {"answer": answer, "loss": loss, "verdict": trainer.verdict(loss), "best": found.best, "options": options}
    return {"running": False, **said}


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
        user, today = who(request), dailies.today()
        card = training.next_card(user, today)
        told = None
        if card is not None:
            puzzle = card.puzzle
            told = {"id": card.pk, "match": puzzle.match_id, "game": puzzle.game, "puzzle": _asked(puzzle)}
        return Response({"card": told, "standing": TrainerStandingSerializer(training.standing(user, today)).data})


class PuzzleAnswerBody(bodies.Body):
    """A play, or what to do with the cube."""

    answer = serializers.CharField(max_length=120)


class TrainerCard(ApiView):
    """Answer a card: right or wrong, and what was better."""

    access: ClassVar = {"POST": access.member("play")}

    @extend_schema(
        request=PuzzleAnswerBody, responses=VerdictSerializer, operation_id="trainer_answer", tags=["analysis"]
    )
    def post(self, request: Request, card_id: int) -> Response:
        said, user = bodies.body_of(PuzzleAnswerBody, request)["answer"], who(request)
        card = Card.objects.select_related("puzzle").filter(pk=row_number(card_id), user=user).first()
        if card is None:
            raise Problem("nothing_here", status=404)
        if _stands(card.puzzle, user):
            raise Refused("question_running")
        done = card_answer(user=user, card_id=card_id, answer=said)
        return Response(_told(done.card.puzzle, done.answer, done.loss, user))


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


NO_PUZZLE = none_such("There is no position to ask: no match has given one yet.")


class DailyOne(ApiView):
    """The position of today; and a vote on it."""

    access: ClassVar = {"GET": access.public(), "POST": access.player("play")}

    @extend_schema(responses={200: DailySerializer, **NO_PUZZLE}, operation_id="daily", tags=["analysis"])
    def get(self, request: Request) -> Response:
        """The position of today."""
        bodies.query_of(bodies.Query, request)
        return Response(_daily(_today(), viewer(request)))

    @extend_schema(
        request=PuzzleAnswerBody,
        responses={200: DailySerializer, **NO_PUZZLE},
        operation_id="daily_vote",
        tags=["analysis"],
    )
    def post(self, request: Request) -> Response:
        """Vote on the position of today, once."""
        said, row = bodies.body_of(PuzzleAnswerBody, request)["answer"], _today()
        dailies.daily_vote(user=who(request), row=row, answer=said)
        return Response(_daily(row, who(request)))


def _today() -> Daily:
    """Raises Problem."""
    row = dailies.daily_pick(day=dailies.today())
    if row is None:
        raise Problem("nothing_here", status=404)
    return row


def _daily(row: Daily, user: User | None) -> dict[str, Any]:
    mine = Vote.objects.filter(daily=row, user=user).first() if user else None
    return {
        "day": row.day,
        "puzzle": _asked(row.puzzle),
        "votes": row.votes.count(),
        "mine": {"answer": mine.answer} if mine else None,
    }


class DailyPast(ApiView):
    """The position of a day that is over, with its answer and how the votes fell."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: PastSerializer, **cannot()}, operation_id="daily_past", tags=["analysis"])
    def get(self, request: Request, day: str) -> Response:
        bodies.query_of(bodies.Query, request)
        try:
            wanted = date.fromisoformat(day)
        except ValueError as error:
            raise Problem("nothing_here", status=404) from error
        row = Daily.objects.select_related("puzzle").filter(day=wanted, day__lt=dailies.today()).first()
        if row is None:
            raise Problem("nothing_here", status=404)
        user, votes, puzzle = viewer(request), list(row.votes.all()), row.puzzle
        mine = next((vote for vote in votes if user is not None and vote.user_id == user.pk), None)
        answer, loss = (mine.answer, mine.loss) if mine else (puzzle.played, puzzle.loss)
        return Response(
            {
                "day": row.day,
                "puzzle": _asked(puzzle),
                "verdict": _told(puzzle, answer, loss, user),
                "mine": {"answer": mine.answer} if mine else None,
                "shares": [_share(one) for one in daily.shares(vote.answer for vote in votes)],
            }
        )


def _share(one: Any) -> dict[str, Any]:
    return {"answer": one.answer, "votes": one.votes, "share": one.share}
