"""The director's desk: its alerts, open rounds and log, and the acts about the tournament as a whole.

Who has no role that allows it is answered 403.
"""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.pagination import paginate_list
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, current_user
from games.api.fields import choice, integer, serialize_many
from tournaments import services
from tournaments.api.desk_acts import DESK, Data, desk_view, member_or_refused
from tournaments.models import Tournament
from tournaments.roles import DeskAct, Role
from tournaments.selectors import corrections
from tournaments.selectors.director_desk import director_desk
from tournaments.services.entry_conditions import LONGEST_PASSWORD
from tournaments.services.results import MAX_REASON
from tournaments.services.rulings import LONGEST_RULING

MOST_KEYS = 600


class AlertSerializer(serializers.Serializer[Any]):
    """Something that needs a director."""

    what = serializers.CharField(source="kind")
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


class OpenRoundSerializer(serializers.Serializer[Any]):
    """An open round with its pairings that have no result yet."""

    title = serializers.CharField()
    note = serializers.CharField()
    tables = OpenPairingSerializer(source="pairings", many=True)


class DeskSerializer(serializers.Serializer[Any]):
    """The desk, and what the viewer may do there."""

    version = serializers.IntegerField(source="tournament.version")
    phase = choice(Tournament.Phase, source="state.phase")
    role = choice(Role, "The role of the viewer.")
    may = serializers.SerializerMethodField()
    players = serializers.IntegerField()
    checked_in = serializers.IntegerField()
    alerts = AlertSerializer(many=True)
    stages = OpenRoundSerializer(source="open_rounds", many=True)
    champions = serializers.ListField(child=serializers.CharField())

    @extend_schema_field(serializers.ListField(child=serializers.CharField(help_text="What the viewer may do.")))
    def get_may(self, view: Any) -> list[str]:
        return sorted(view.may)


class LogEntrySerializer(serializers.Serializer[Any]):
    """An entry of the log; `can`: `undo`, `redo` or empty, by the number of its `act`."""

    at = serializers.CharField(help_text="In the tournament's time zone, in words.")
    by = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    act = serializers.IntegerField()
    can = serializers.CharField(allow_blank=True)
    undone = serializers.BooleanField()
    key = serializers.CharField(allow_blank=True)


class Desk(ApiView):
    """The director's desk: alerts, open rounds, the number of players."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=DeskSerializer, operation_id="desk", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response(DeskSerializer(director_desk(tournament_id=tournament_id, user=current_user(request))).data)


class Log(ApiView):
    """The log of a tournament, the last entry first, for its officials."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(
        parameters=[bodies.Paged], responses=page_serializer(LogEntrySerializer), operation_id="desk_log", tags=["desk"]
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        query = bodies.query_of(bodies.Paged, request)
        view = director_desk(tournament_id=tournament_id, user=current_user(request))
        events = corrections.filter_events(view.events, "", "")
        return paginate_list(
            events,
            name=f"log-{tournament_id}-{len(events)}",
            query=query,
            serialize=lambda page: serialize_many(LogEntrySerializer, view.log_entries(page)),
        )


# Draw, start, rounds and breaks


class RoundBody(bodies.Body):
    """A round of a section."""

    section = serializers.CharField(max_length=24)
    round = integer("Its number.", least=1, most=1000, required=True)


class RoundTimeBody(bodies.Body):
    """When the next round opens; null: by hand, or as scheduled before."""

    at = serializers.DateTimeField(allow_null=True)


class BreakBody(bodies.Body):
    """A break: until when (null: until a director ends it), why, and whether it stops the clocks of live matches."""

    until = serializers.DateTimeField(required=False, allow_null=True, default=None)
    why = serializers.CharField(required=False, default="", allow_blank=True, max_length=120)
    pause = serializers.BooleanField(required=False, default=True)


class KeysBody(bodies.Body):
    """Pairings whose matches are played on this site."""

    keys = serializers.ListField(child=serializers.CharField(max_length=40), min_length=1, max_length=MOST_KEYS)


class PauseBody(KeysBody):
    """Pairings whose matches are paused, and why."""

    why = serializers.CharField(required=False, default="", allow_blank=True, max_length=120)


