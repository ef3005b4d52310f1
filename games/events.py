"""The events of a match for its viewers. `for_viewer` is the one place that decides who sees what.

An event is built once and holds everybody's part; each socket projects it for its own viewer. The shapes are in
docs/protocol.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import orjson

from games import absence, clocks, orders, replay, take_back
from games.dice import match_dice
from games.engine import SIDES, Json, Side
from games.formats.record import state_at_score
from games.models import Action, Game, Match, RatedMatch, Seat, practice_side
from games.registry import RULES


def state_of(match: Match) -> replay.State:
    """The state of play of a live or finished match, from its snapshot."""
    return replay.restore(RULES[match.variant], match.options, match.snapshot)


def awaits(match: Match, side: Side) -> bool:
    """Whether a live match waits for `side`, its part in the dice of an opening included."""
    state = state_of(match)
    if state.opening and match.dice is not None:
        return state.awaits(side) and not match_dice.waits_for_opponent(match_dice.restore(match.dice), side)
    return state.awaits(side)


def start_state(match: Match, games: Iterable[Game]) -> replay.State:
    """The match before its first action; it may begin with a lead, and an imported one where its file did."""
    before: Json = next((game.score_before for game in games), {})
    return start_state_at(match, (before.get("white", 0), before.get("black", 0)))


def start_state_at(match: Match, score: tuple[float, float]) -> replay.State:
    """The match before its first action, at a score of White and Black."""
    rules = RULES[match.variant]
    if score == (0, 0):
        return replay.start(rules, match.length, match.options)
    return state_at_score(rules, match.length, match.options, score)


def build_event(
    match: Match,
    seats: Sequence[Seat],
    state: replay.State | None,
    *,
    moment: datetime,
    before: int | None = None,
    actions: Iterable[Action] = (),
) -> Json:
    """The event that took a match from version `before` to now (or just the state, when `before` is None)."""
    mover = moving_side(state) if state else None
    view = state.position.view(mover) if state else {}
    event: Json = {
        "version": match.version,
        "match": match_json(match, seats, state),
        "position": position_json(state, {**view, "tree": None}) if state else None,
        "resigns_at_once": bool(state and state.position.resigns_at_once),
        "offer": state.offer.as_json() if state and state.offer else None,
        "ready": sorted(state.ready) if state else [],
        "last": state.last if state else None,
        "ended": state.ended if state else None,
        "clock": clock_json(match, moment),
        "paused": pause_json(match, moment),
        "dice": dice_json(match),
        "private": {
            side: {
                "may": may_of(match, seats, state, side) if state else [],
                "tree": view.get("tree") if side == mover else None,
                **orders_part(match, state, side),
            }
            for side in SIDES
        },
    }
    if before is not None:
        event["from"] = before
        event["actions"] = [recorded_json(action) for action in actions]
    return event


def may_of(match: Match, seats: Sequence[Seat], state: replay.State, side: Side) -> list[str]:
    """Every button that `side` has now: those of the game, and in a practice match the taking back of its last play."""
    names, play = state.may(side), match.open_play
    if play is None or play == take_back.SPENT or state.result is not None or state.paused:
        return names
    return [*names, take_back.action_of(play)] if practice_side(match, seats) == side else names


def position_json(state: replay.State, view: Json | None = None) -> Json:
    """What a board draws of it. The winner of an opening who rolls anew is shown as any player to roll (A1).

    `view` is that of its position, where it is already there.
    """
    view = state.position.view(None) if view is None else view
    return {**view, "phase": "roll", "turn": state.roller} if state.roller else view


def moving_side(state: replay.State) -> Side | None:
    """The side that is to move: its player sees the tree of half-moves."""
    stands = state.resignation is not None or state.result is not None or state.paused
    return next((side for side in SIDES if side == state.position.turn and not stands), None)


def for_viewer(event: Json, side: Side | None, kind: str) -> Json:
    """The event as `side` (None: a spectator) may see it, as a frame of type `kind`."""
    own = event["private"].get(side) or {"may": [], "tree": None}
    frame = {key: value for key, value in event.items() if key not in ("private", "type")}
    frame["t"] = kind
    frame["you"] = side
    frame["may"] = own["may"]
    if side is not None and own.get("orders") is not None:
        frame["orders"] = own["orders"]
    if side is not None and own.get("rolls") is not None:
        frame["dice"] = {**frame["dice"], side: {**frame["dice"][side], **own["rolls"]}}
    if frame["position"] is not None:
        frame["position"] = {**frame["position"], "tree": own["tree"]}
    return frame


def text_for_viewer(message: Json, side: Side | None, kind: str) -> str:
    """`for_viewer` of the event in a message to a group, as JSON: made once for all on that side."""
    texts = message.setdefault("texts", {})
    if side not in texts:
        texts[side] = orjson.dumps(for_viewer(message["event"], side, kind)).decode()
    text: str = texts[side]
    return text


def match_json(match: Match, seats: Sequence[Seat], state: replay.State | None) -> Json:
    """The match as every page and API answer shows it; `clock` names the preset."""
    return {
        "id": match.id,
        "variant": match.variant,
        "family": RULES[match.variant].family,
        "length": match.length,
        "rated": match.rated,
        "status": match.status,
        "options": match.options,
        "clock": match.clock_preset,
        "players": {seat.side: player_json(seat) for seat in seats},
        "score": state.score.view() if state else None,
        "game": state.game if state else None,
        "result": result_json(match),
        "ratings": ratings_json(match),
        "rematch": rematch_id(match),
        "arranged": match.arranged,
        "title": match.title,
        "from_url": match.from_url,
        "taken_back": match.taken_back,
    }


def result_json(match: Match) -> Json | None:
    """The winner, and how it ended; None while it is not over. A session can end level, and a file without an end."""
    return {"winner": match.winner or None, "by": match.ended_by} if match.ended_by else None


def ratings_json(match: Match) -> Json | None:
    """What a rated match changed, by side: the ratings before and after; None where it changed nothing."""
    line = rated_line(match)
    if line is None or not line.counts:
        return None
    changes = {event.user_id: event for event in line.events.all()}
    return {
        side: {"before": changes[user].rating_before, "after": changes[user].rating_after}
        for side, user in zip(SIDES, (line.white_id, line.black_id), strict=True)
    }


def rated_line(match: Match) -> RatedMatch | None:
    """The line of a match in the log of its pool, whether it counts or not; no query where it was fetched with it."""
    if not match.rated or match.status != Match.Status.OVER:
        return None
    try:
        return match.rated_match
    except RatedMatch.DoesNotExist:
        return None


def player_json(seat: Seat) -> Json:
    user = seat.user
    return {"name": seat.name, "bot": bool(user and user.is_bot), "guest": bool(user and user.is_guest)}


def rematch_id(match: Match) -> str | None:
    """The id of the rematch offered or played, asked only of finished matches; an arranged one has none."""
    if match.status != Match.Status.OVER or match.arranged:
        return None
    return Match.objects.filter(rematch_of=match.pk).values_list("pk", flat=True).first()


def clock_json(match: Match, moment: datetime) -> Json | None:
    """The clock as it stands at `moment`, in milliseconds; None in a match without clock."""
    if match.clock is None:
        return None
    clock = clocks.restore(match.clock)
    used = milliseconds(match.clock_at, moment) if match.clock_at is not None else 0
    return clock.spend(clock.running, used).view() if clock.running is not None and used else clock.view()


def pause_json(match: Match, moment: datetime) -> Json | None:
    """The pause: who stopped both clocks, and why; of an adjourned match which sides want to go on at `moment`."""
    if match.pause is None or not match.pause.get("adjourned"):
        return match.pause
    return {**match.pause, "ready": absence.ready_sides(match.pause["ready"], moment)}


def dice_json(match: Match) -> Json | None:
    """What both seats have given for the dice, as everybody may see it; None where the dice have no proof."""
    return match_dice.restore(match.dice).view() if match.dice else None


def orders_part(match: Match, state: replay.State | None, side: Side) -> Json:
    """The orders of this seat, which only its player may see; empty in live play.

    `rolls` goes with the dice of the seat: `order`, `unless_double`, and `left`, whether an element for the next roll
    is there.
    """
    preset = clocks.PRESETS.get(match.clock_preset)
    if state is None or match.status != Match.Status.LIVE or preset is None or not preset.slow:
        return {}
    part: Json = {"orders": orders.view(state, side, orders.restore(match.orders).of(side))}
    if match.dice is not None:
        hand = match_dice.restore(match.dice).of(side)
        part["rolls"] = {"order": hand.order, "unless_double": hand.unless_double, "left": hand.left is not None}
    return part


def milliseconds(start: datetime, end: datetime) -> int:
    """Whole milliseconds from `start` to `end`, never negative."""
    return max(0, int((end - start).total_seconds() * 1000))


def action_json(action: Action) -> Json:
    view: Json = {"n": action.n, "game": action.game_number, "seat": action.actor, "text": action.text}
    if action.asked == orders.ORDERED and action.client_id is None:
        view["ordered"] = True
    return {**view, "proof": action.proof} if action.proof else view


def recorded_json(action: Action) -> Json:
    """An action and when it was recorded: a client notices by it that the site was restored from a backup."""
    return {**action_json(action), "at": action.at.isoformat()}


def challenge_message(match: Match) -> Json:
    """The message to the player who is challenged; the match's creator is fetched."""
    return {
        "t": "challenge",
        "id": match.pk,
        "from": match.creator.username,
        "variant": match.variant,
        "length": match.length,
    }


