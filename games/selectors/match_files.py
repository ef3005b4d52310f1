"""Matches as files: export records and formats, and the matches imported from files."""

from __future__ import annotations

from datetime import UTC

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from games import formats, labels, take_back
from games.errors import Refused
from games.events import state_of
from games.formats.record import Record, record_from_actions
from games.models import FROM_FILE, Match
from games.selectors.matches import with_seats

FONT = "static/vendor/fonts/alegreya-latin.woff2"


def record_of(match: Match) -> Record:
    """Build the neutral record of a finished match from its recorded actions. Seats are fetched."""
    rows = match.actions.order_by("n").only("match_id", "n", "actor", "text", "white_ms", "black_ms")
    first = match.games.order_by("number").first()
    score = (first.score_before.get("white", 0), first.score_before.get("black", 0)) if first else (0, 0)
    return record_from_actions(
        variant=match.variant,
        length=match.length,
        options=match.options,
        players={seat.side: seat.name for seat in match.seats.all()},
        actions=[(row.actor, row.text, (row.white_ms, row.black_ms)) for row in take_back.standing(rows)],
        headers=_headers(match),
        score=score,
    )


def _headers(match: Match) -> dict[str, str]:
    """The headers of a file; of an imported match those of its own file."""
    headers = {key: value for key, value in match.headers.items() if key != "sha256"}
    if match.source:
        return headers
    played = match.started_at.astimezone(UTC) if match.started_at else None
    return {
        "Site": "Tablero",
        "Match ID": match.pk,
        "EventDate": played.strftime("%Y.%m.%d") if played else "",
        "EventTime": played.strftime("%H.%M") if played else "",
        "Unrated": "Off" if match.rated else "On",
        **headers,
    }


def available_formats(match: Match) -> list[str]:
    """The formats that can hold a finished match, without reading its actions; none for an over-the-board match."""
    if match.over_the_board:
        return []
    return formats.available_formats(Record(match.variant, match.length, {}, (), options=match.options))


def card_png(match: Match) -> bytes:
    """The picture of a finished match that has moves, for shared links: its seats are fetched."""
    from games.diagrams.share_card import ShareCard, share_card  # the pictures' library is loaded when one is drawn

    seats = {seat.side: seat for seat in match.seats.all()}
    card = ShareCard(
        position=state_of(match).position.view(None),
        names={side: seat.name for side, seat in seats.items()},
        points={side: labels.points(seat.points) for side, seat in seats.items()},
        about=[labels.variant(match.variant), labels.length(match.length)],
        site="Tablero",
    )
    return share_card(card, settings.BASE_DIR / FONT)


def match_text(match: Match, kind: str) -> str:
    """Format a finished match as text. Raises FormatError, Refused("board_no_moves")."""
    if match.over_the_board:
        raise Refused("board_no_moves")
    return formats.write(record_of(match), kind)


def imported_matches(user: User) -> QuerySet[Match]:
    """The matches that a user imported, the latest first."""
    return with_seats(Match.objects.filter(FROM_FILE, creator=user)).order_by("-created_at", "pk")
