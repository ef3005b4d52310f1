"""Reads of a match in play: its state for a viewer, the actions since a version, why a half-move is illegal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from games import services
from games.database import now
from games.engine import Json, Side
from games.errors import NotFound, Refused
from games.events import build_event, state_of
from games.models import Action, Match, seat_of
from games.registry import ILLEGAL
from games.selectors import dice_proofs
from games.selectors.matches import with_seats
from games.selectors.spectator_access import check_spectator
from games.services import match_sql

Viewing = tuple[str, int | None]
"""A match, and the user who looks at it."""
StateOfMatch = tuple[Json, Side | None]

MOST_ACTIONS = 400  # in one answer to `sync`; a longer gap is paged


def match_with_seats(match_id: str) -> Match | None:
    """The match with its seats and their players, in two queries."""
    return with_seats(Match.objects.all()).filter(pk=match_id).first()


def match_event(*, match_id: str, user_id: int | None) -> tuple[Json, Side | None]:
    """The state event of a match and the side of this viewer. A passed deadline is carried out first.

    Raises NotFound, also for a cancelled match and for a challenge between two others.
    """
    return _event_at(*_visible(match_id, user_id), user_id)


def match_events(viewings: Sequence[Viewing]) -> list[StateOfMatch | Exception]:
    """`match_event` for many viewers in two statements; what it would raise stands in the place of its answer."""
    matches, moment = match_sql.live_matches(list(dict.fromkeys(match_id for match_id, _ in viewings)))
    events: dict[str, Json] = {}
    return [_event_among(matches, events, moment, *viewing) for viewing in viewings]


def _event_among(
    matches: Mapping[str, Match], events: dict[str, Json], moment: datetime, match_id: str, user_id: int | None
) -> StateOfMatch | Exception:
    """The state of one match for one viewer; viewers of the same match share its event."""
    match = matches.get(match_id)
    try:
        if match is None or (match.flag_at is not None and match.flag_at <= moment):
            return match_event(match_id=match_id, user_id=user_id)
        check_spectator(match, user_id)
    except NotFound as refusal:
        return refusal
    if match_id not in events:
        events[match_id] = _event(match, moment)
    return events[match_id], seat_of(match, user_id)


def event_of(match: Match, *, user_id: int | None) -> tuple[Json, Side | None]:
    """`match_event` for a match that was just fetched with its seats and is visible. Raises NotFound."""
    return _event_at(match, now(), user_id)


def _event_at(match: Match, moment: datetime, user_id: int | None) -> tuple[Json, Side | None]:
    if match.flag_at is not None and match.flag_at <= moment:
        services.match_touch(match_id=match.pk)
        match, moment = _visible(match.pk, user_id)
    return _event(match, moment), seat_of(match, user_id)


def match_sync(*, match_id: str, user_id: int | None, after: int, most: int = MOST_ACTIONS) -> tuple[Json, Side | None]:
    """The actions after version `after` (at most `most`) with the present state, and this viewer's side.

    `more` in the event says that there are later actions, to be requested after the last one.

    Raises NotFound.
    """
    match, moment = _visible(match_id, user_id)
    missed = Action.objects.filter(match=match, n__gt=after).order_by("n")
    rows = list(missed[: most + 1]) if after < match.version else []
    rows, more = rows[:most], len(rows) > most
    dice_proofs.add_proofs(match, rows)
    event = build_event(
        match,
        list(match.seats.all()),
        state_of(match) if match.snapshot else None,
        moment=moment,
        before=min(after, match.version),
        actions=rows,
    )
    event["more"] = more
    return event, seat_of(match, user_id)


def explain_half_move(*, match_id: str, side: Side | None, path: str, attempt: str) -> tuple[int, Refused | None]:
    """The version, and why `attempt` is illegal for `side` after the half-moves of `path` (None: it is legal).

    Raises NotFound, Refused: not_seated, not_your_turn, bad_action.
    """
    match = match_with_seats(match_id)
    if match is None or not match.snapshot:
        raise NotFound
    if side is None:
        raise Refused("not_seated")
    position = state_of(match).position
    if position.turn != side:
        raise Refused("not_your_turn")
    if len(path) > 100 or len(attempt) > 40:
        raise Refused("bad_action")
    try:
        reason = position.why(path, attempt)
    except ILLEGAL as error:
        raise Refused("bad_action") from error
    if reason is None:
        return match.version, None
    return match.version, Refused(reason["code"], ruling=reason["ruling"], params=dict(reason.get("params", {})))


def deadlines(*, before: datetime, most: int = 500) -> list[tuple[str, datetime]]:
    """The matches whose deadline falls before a moment, soonest first (indexed)."""
    due = Match.objects.filter(flag_at__lt=before).order_by("flag_at").values_list("pk", "flag_at")[:most]
    return [(pk, flag_at) for pk, flag_at in due if flag_at is not None]


def _visible(match_id: str, user_id: int | None) -> tuple[Match, datetime]:
    """The match, if this viewer may see it, and the database's clock.

    A challenge and a cancelled offer are visible to the two players only. Raises NotFound, or its subclass
    ViewerBlocked, as do all callers.
    """
    live, moment = match_sql.live_matches([match_id])
    match = live.get(match_id)
    if match is None:
        match, moment = match_with_seats(match_id), now()
    if match is None or match.status == Match.Status.CANCELLED:
        raise NotFound
    challenge = match.status == Match.Status.OPEN and match.invited_id is not None
    if challenge and user_id not in (match.creator_id, match.invited_id):
        raise NotFound
    check_spectator(match, user_id)
    return match, moment


def _event(match: Match, moment: datetime) -> Json:
    return build_event(match, list(match.seats.all()), state_of(match) if match.snapshot else None, moment=moment)
