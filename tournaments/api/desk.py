"""The director's desk: what needs him, and his acts. Each is one call of a service; who does not direct gets 403."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.pages import slice_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, who
from accounts.models import User
from games.api.common import choice, shown, whole
from tournaments import services
from tournaments.api.entering import step
from tournaments.api.shapes import StepSerializer
from tournaments.errors import Refused
from tournaments.forms.desk import member_named
from tournaments.models import Tournament
from tournaments.selectors import desk as desks
from tournaments.selectors import entries, mending
from tournaments.services.conditions import LONGEST_PASSWORD

DESK = access.member("desk")
LONGEST_WHY = 200
MOST_KEYS = 600
MOST_ACT = 2**31 - 1


class AlertSerializer(serializers.Serializer[Any]):
    """Something that a director has to see to."""

    what = serializers.CharField()
    key = serializers.CharField(allow_blank=True)
    title = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    advice = serializers.CharField(allow_blank=True)


class OpenPairingSerializer(serializers.Serializer[Any]):
    """An open pairing."""

    key = serializers.CharField(source="card.key")
    title = serializers.CharField(source="card.sentence")
    match = serializers.CharField(source="match_id", allow_blank=True)
    penalties = serializers.CharField(allow_blank=True)
    alerted = serializers.BooleanField()
    paused = serializers.BooleanField()


class StageSerializer(serializers.Serializer[Any]):
    """An open round with its pairings that still have no result."""

    title = serializers.CharField()
    note = serializers.CharField()
    tables = OpenPairingSerializer(many=True)


class DeskSerializer(serializers.Serializer[Any]):
    """What a director needs."""

    version = serializers.IntegerField(source="tournament.version")
    phase = choice(Tournament.Phase, source="state.phase")
    players = serializers.IntegerField()
    checked_in = serializers.IntegerField()
    alerts = AlertSerializer(many=True)
    stages = StageSerializer(many=True)
    champions = serializers.ListField(child=serializers.CharField())


class LogEntrySerializer(serializers.Serializer[Any]):
    """A line of the log; `can`: `undo`, `redo` or nothing, by the number of its `act`."""

    at = serializers.CharField(help_text="In the time of the tournament's place, in words.")
    by = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    act = serializers.IntegerField()
    can = serializers.CharField(allow_blank=True)
    undone = serializers.BooleanField()
    key = serializers.CharField(allow_blank=True)


class Desk(ApiView):
    """What a director needs: alerts, open rounds, how many are there."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=DeskSerializer, operation_id="desk", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response(DeskSerializer(desks.desk(tournament_id=tournament_id, user=who(request))).data)


