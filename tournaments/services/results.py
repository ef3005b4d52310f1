"""Results: from the board, from the players, from the director. Each takes its effect once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from games.models import Match
from games.services import outage
from tournaments import notify
from tournaments.errors import Refused
from tournaments.formats.core import Key, Pairing
from tournaments.models import Entrant, Meeting
from tournaments.services.desk import Desk

Points = Sequence[float]
LONGEST_WHY = 200


def result_report(*, tournament_id: str, user: User, key: Key, winner: int, points: Points) -> None:
    """A player tells how a match over the board ended: `points` are a's and b's.

    The same story from both is a result; two stories are a dispute. What is told of somebody without an account waits
    for the director. Raises Refused: not_yours, not_ready, not_open, locked, on_the_board, online_only, report_*.
    """
    with transaction.atomic():
        desk, pairing, me = _reporting(tournament_id, user, key)
        _check_score(desk, pairing, winner, points)
        told = desk.state.report(pairing)
        if told is not None and told.by != me.number:
            if (told.winner, told.points) == (winner, tuple(points)):
                _result(desk, user, pairing, winner, points)
            else:
                _dispute(desk, user, pairing, winner, points)
        else:
            of = list(pairing.entrants)
            desk.record("reported", user, key=key, of=of, by=me.number, winner=winner, points=list(points))
            rival = desk.entrant(_rival(pairing, me.number))
            if rival.user_id is None:
                desk.alert("unconfirmed", key)
            else:
                notify.reported(desk.tournament, key, by=me, rival=rival)
        desk.commit()


def result_confirm(*, tournament_id: str, user: User, key: Key) -> None:
    """The rival says that it is so. Raises Refused: no_report, own_report and as result_report."""
    with transaction.atomic():
        desk, pairing, me = _reporting(tournament_id, user, key)
        told = desk.state.report(pairing)
        if told is None or told.disputed:
            raise Refused("no_report")
        if told.by == me.number:
            raise Refused("own_report")
        _result(desk, user, pairing, told.winner, told.points)
        desk.commit()


def result_dispute(*, tournament_id: str, user: User, key: Key, winner: int, points: Points) -> None:
    """The rival tells another story: the director decides. Raises as result_confirm."""
    with transaction.atomic():
        desk, pairing, me = _reporting(tournament_id, user, key)
        told = desk.state.report(pairing)
        if told is None:
            raise Refused("no_report")
        if told.by == me.number:
            raise Refused("own_report")
        _check_score(desk, pairing, winner, points)
        _dispute(desk, user, pairing, winner, points)
        desk.commit()


def result_enter(
    *,
    tournament_id: str,
    user: User,
    key: Key,
    winner: int | None,
    points: Points | None = None,
    how: str = "played",
    why: str = "",
) -> None:
    """A director enters a result; no winner is a double walkover. A match in play here is called off.

    `why` he decides so, where he says it, can be read by everybody.
    Raises Refused: not_director, not_running, no_pairing, not_ready, report_*, no_reason.
    """
    why = " ".join(why.split())
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        desk.need_phase("running")
        pairing = desk.pairing(key)
        if pairing.state != "ready":
            raise Refused("not_ready")
        _check_result(desk, pairing, winner, points, how)
        if len(why) > LONGEST_WHY or not why.isprintable():
            raise Refused("no_reason")
        said = {"why": why} if why else {}
        _result(desk, user, pairing, winner, points if how == "played" else None, how=how, **said)
        desk.commit()


def result_correct(
    *,
    tournament_id: str,
    user: User,
    key: Key,
    winner: int | None,
    points: Points | None = None,
    how: str = "played",
    why: str,
    agreed: Collection[Key] | None = None,
) -> None:
    """A director corrects a result, with a reason that everybody can read; also after the end, and then it may go on.

    Pairings that would be reset are those that he has agreed to, and no others. Of a match that was played on this
    site the winner is corrected there, too. No winner is a double walkover.

    Raises Refused: not_director, not_running, no_pairing, no_result_yet, report_*, no_reason, same_result; Affects.
    """
    why = " ".join(why.split())
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        if desk.state.phase != "over":
            desk.need_phase("running")
        pairing = desk.pairing(key)
        was = pairing.result
        if pairing.state != "done" or was is None:
            raise Refused("no_result_yet")
        _check_result(desk, pairing, winner, points, how)
        if not why or len(why) > LONGEST_WHY or not why.isprintable():
            raise Refused("no_reason")
        points = tuple(points) if points is not None and how == "played" else None
        if (was.winner, was.points, was.how) == (winner, points, how):
            raise Refused("same_result")
        facts = {"match": was.match} if was.match else {}
        desk.record("result", user, **_told(pairing, winner, points, how), corrects=True, why=why, **facts)
        desk.need_agreement(agreed, told={key})
        desk.advance()
        desk.commit(why)


def _check_result(desk: Desk, pairing: Pairing, winner: int | None, points: Points | None, how: str) -> None:
    """Whether a director can enter this. Raises Refused: report_winner, report_score."""
    if winner is not None and winner not in pairing.entrants:
        raise Refused("report_winner")
    if how not in ("played", "walkover") or (winner is None and how == "played"):
        raise Refused("report_winner")
    if points is not None and how == "played" and winner is not None:
        _check_score(desk, pairing, winner, points)


def match_over(*, match_id: str) -> bool:
    """Take the result of a finished match into its tournament. Whether there was anything to take.

    Idempotent: called by the signal of `games` after the commit, and by the sweep for those whose signal was lost.
    """
    found = Meeting.objects.filter(match=match_id).values_list("tournament_id", flat=True).first()
    if found is None:
        return False
    with transaction.atomic():
        desk = Desk.lock(found)
        row = Meeting.objects.select_related("match", "a", "b").filter(match=match_id).first()
        if row is None or row.match is None or row.state != Meeting.State.READY:
            return False
        pairing = desk.state.by_key.get(row.key)
        if pairing is None or pairing.state != "ready" or desk.state.phase != "running":
            return False
        if row.match.status not in (Match.Status.OVER, Match.Status.CANCELLED):
            return False
        seats = {seat.user_id: seat for seat in row.match.seats.all()}
        a, b = (seats.get(one.user_id) for one in (row.a, row.b))
        if row.match.status == Match.Status.OVER and row.match.winner and a is not None and b is not None:
            winner = row.a.number if a.won else row.b.number
            _result(desk, None, pairing, winner, (a.points, b.points), match=match_id)
        else:
            desk.alert("no_result", row.key, match=match_id)
            if not desk.added:
                return False
        desk.commit()
    return True


def alert_settle(*, tournament_id: str, user: User, what: str, key: Key = "") -> None:
    """A director has seen to an alert. Raises Refused: not_director."""
    with transaction.atomic():
        desk = Desk.lock(tournament_id)
        desk.need_director(user)
        if (what, key) in desk.state.alerts:
            desk.record("settled", user, what=what, key=key)
            desk.commit()


def _reporting(tournament_id: str, user: User, key: Key) -> tuple[Desk, Pairing, Entrant]:
    """The locked desk, the pairing and the entrant who reports."""
    desk = Desk.lock(tournament_id)
    desk.need_phase("running")
    pairing = desk.pairing(key)
    me = next((desk.entrants[n] for n in pairing.entrants if desk.entrants[n].user_id == user.pk), None)
    if me is None:
        raise Refused("not_yours")
    if pairing.state != "ready":
        raise Refused("not_ready")
    row = Meeting.objects.select_related("match").filter(tournament=desk.tournament, key=key).first()
    if row is None or row.opened_at is None:
        raise Refused("not_open")
    if row.due_at is not None and row.due_at + outage.owed(row.opened_at, desk.moment) <= desk.moment:
        raise Refused("locked")
    if row.match is not None:
        if desk.state.rules.venue == "online":
            raise Refused("online_only")
        if row.match.status == Match.Status.LIVE:
            raise Refused("on_the_board")
    return desk, pairing, me


def _check_score(desk: Desk, pairing: Pairing, winner: int, points: Points) -> None:
    """Raises Refused: report_winner, report_score."""
    if winner not in pairing.entrants:
        raise Refused("report_winner")
    length = desk.state.rules.length(pairing.section, pairing.round)
    mine, other = points if winner == pairing.a.entrant else reversed(points)
    lead = desk.state.penalties_of(pairing).get(winner, 0)  # with which the loser began
    if mine >= length > lead > other:
        raise Refused("report_lead", params={"lead": lead})
    if not (mine >= length > other >= lead):
        raise Refused("report_score", params={"length": length})


def _rival(pairing: Pairing, number: int) -> int:
    return next(other for other in pairing.entrants if other != number)


def _dispute(desk: Desk, by: User, pairing: Pairing, winner: int, points: Points) -> None:
    desk.record("disputed", by, key=pairing.key, winner=winner, points=list(points))
    desk.alert("disputed", pairing.key)


def _result(
    desk: Desk,
    by: User | None,
    pairing: Pairing,
    winner: int | None,
    points: Points | None,
    *,
    how: str = "played",
    **facts: Any,
) -> None:
    desk.record("result", by, **_told(pairing, winner, points, how), **facts)
    desk.advance()


def _told(pairing: Pairing, winner: int | None, points: Points | None, how: str) -> dict[str, Any]:
    """A result as its event has it: of whom, who won, the points of the first and of the second."""
    told = None if points is None else list(points)
    return {"key": pairing.key, "of": list(pairing.entrants), "winner": winner, "points": told, "how": how}