def ready_message(match: Match, seats: Iterable[Seat], user_id: int | None) -> Json:
    """The message to a player of an arranged match: it is ready."""
    message = {
        "t": "ready",
        "id": match.pk,
        "url": _url(match),
        "title": match.title,
        "from": _opponent_name(seats, user_id),
    }
    return {**message, "of": match.from_url} if match.from_url else message


def reminder_message(match: Match, seats: Iterable[Seat], user_id: int | None) -> Json:
    """The message to a player whose turn by correspondence ends within a day."""
    return {"t": "remind", "id": match.pk, "url": _url(match), "from": _opponent_name(seats, user_id)}


def your_move_message(match: Match, seats: Iterable[Seat], user_id: int | None) -> Json:
    """The message to a player whose turn by correspondence has begun, and ends at `until`."""
    until = match.flag_at.isoformat() if match.flag_at else None
    message = {"t": "move", "id": match.pk, "url": _url(match), "from": _opponent_name(seats, user_id)}
    return {**message, "version": match.version, "until": until}


def moved_message(match: Match) -> Json:
    """The message to a player by correspondence who is no longer to move."""
    return {"t": "moved", "id": match.pk}


def over_message(match: Match, seats: Iterable[Seat], user_id: int | None) -> Json:
    """The message to a player by correspondence whose match ended without their action: how, and whether they won."""
    seats = list(seats)
    won = next((seat.won for seat in seats if seat.user_id == user_id), None)
    message = {"t": "over", "id": match.pk, "url": _url(match), "from": _opponent_name(seats, user_id)}
    return {**message, "by": match.ended_by, "won": won}


def resume_message(match: Match, name: str) -> Json:
    """The message to a player whose opponent wants to go on with their adjourned match."""
    return {"t": "resume", "id": match.pk, "url": _url(match), "from": name}


def start_message(match: Match) -> Json:
    """The message to the player whose offer was accepted, or who arrived first: go to the match."""
    return {"t": "go", "id": match.pk, "url": _url(match)}


def _opponent_name(seats: Iterable[Seat], user_id: int | None) -> str:
    """The name of the opponent."""
    return next((seat.name for seat in seats if seat.user_id != user_id), "")


def _url(match: Match) -> str:
    return f"/match/{match.pk}/"