class Log(ApiView):
    """Everything that happened, the last first, for its directors."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(
        parameters=[bodies.Paged], responses=page_answer(LogEntrySerializer), operation_id="desk_log", tags=["desk"]
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        said = bodies.query_of(bodies.Paged, request)
        view = desks.desk(tournament_id=tournament_id, user=who(request))
        found = list(mending.chosen(view.events, "", ""))
        return slice_of(
            found,
            name=f"log-{tournament_id}-{len(found)}",
            asked=said,
            told=lambda some: shown(LogEntrySerializer, view.in_words(some)),
        )


class Act(ApiView):
    """An act of a director without anything to choose."""

    access: ClassVar = {"POST": DESK}

    def act(self, request: Request, tournament_id: str, service: Callable[..., object], **facts: Any) -> Response:
        service(tournament_id=tournament_id, user=who(request), **facts)
        return step(tournament_id)


def plain(name: str, service: Callable[..., object], about: str) -> type[ApiView]:
    """A view of an act that takes nothing but the tournament."""

    class Plain(Act):
        @extend_schema(request=None, responses=StepSerializer, operation_id=name, tags=["desk"], description=about)
        def post(self, request: Request, tournament_id: str) -> Response:
            return self.act(request, tournament_id, service)

    Plain.__doc__ = about
    Plain.__name__ = Plain.__qualname__ = "".join(part.capitalize() for part in name.split("_"))
    return Plain


def told_by(
    name: str,
    service: Callable[..., object],
    body: type[bodies.Body],
    about: str,
    facts: Callable[[str, dict[str, Any]], dict[str, Any]] = lambda _tournament, said: said,
) -> type[ApiView]:
    """A view of an act whose service takes what the body says, or what `facts` make of it."""

    class Told(Act):
        @extend_schema(request=body, responses=StepSerializer, operation_id=name, tags=["desk"], description=about)
        def post(self, request: Request, tournament_id: str) -> Response:
            said = bodies.body_of(body, request)
            entries.directed(tournament_id=tournament_id, user=who(request))
            return self.act(request, tournament_id, service, **facts(tournament_id, said))

    Told.__doc__ = about
    Told.__name__ = Told.__qualname__ = "".join(part.capitalize() for part in name.split("_"))
    return Told


# Its course

Draw = plain("desk_draw", services.tournament_draw, "Make the draw.")
Start = plain("desk_start", services.tournament_start, "Start, with the draw if nobody made it yet.")
Cancel = plain("desk_cancel", services.tournament_cancel, "Call the tournament off.")
Pair = plain("desk_pair", services.round_pair, "Pair the next round, or open it.")
RecessEnd = plain("desk_recess_end", services.recess_end, "End the break.")


class RoundBody(bodies.Body):
    """A round of a section."""

    section = serializers.CharField(max_length=24)
    round = whole("Its number.", least=1, most=1000, required=True)


class RoundTimeBody(bodies.Body):
    """When the next round opens; null: by hand, or as it was."""

    at = serializers.DateTimeField(allow_null=True)


class RecessBody(bodies.Body):
    """A break: until when (null: until it is ended), why, and whether the clocks of what is played stand."""

    until = serializers.DateTimeField(required=False, allow_null=True, default=None)
    why = serializers.CharField(required=False, default="", allow_blank=True, max_length=120)
    pause = serializers.BooleanField(required=False, default=True)


class KeysBody(bodies.Body):
    """Pairings whose matches are played here."""

    keys = serializers.ListField(child=serializers.CharField(max_length=40), min_length=1, max_length=MOST_KEYS)


class PauseBody(KeysBody):
    why = serializers.CharField(required=False, default="", allow_blank=True, max_length=120)


RoundOpen = told_by("desk_round_open", services.round_open, RoundBody, "Open a round.")
RoundTime = told_by("desk_round_time", services.round_time, RoundTimeBody, "Say when the next round opens.")
Recess = told_by("desk_recess", services.recess_begin, RecessBody, "Begin a break.")
Pause = told_by("desk_pause", services.matches_pause, PauseBody, "Pause matches: their clocks stand.")
Resume = told_by("desk_resume", services.matches_resume, KeysBody, "Let paused matches go on.")


def member_of(name: str) -> User:
    """A member by name. Raises Refused("no_such_player")."""
    found = member_named(name)
    if found is None:
        raise Refused("no_such_player")
    return found


# Around it


class MemberBody(bodies.Body):
    player = serializers.CharField(max_length=24, help_text="A member by name.")


class AnnouncementBody(bodies.Body):
    text = serializers.CharField(max_length=2000)


class PasswordBody(bodies.Body):
    password = serializers.CharField(allow_blank=True, max_length=LONGEST_PASSWORD, help_text="Nothing: none.")


Announce = told_by("desk_announce", services.announce, AnnouncementBody, "Say something to everybody.")
Password = told_by("desk_password", services.password_set, PasswordBody, "Choose the word that lets people in.")
DirectorAdd = told_by(
    "desk_director_add",
    services.director_add,
    MemberBody,
    "Let a member direct.",
    lambda _id, said: {"director": member_of(said["player"])},
)
DirectorRemove = told_by(
    "desk_director_remove",
    services.director_remove,
    MemberBody,
    "Let a director direct no more.",
    lambda _id, said: {"director": member_of(said["player"])},
)
TakeOver = plain(
    "desk_take_over", services.director_take_over, "Become a director of a tournament of the club that one owns."
)


class InvitationLinkSerializer(serializers.Serializer[Any]):
    """What the link says that lets people in."""

    invitation = serializers.CharField()


class Invitation(ApiView):
    """Make a new link that lets people in; the old one ends."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(request=None, responses=InvitationLinkSerializer, operation_id="desk_invitation", tags=["desk"])
    def post(self, request: Request, tournament_id: str) -> Response:
        made = services.invitation_renew(tournament_id=tournament_id, user=who(request))
        return Response({"invitation": made})
