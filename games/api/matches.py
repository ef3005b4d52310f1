"""Matches as history knows them: lists, and one match with its games, actions, files and dice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import QueryDict
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import Problem
from accounts.api.views import ApiView, tag_of, tagged, unchanged, viewer, who
from games import events, services
from games.api.common import asked, cannot, shown, text, whole
from games.api.rows import (
    ActionPageSerializer,
    LobbySerializer,
    MatchDiceSerializer,
    MatchPageSerializer,
    MatchRowSerializer,
    RecordSerializer,
)
from games.api.states import ChapterSerializer
from games.chapters import SHAPE
from games.errors import NotFound, Refused
from games.models import Action, Match
from games.registry import RULES
from games.selectors import archive, chapters, dice, history, lists, ratings, rolls
from games.selectors.filters import ORDERS, MatchFilter
from games.services.offers import LONGEST_MATCH

MOST_ACTIONS = 400
SORTS = [key for key, _name in ORDERS]
PAGES = ("tournament", "ladder")
"""What a match can be part of: the parameter, and the name of its page."""


class MatchQuery(bodies.Paged):
    """Which finished matches a list shows."""

    rival = text("Everybody of that name, or with it as a part; in the list of the site it needs `player`.")
    variant = asked(RULES, "The game.")
    length = whole("To so many points.", most=LONGEST_MATCH)
    longer = whole("To more points than these.", most=LONGEST_MATCH)
    result = asked(("won", "lost", "level"), "How it ended for the player; in the list of the site it needs `player`.")
    event = text("A part of the name of a tournament or ladder, or the path of its page.")
    tournament = serializers.SlugField(required=False, max_length=16, help_text="The matches of this tournament.")
    ladder = serializers.SlugField(required=False, max_length=16, help_text="The matches of this ladder.")
    since = serializers.DateField(required=False, help_text="Ended on this day or later.")
    until = serializers.DateField(required=False, help_text="Ended on this day or before.")
    pace = asked(("live", "correspondence"), "Played at one sitting, or by correspondence.")
    rated = asked(("yes", "no"), "Rated or not.")
    ended = asked(Match.EndedBy, "How it ended.")
    sort = asked(SORTS, "The order; newest first unless said.")


class SiteQuery(MatchQuery):
    """Those of the site, or of one player."""

    player = text("One player: of that name, or the only one with it as a part.")


class MineQuery(MatchQuery):
    """My own, by my marks too."""

    tag = text("With this tag of mine.", 72)
    favourite = serializers.BooleanField(required=False, help_text="My favourites only.")
    noted = serializers.BooleanField(required=False, help_text="With a note of mine only.")


def _listed(request: Request, form: type[MatchQuery], **owner: Any) -> Response:
    """A page of finished matches as the address asks. Raises ValidationError; Problem ``bad_cursor``, ``invalid``."""
    said = bodies.query_of(form, request)
    place, size = said.pop("cursor", ""), said.pop("size")
    if place and history.Place.read(place) is None:
        raise Problem("bad_cursor", status=404)
    for name in PAGES:
        if name in said:
            said["event"] = reverse(name, args=[said.pop(name)])
    query = QueryDict(mutable=True)
    query.update({name: str(value) for name, value in said.items() if value is not False})
    wanted = MatchFilter(query, **owner)
    if wanted.errors:
        faults = {name: [str(each) for each in said] for name, said in wanted.errors.items()}
        raise Problem("invalid", status=409, fields=faults)  # well said, and there is no such player
    found = history.listing(wanted, after=place, size=size)
    further = str(found.after) if found.after else None
    rows = shown(MatchRowSerializer, found.rows)
    return Response({"results": rows, "next": further, "count": found.count})


class SiteMatches(ApiView):
    """The finished matches of the site, in pages."""

    access: ClassVar = {"GET": access.public(kind="search")}

    @extend_schema(
        parameters=[SiteQuery], responses={200: MatchPageSerializer}, operation_id="matches", tags=["matches"]
    )
    def get(self, request: Request) -> Response:
        """The finished matches of the site, in pages, by any of the filters."""
        return _listed(request, SiteQuery)


class History(ApiView):
    """One's own finished matches, those out of files among them, with one's marks."""

    access: ClassVar = {"GET": access.player("read", "search")}

    @extend_schema(parameters=[MineQuery], responses={200: MatchPageSerializer}, operation_id="history", tags=["me"])
    def get(self, request: Request) -> Response:
        return _listed(request, MineQuery, owner=who(request), private=True)


class Lobby(ApiView):
    """What the lobby lists: one's matches in play, challenges, open seeks, live tables, and what was played last."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: LobbySerializer}, operation_id="lobby", tags=["lobby"])
    def get(self, request: Request) -> Response:
        found = lists.lobby(viewer(request))
        return Response(LobbySerializer(found).data)


