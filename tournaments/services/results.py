"""Results: of matches on this site, reported by players, or entered at the desk. Each takes effect once."""

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
from tournaments.models import Entrant, Meeting, TournamentEvent
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction

Points = Sequence[float]
MAX_REASON = 200


def result_report(*, tournament_id: str, user: User, key: Key, winner: int, points: Points) -> None:
    """Report how a match over the board ended, as one of its players: `points` are a's and b's.

    The same report from both is a result; different reports are a dispute. A report about an opponent without an
    account waits for the director.

    Raises Refused: not_yours, not_ready, not_open, locked, on_the_board, online_only, report_*.
    """
    with transaction.atomic():
        tx, pairing, entrant = _lock_reporter(tournament_id, user, key)
        _check_score(tx, pairing, winner, points)
        report = tx.state.report(pairing)
        if report is not None and report.by != entrant.number:
            if (report.winner, report.points) == (winner, tuple(points)):
                result_record(tx, user, pairing, winner, points)
            else:
                _dispute(tx, user, pairing, winner, points)
        else:
            of = list(pairing.entrants)
            tx.record("reported", user, key=key, of=of, by=entrant.number, winner=winner, points=list(points))
            opponent = tx.entrant(_opponent(pairing, entrant.number))
            if opponent.user_id is None:
                tx.alert("unconfirmed", key)
            else:
                notify.reported(tx.tournament, key, by=entrant, opponent=opponent)
        tx.commit()


def result_confirm(*, tournament_id: str, user: User, key: Key) -> None:
    """Confirm the result that the opponent reported. Raises Refused: no_report, own_report and as result_report."""
    with transaction.atomic():
        tx, pairing, entrant = _lock_reporter(tournament_id, user, key)
        report = tx.state.report(pairing)
        if report is None or report.disputed:
            raise Refused("no_report")
        if report.by == entrant.number:
            raise Refused("own_report")
        result_record(tx, user, pairing, report.winner, report.points)
        tx.commit()


def result_dispute(*, tournament_id: str, user: User, key: Key, winner: int, points: Points) -> None:
    """Report another result than the opponent did: the director decides. Raises as result_confirm."""
    with transaction.atomic():
        tx, pairing, entrant = _lock_reporter(tournament_id, user, key)
        report = tx.state.report(pairing)
        if report is None:
            raise Refused("no_report")
        if report.by == entrant.number:
            raise Refused("own_report")
        _check_score(tx, pairing, winner, points)
        _dispute(tx, user, pairing, winner, points)
        tx.commit()


def result_enter(
    *,
    tournament_id: str,
    user: User,
    key: Key,
    winner: int | None,
    points: Points | None = None,
    how: str = "played",
    why: str = "",
    loser_present: bool = False,
    of: Collection[int] = (),
    sent: str = "",
) -> int:
    """Enter a result, as an official, and return its act. A match in play on this site is called off.

    Without a winner it is a double walkover, without points the score is not known (ruling E12). `why` is the reason,
    if any, which everybody can read. The loser of a walkover goes on in the consolation only if they are there
    (`loser_present`). `of` are the two entrants whom the official saw there. `sent` names what a browser sends, and
    sends again until it is answered: it is done once.
    Raises Refused: not_official, not_running, no_pairing, has_result, other_pairing, not_ready, report_*, no_reason.
    """
    why = " ".join(why.split())
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.ENTER_RESULTS)
        act = _act_of_sent(tx, sent)
        if act is not None:
            return act
        if tx.state.phase != "over":
            tx.check_phase("running")
        pairing = tx.pairing_or_series(key)
        if of and set(of) != set(pairing.entrants):
            raise Refused("other_pairing")
        if pairing.state == "done":
            raise Refused("has_result")
        tx.check_phase("running")
        if pairing.state != "ready":
            raise Refused("not_ready")
        _check_result(tx, pairing, winner, points, how)
        if len(why) > MAX_REASON or not why.isprintable():
            raise Refused("no_reason")
        details: dict[str, Any] = {"why": why} if why else {}
        details |= _presence(winner, how, loser_present)
        details |= {"sent": sent} if sent else {}
        result_record(tx, user, pairing, winner, points if how == "played" else None, how=how, **details)
        tx.commit()
        return tx.act