Draw = desk_view("desk_draw", services.tournament_draw, "Make the draw.", act=DeskAct.DRAW)
Start = desk_view(
    "desk_start", services.tournament_start, "Start; make the draw first if there is none.", act=DeskAct.DRAW
)
Stop = desk_view(
    "desk_stop",
    services.arena_stop,
    "End the pairing of an arena before its time is up. Matches in play count.",
    act=DeskAct.RUN_ROUNDS,
)
Cancel = desk_view("desk_cancel", services.tournament_cancel, "Cancel the tournament.", act=DeskAct.CANCEL)
Pair = desk_view("desk_pair", services.round_pair, "Pair the next round, or open it.", act=DeskAct.RUN_ROUNDS)
RoundOpen = desk_view("desk_round_open", services.round_open, "Open a round.", RoundBody, act=DeskAct.RUN_ROUNDS)
RoundTime = desk_view(
    "desk_round_time", services.round_set_time, "Schedule the next round.", RoundTimeBody, act=DeskAct.RUN_ROUNDS
)
BreakStart = desk_view("desk_recess", services.break_start, "Start a break.", BreakBody, act=DeskAct.RUN_ROUNDS)
BreakEnd = desk_view("desk_recess_end", services.break_end, "End the break.", act=DeskAct.RUN_ROUNDS)
Pause = desk_view(
    "desk_pause", services.matches_pause, "Pause matches: their clocks stop.", PauseBody, act=DeskAct.PAUSE_MATCHES
)
Resume = desk_view(
    "desk_resume", services.matches_resume, "Resume paused matches.", KeysBody, act=DeskAct.PAUSE_MATCHES
)


# Announcements, directors, invitations


class MemberBody(bodies.Body):
    """A member by name."""

    player = serializers.CharField(max_length=24, help_text="A member by name.")


class AnnouncementBody(bodies.Body):
    """An announcement."""

    text = serializers.CharField(max_length=2000)


class RulingBody(bodies.Body):
    """A ruling with its reason, about a pairing or (no `key`) about the tournament. Everybody can read it."""

    text = serializers.CharField(max_length=LONGEST_RULING)
    why = serializers.CharField(max_length=MAX_REASON)
    key = serializers.CharField(required=False, default="", allow_blank=True, max_length=40)


class PasswordBody(bodies.Body):
    """The password for registration."""

    password = serializers.CharField(allow_blank=True, max_length=LONGEST_PASSWORD, help_text="Empty: none.")


def _director(_tournament_id: str, data: Data) -> Data:
    return {"director": member_or_refused(data["player"])}


Announce = desk_view(
    "desk_announce", services.announcement_post, "Post an announcement.", AnnouncementBody, act=DeskAct.ANNOUNCE
)
Ruling = desk_view("desk_ruling", services.ruling_record, "Write down a ruling.", RulingBody, act=DeskAct.WRITE_RULINGS)
Password = desk_view(
    "desk_password",
    services.password_set,
    "Set the password for registration.",
    PasswordBody,
    act=DeskAct.CHANGE_SETTINGS,
)
DirectorAdd = desk_view(
    "desk_director_add", services.director_add, "Add a director.", MemberBody, _director, act=DeskAct.APPOINT
)
DirectorRemove = desk_view(
    "desk_director_remove", services.director_remove, "Remove a director.", MemberBody, _director, act=DeskAct.APPOINT
)
TakeOver = desk_view(
    "desk_take_over",
    services.director_take_over,
    "Become a director of a tournament of one's own club, as an owner.",
    act=DeskAct.APPOINT,
)


class InvitationLinkSerializer(serializers.Serializer[Any]):
    """The token of the invitation link."""

    invitation = serializers.CharField()


class Invitation(ApiView):
    """Make a new invitation link; the old one stops working."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(request=None, responses=InvitationLinkSerializer, operation_id="desk_invitation", tags=["desk"])
    def post(self, request: Request, tournament_id: str) -> Response:
        token = services.invitation_renew(tournament_id=tournament_id, user=current_user(request))
        return Response({"invitation": token})