class MatchRecord(ApiView):
    """A match beside its play: its games, its files, what it changed in the ratings, corrections, one's marks."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: RecordSerializer}, operation_id="match_record", tags=["matches"])
    def get(self, request: Request, match_id: str) -> Response:
        user = viewer(request)
        match = lists.match_seen(match_id=match_id, user=user)
        over = match.status == Match.Status.OVER
        marked = user is not None and history.may_mark(match, user)
        told = {
            "match": lists.rows([match], user)[0],
            "version": match.version,
            "games": _games(match),
            "files": _files(match) if over else [],
            "ratings": ratings.of_match(match) if over else [],
            "annulled": ratings.annulled(match),
            "corrections": ratings.corrections(match),
            "may_correct": services.correctable(match, user),
            "mark": history.marks_of(user, [match.pk])[match.pk] if user is not None and marked else None,
        }
        return Response(RecordSerializer(told).data)


def _games(match: Match) -> list[Any]:
    found = list(match.games.order_by("number"))
    for game in found:
        game.match = match
    return found


def _files(match: Match) -> list[dict[str, str]]:
    """Where a finished match can be fetched as a file, and the transcript of its dice."""
    found = [{"kind": kind, "url": reverse("match-file", args=[match.pk, kind])} for kind in archive.kinds(match)]
    return [*found, {"kind": "dice", "url": reverse("match-dice", args=[match.pk])}] if match.dice else found


class ActionsQuery(bodies.Query):
    """From where on, and how many."""

    after = whole("The version to begin after: that of the last action that is known.", default=0)
    size = whole("How many at most.", least=1, most=MOST_ACTIONS, default=100)


class MatchActions(ApiView):
    """The recorded actions of a match from a version on, with the proofs of its dice."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[ActionsQuery], responses={200: ActionPageSerializer}, operation_id="match_actions", tags=["matches"]
    )
    def get(self, request: Request, match_id: str) -> Response:
        said = bodies.query_of(ActionsQuery, request)
        match = lists.match_seen(match_id=match_id, user=viewer(request))
        tag = tag_of("actions", match.pk, match.version, *said.values())
        if (same := unchanged(request, tag)) is not None:
            return same
        rows = list(Action.objects.filter(match=match, n__gt=said["after"]).order_by("n")[: said["size"] + 1])
        more, rows = len(rows) > said["size"], rows[: said["size"]]
        if rows:
            dice.prove(match, rows)
        told = [events.recorded_json(row) for row in rows]
        return tagged({"results": told, "next": rows[-1].n if more else None, "version": match.version}, tag)


class MatchGame(ApiView):
    """One game of a finished match: each action with the position after it."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: ChapterSerializer, **cannot()}, operation_id="match_game", tags=["matches"])
    def get(self, request: Request, match_id: str, number: int) -> Response:
        match = lists.match_seen(match_id=match_id, user=viewer(request))
        if match.status != Match.Status.OVER:
            raise Refused("not_over")
        tag = tag_of("game", SHAPE, match.pk, match.version, number)
        return unchanged(request, tag) or tagged(chapters.chapter_of(match, number), tag)


class MatchNumbers(ApiView):
    """The dice of a finished match against fair ones: both players together, and each."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: MatchDiceSerializer, **cannot()}, operation_id="match_numbers", tags=["matches"])
    def get(self, request: Request, match_id: str) -> Response:
        match = lists.match_seen(match_id=match_id, user=viewer(request))
        if match.source:
            raise NotFound
        if match.status != Match.Status.OVER:
            raise Refused("not_over")
        tag = tag_of("numbers", match.pk, match.version)
        if (same := unchanged(request, tag)) is not None:
            return same
        found = rolls.of_match(match)
        return tagged(MatchDiceSerializer({"both": found.both, **found.sides}).data, tag)
