"""Matches as files hold them, and the matches that came out of files."""

from __future__ import annotations

from datetime import UTC

from django.db.models import Prefetch, QuerySet

from accounts.models import User
from games import formats
from games.errors import Refused
from games.formats.record import Record, of_actions
from games.models import FROM_FILE, Match, Seat


def record_of(match: Match) -> Record:
    """A finished match as neutral values, from its recorded actions. Seats are fetched."""
    actions = match.actions.order_by("n").values_list("actor", "text", "white_ms", "black_ms")
    first = match.games.order_by("number").first()
    score = (first.score_before.get("white", 0), first.score_before.get("black", 0)) if first else (0, 0)
    return of_actions(
        variant=match.variant,
        length=match.length,
        options=match.options,
        players={seat.side: seat.name for seat in match.seats.all()},
        actions=[(actor, text, (white, black)) for actor, text, white, black in actions],
        headers=_headers(match),
        score=score,
    )


def _headers(match: Match) -> dict[str, str]:
    """What a file says beside the play: of an archived match what its own file said."""
    said = {key: value for key, value in match.headers.items() if key != "sha256"}
    if match.source:
        return said
    played = match.started_at.astimezone(UTC) if match.started_at else None
    return {
        "Site": "Tablero",
        "Match ID": match.pk,
        "EventDate": played.strftime("%Y.%m.%d") if played else "",
        "EventTime": played.strftime("%H.%M") if played else "",
        "Unrated": "Off" if match.rated else "On",
        **said,
    }


def kinds(match: Match) -> list[str]:
    """The formats that a finished match can be written in, without reading its actions; none over the board."""
    if match.on_board:
        return []
    return formats.kinds(Record(match.variant, match.length, {}, (), options=match.options))


def text_of(match: Match, kind: str) -> str:
    """A finished match as text of a format. Raises FormatError, Refused("board_no_moves")."""
    if match.on_board:
        raise Refused("board_no_moves")
    return formats.write(record_of(match), kind)


def archived(user: User) -> QuerySet[Match]:
    """The matches that a member brought in files, the last first."""
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("-side"))
    return Match.objects.filter(FROM_FILE, creator=user).prefetch_related(seats).order_by("-created_at", "pk")
