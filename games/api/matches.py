"""Finished matches over HTTP: lists, and a match with its games, actions, files and dice statistics."""

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
from accounts.api.views import ApiView, current_user, etag_for, not_modified, viewer, with_etag
from games import events, services
from games.api.fields import conflict_response, integer, optional_choice, optional_text, serialize_many
from games.api.match_serializers import (
    ActionPageSerializer,
    MatchDiceSerializer,
    MatchPageSerializer,
    MatchRowSerializer,
    RecordSerializer,
)
from games.api.state_serializers import GameFramesSerializer
from games.errors import NotFound, Refused
from games.models import Action, Match
from games.registry import RULES
from games.replay_frames import FRAMES_VERSION
from games.selectors import dice_proofs, dice_reports, history, match_files, ratings, replay_frames
from games.selectors.match_filter import ORDERS, MatchFilter
from games.selectors.match_rows import match_rows
from games.selectors.matches import visible_match
from games.services.offers import MAX_LENGTH

MOST_ACTIONS = 400
SORTS = [key for key, _name in ORDERS]
PAGES = ("tournament", "ladder")
"""The events that a match can be part of: the query parameter, which is also the URL name of the page."""


class MatchQuery(bodies.Paged):
    """The filters of a list of finished matches."""

    rival = optional_text("The opponent: a name or a part of one; in the list of the site only together with `player`.")
    variant = optional_choice(RULES, "The game.")
    length = integer("The match length.", most=MAX_LENGTH)
    longer = integer("Longer than this match length.", most=MAX_LENGTH)
    result = optional_choice(
        ("won", "lost", "level"), "The result for the player; in the list of the site only together with `player`."
    )
    event = optional_text("A part of the name of a tournament or ladder, or the path of its page.")
    tournament = serializers.SlugField(required=False, max_length=16, help_text="The matches of this tournament.")
    ladder = serializers.SlugField(required=False, max_length=16, help_text="The matches of this ladder.")
    since = serializers.DateField(required=False, help_text="Ended on this day or later.")
    until = serializers.DateField(required=False, help_text="Ended on this day or before.")
    pace = optional_choice(("live", "correspondence"), "Live or correspondence.")
    rated = optional_choice(("yes", "no"), "Rated or not.")
    ended = optional_choice(Match.EndedBy, "How it ended.")
    sort = optional_choice(SORTS, "The order; newest first by default.")


class SiteQuery(MatchQuery):
    """The matches of the site, or of one player."""

    player = optional_text("One player: a name, or a part of a name that fits only one player.")


class MineQuery(MatchQuery):
    """Your own matches, also by your marks."""

    tag = optional_text("With this tag of yours.", 72)
    favourite = serializers.BooleanField(required=False, help_text="Your favourites only.")
    noted = serializers.BooleanField(required=False, help_text="With a note of yours only.")


def _match_page_response(request: Request, form: type[MatchQuery], **owner: Any) -> Response:
    """A page of finished matches by the query. Raises ValidationError; Problem ``bad_cursor``, ``invalid``."""
    query = bodies.query_of(form, request)
    cursor, size = query.pop("cursor", ""), query.pop("size")
    if cursor and history.Cursor.read(cursor) is None:
        raise Problem("bad_cursor", status=404)
    for name in PAGES:
        if name in query:
            query["event"] = reverse(name, args=[query.pop(name)])
    parameters = QueryDict(mutable=True)
    parameters.update({name: str(value) for name, value in query.items() if value is not False})
    match_filter = MatchFilter(parameters, **owner)
    if match_filter.errors:
        errors = {name: [str(error) for error in field] for name, field in match_filter.errors.items()}
        raise Problem("invalid", status=409, fields=errors)  # well-formed, but there is no such player
    page = history.match_page(match_filter, after=cursor, size=size)
    following = str(page.after) if page.after else None
    rows = serialize_many(MatchRowSerializer, page.rows)
    return Response({"results": rows, "next": following, "count": page.count})


class SiteMatches(ApiView):
    """The finished matches of the site, in pages."""

    access: ClassVar = {"GET": access.public(kind="search")}

    @extend_schema(
        parameters=[SiteQuery], responses={200: MatchPageSerializer}, operation_id="matches", tags=["matches"]
    )
    def get(self, request: Request) -> Response:
        """The finished matches of the site, in pages, by any of the filters."""
        return _match_page_response(request, SiteQuery)