def _act_of_sent(tx: TournamentTransaction, sent: str) -> int | None:
    """The act that did already what a browser sends, also if it was undone since; None if it is new."""
    events = TournamentEvent.objects.filter(tournament=tx.tournament, kind="result", data__sent=sent)
    return events.values_list("act", flat=True).first() if sent else None


def result_correct(
    *,
    tournament_id: str,
    user: User,
    key: Key,
    winner: int | None,
    points: Points | None = None,
    how: str = "played",
    why: str,
    loser_present: bool = False,
    agreed: Collection[Key] | None = None,
) -> None:
    """Correct a result, as a director, with a reason that everybody can read; the tournament may go on after its end.

    Pairings that would be reset are those that the director has agreed to, and no others. The winner of a match that
    was played on this site is corrected there, too. No winner is a double walkover.

    Raises Refused: not_director, not_running, no_pairing, no_result_yet, report_*, no_reason, same_result; Affects.
    """
    why = " ".join(why.split())
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.CORRECT_RESULTS)
        if tx.state.phase != "over":
            tx.check_phase("running")
        pairing = tx.pairing(key)
        was = pairing.result
        if pairing.state != "done" or was is None:
            raise Refused("no_result_yet")
        _check_result(tx, pairing, winner, points, how)
        if not why or len(why) > MAX_REASON or not why.isprintable():
            raise Refused("no_reason")
        points = tuple(points) if points is not None and how == "played" else None
        presence = _presence(winner, how, loser_present)
        if (was.winner, was.points, was.how, was.loser_present) == (winner, points, how, bool(presence)):
            raise Refused("same_result")
        details = presence | ({"match": was.match} if was.match else {})
        tx.record("result", user, **_result_data(pairing, winner, points, how), corrects=True, why=why, **details)
        tx.check_agreement(agreed, rewritten={key})
        tx.advance()
        tx.commit(why)


def _presence(winner: int | None, how: str, loser_present: bool) -> dict[str, Any]:
    """The data of a walkover whose loser is there; none for any other result."""
    return {"loser_present": True} if loser_present and how == "walkover" and winner is not None else {}


def _check_result(
    tx: TournamentTransaction, pairing: Pairing, winner: int | None, points: Points | None, how: str
) -> None:
    """Check a result that a director enters. Raises Refused: report_winner, report_score."""
    if winner is not None and winner not in pairing.entrants:
        raise Refused("report_winner")
    if how not in ("played", "walkover") or (winner is None and how == "played"):
        raise Refused("report_winner")
    if points is not None and how == "played" and winner is not None:
        _check_score(tx, pairing, winner, points)


def match_result_record(*, match_id: str) -> bool:
    """Record the result of a finished match in its tournament, and whether there was anything to record.

    Idempotent: called by the signal of `games` after the commit, and by the sweep for matches whose signal was lost.
    """
    tournament_id = Meeting.objects.filter(match=match_id).values_list("tournament_id", flat=True).first()
    if tournament_id is None:
        return False
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        row = Meeting.objects.select_related("match", "a", "b").filter(match=match_id).first()
        if row is None or row.match is None or row.state != Meeting.State.READY:
            return False
        pairing = tx.state.by_key.get(row.key)
        if pairing is None or pairing.state != "ready" or tx.state.phase != "running":
            return False
        if row.match.status not in (Match.Status.OVER, Match.Status.CANCELLED):
            return False
        seats = {seat.user_id: seat for seat in row.match.seats.all()}
        a, b = (seats.get(entrant.user_id) for entrant in (row.a, row.b))
        if row.match.status == Match.Status.OVER and row.match.winner and a is not None and b is not None:
            winner = row.a.number if a.won else row.b.number
            result_record(tx, None, pairing, winner, (a.points, b.points), match=match_id)
        elif tx.state.pairs_free_players:  # nobody may wait for a director: a match without a winner is lost by both
            result_record(tx, None, pairing, None, None, how="walkover")
        else:
            tx.alert("no_result", row.key, match=match_id)
            if not tx.added:
                return False
        tx.commit()
    return True