class History(ApiView):
    """Your own finished matches, imported ones included, with your marks."""

    access: ClassVar = {"GET": access.player("read", "search")}

    @extend_schema(parameters=[MineQuery], responses={200: MatchPageSerializer}, operation_id="history", tags=["me"])
    def get(self, request: Request) -> Response:
        return _match_page_response(request, MineQuery, owner=current_user(request), private=True)


class MatchRecord(ApiView):
    """A match without its actions: its games, files, rating changes, corrections and your marks."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: RecordSerializer}, operation_id="match_record", tags=["matches"])
    def get(self, request: Request, match_id: str) -> Response:
        user = viewer(request)
        match = visible_match(match_id=match_id, user=user)
        over = match.status == Match.Status.OVER
        marked = user is not None and history.may_mark(match, user)
        data = {
            "match": match_rows([match], user)[0],
            "version": match.version,
            "games": _games(match),
            "files": _files(match) if over else [],
            "ratings": ratings.rating_changes(match) if over else [],
            "annulled": ratings.is_annulled(match),
            "corrections": ratings.corrections(match),
            "may_correct": services.correctable(match, user),
            "mark": history.marks_of(user, [match.pk])[match.pk] if user is not None and marked else None,
        }
        return Response(RecordSerializer(data).data)


def _games(match: Match) -> list[Any]:
    """The games of a match in order, with the match set on each."""
    found = list(match.games.order_by("number"))
    for game in found:
        game.match = match
    return found


def _files(match: Match) -> list[dict[str, str]]:
    """The URLs of a finished match's files, and of the transcript of its dice."""
    found = [
        {"kind": kind, "url": reverse("match-file", args=[match.pk, kind])}
        for kind in match_files.available_formats(match)
    ]
    return [*found, {"kind": "dice", "url": reverse("match-dice", args=[match.pk])}] if match.dice else found


class ActionsQuery(bodies.Query):
    """The first action and how many."""

    after = integer("Actions after this version: that of the last action you have.", default=0)
    size = integer("The most actions to return.", least=1, most=MOST_ACTIONS, default=100)


class MatchActions(ApiView):
    """The recorded actions of a match after a version, with the proofs of its dice."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[ActionsQuery], responses={200: ActionPageSerializer}, operation_id="match_actions", tags=["matches"]
    )
    def get(self, request: Request, match_id: str) -> Response:
        query = bodies.query_of(ActionsQuery, request)
        match = visible_match(match_id=match_id, user=viewer(request))
        tag = etag_for("actions", match.pk, match.version, *query.values())
        if (same := not_modified(request, tag)) is not None:
            return same
        rows = list(Action.objects.filter(match=match, n__gt=query["after"]).order_by("n")[: query["size"] + 1])
        more, rows = len(rows) > query["size"], rows[: query["size"]]
        if rows:
            dice_proofs.add_proofs(match, rows)
        data = [events.recorded_json(row) for row in rows]
        return with_etag({"results": data, "next": rows[-1].n if more else None, "version": match.version}, tag)


class MatchGame(ApiView):
    """One game of a finished match: each action with the position after it."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        responses={200: GameFramesSerializer, **conflict_response()}, operation_id="match_game", tags=["matches"]
    )
    def get(self, request: Request, match_id: str, number: int) -> Response:
        match = visible_match(match_id=match_id, user=viewer(request))
        if match.status != Match.Status.OVER:
            raise Refused("not_over")
        tag = etag_for("game", FRAMES_VERSION, match.pk, match.version, number)
        return not_modified(request, tag) or with_etag(replay_frames.game_frames_of(match, number), tag)


class MatchNumbers(ApiView):
    """The dice statistics of a finished match, of both players together and of each."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        responses={200: MatchDiceSerializer, **conflict_response()}, operation_id="match_numbers", tags=["matches"]
    )
    def get(self, request: Request, match_id: str) -> Response:
        match = visible_match(match_id=match_id, user=viewer(request))
        if match.source:
            raise NotFound
        if match.status != Match.Status.OVER:
            raise Refused("not_over")
        tag = etag_for("numbers", match.pk, match.version)
        if (same := not_modified(request, tag)) is not None:
            return same
        found = dice_reports.match_dice(match)
        return with_etag(MatchDiceSerializer({"both": found.both, **found.sides}).data, tag)