def alert_dismiss(*, tournament_id: str, user: User, kind: str, key: Key = "") -> None:
    """Dismiss an alert, as a director. Raises Refused: not_director."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.DISMISS_ALERTS)
        if (kind, key) in tx.state.alerts:
            tx.record("settled", user, what=kind, key=key)
            tx.commit()


def _lock_reporter(tournament_id: str, user: User, key: Key) -> tuple[TournamentTransaction, Pairing, Entrant]:
    """The locked tx, the pairing and the entrant who reports."""
    tx = TournamentTransaction.lock(tournament_id)
    tx.check_phase("running")
    pairing = tx.pairing(key)
    players = (tx.entrants[number] for number in pairing.entrants)
    entrant = next((player for player in players if player.user_id == user.pk), None)
    if entrant is None:
        raise Refused("not_yours")
    if pairing.state != "ready":
        raise Refused("not_ready")
    row = Meeting.objects.select_related("match").filter(tournament=tx.tournament, key=key).first()
    if row is None or row.opened_at is None:
        raise Refused("not_open")
    if row.due_at is not None and row.due_at + outage.time_owed(row.opened_at, tx.moment) <= tx.moment:
        raise Refused("locked")
    if row.match is not None:
        if tx.state.plays_online_only:
            raise Refused("online_only")
        if row.match.status == Match.Status.LIVE:
            raise Refused("on_the_board")
    return tx, pairing, entrant


def _check_score(tx: TournamentTransaction, pairing: Pairing, winner: int, points: Points) -> None:
    """Raises Refused: report_winner, report_lead, report_score, report_series, report_series_played."""
    if winner not in pairing.entrants:
        raise Refused("report_winner")
    length = tx.state.length(pairing)
    won, lost = points if winner == pairing.a.entrant else reversed(points)
    if tx.state.is_series(pairing):
        _check_series_score(tx, pairing, won, lost, points)
        return
    lead = tx.state.penalties_of(pairing).get(winner, 0)  # of the loser
    if won >= length > lead > lost:
        raise Refused("report_lead", params={"lead": lead})
    if not (won >= length > lost >= lead):
        raise Refused("report_score", params={"length": length})


def _check_series_score(tx: TournamentTransaction, pairing: Pairing, won: float, lost: float, points: Points) -> None:
    """Raises Refused: report_series, report_series_played (matches are recorded that the score leaves out)."""
    wins = tx.state.length(pairing)
    if won != wins or not 0 <= lost < wins or lost % 1:
        raise Refused("report_series", params={"wins": wins})
    played = tx.state.series.score(pairing, tx.state.results)
    if any(entered < known for entered, known in zip(points, played, strict=True)):
        raise Refused("report_series_played", params={"score": f"{played[0]}–{played[1]}"})


def _opponent(pairing: Pairing, number: int) -> int:
    return next(other for other in pairing.entrants if other != number)


def _dispute(tx: TournamentTransaction, by: User, pairing: Pairing, winner: int, points: Points) -> None:
    tx.record("disputed", by, key=pairing.key, winner=winner, points=list(points))
    tx.alert("disputed", pairing.key)


def result_record(
    tx: TournamentTransaction,
    by: User | None,
    pairing: Pairing,
    winner: int | None,
    points: Points | None,
    *,
    how: str = "played",
    **details: Any,
) -> None:
    """Record a result, and what follows from it; `details` are further data of its event."""
    tx.record("result", by, **_result_data(pairing, winner, points, how), **details)
    tx.advance()


def _result_data(pairing: Pairing, winner: int | None, points: Points | None, how: str) -> dict[str, Any]:
    """A result as data of its event: the two entrants, the winner, the points of the first and of the second."""
    points_data = None if points is None else list(points)
    return {"key": pairing.key, "of": list(pairing.entrants), "winner": winner, "points": points_data, "how": how}
