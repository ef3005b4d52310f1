"""A challenge, from making it to its result."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import errors, notify
from games.models import Match
from games.services.arranged import match_arrange, match_call_off
from games.services.offers import check_not_blocked
from ladders import events, rules
from ladders.errors import Refused
from ladders.models import Ladder, LadderChallenge
from ladders.services.transaction import LONGEST_REASON, OPEN_CHALLENGES, LadderTransaction, challenge_facts, refusal

Status = LadderChallenge.Status


def challenge_make(*, ladder_id: str, user: User, opponent: User) -> LadderChallenge:
    """Challenge a player of the ladder.

    Raises NotFound, Refused: ladder_members, no_such_player, apart, and every code of `ladders.rules.may_challenge`.
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        code = rules.may_challenge(tx.state, tx.config, user.pk, opponent.pk, tx.moment)
        if code is not None:
            raise refusal(code, tx.config)
        tx.check_member(user)
        if not opponent.is_active:
            raise Refused("no_such_player")
        check_not_blocked(user, opponent)
        challenge = create_challenge(tx, user, opponent)
        tx.commit()
    return challenge


def create_challenge(
    tx: LadderTransaction, challenger: User, defender: User, *, itself: bool = False
) -> LadderChallenge:
    """Create a challenge on a locked ladder; `itself` says that the queue of a hill made it."""
    challenge = LadderChallenge.objects.create(
        ladder=tx.ladder,
        challenger=challenger,
        defender=defender,
        made_at=tx.moment,
        due_at=tx.moment + timedelta(hours=tx.config.accept_hours),
    )
    more: dict[str, Any] = {"itself": True} if itself else {}
    tx.record("challenged", None if itself else challenger, **challenge_facts(challenge), **more)
    notify.notify_user(defender.pk, events.challenged(challenge))
    return challenge


def challenge_accept(*, challenge_id: int, user: User) -> Match:
    """Accept a challenge: open its match on the ladder's terms and notify both players.

    An answer after the deadline counts until the deadline is carried out. Accepting again gives the same match.
    Raises NotFound, Refused: ladder_not_called, ladder_challenge_over, and what `match_create` says of the terms.
    """
    with transaction.atomic():
        tx, challenge = LadderTransaction.lock_challenge(challenge_id)
        if challenge.defender_id != user.pk:
            raise Refused("ladder_not_called")
        if challenge.status == Status.ACCEPTED and challenge.match is not None:
            return challenge.match
        if challenge.status != Status.OFFERED:
            raise Refused("ladder_challenge_over")
        ladder = tx.ladder
        challenge.match = match_arrange(
            white=challenge.challenger,
            black=challenge.defender,
            variant=ladder.variant,
            length=ladder.length,
            clock=ladder.clock_preset,
            options=ladder.options,
            rated=ladder.rated,
            title=ladder.name,
            from_url=f"/ladders/{ladder.pk}/",
        )
        challenge.status = Status.ACCEPTED
        challenge.accepted_at = tx.moment
        challenge.due_at = tx.moment + timedelta(days=tx.config.play_days) + _vacations(tx, challenge)
        challenge.save(update_fields=["match", "status", "accepted_at", "due_at"])
        tx.record("accepted", user, match_id=challenge.match.pk, **challenge_facts(challenge))
        tx.commit()
    return challenge.match


def challenge_decline(*, challenge_id: int, user: User) -> None:
    """Decline a challenge: the same as not answering it (L4).

    Raises NotFound, Refused: ladder_not_called, ladder_challenge_over.
    """
    with transaction.atomic():
        tx, challenge = LadderTransaction.lock_challenge(challenge_id)
        if challenge.defender_id != user.pk:
            raise Refused("ladder_not_called")
        if challenge.status != Status.OFFERED:
            raise Refused("ladder_challenge_over")
        end_challenge(tx, challenge, "declined", loser=loser_if_unanswered(tx, challenge), by=user)
        tx.commit()


def challenge_withdraw(*, challenge_id: int, user: User) -> None:
    """Withdraw an unanswered challenge; on a hill that loses it (L7). Raises as `challenge_decline`."""
    with transaction.atomic():
        tx, challenge = LadderTransaction.lock_challenge(challenge_id)
        if challenge.challenger_id != user.pk:
            raise Refused("ladder_not_called")
        if challenge.status != Status.OFFERED:
            raise Refused("ladder_challenge_over")
        end_challenge(tx, challenge, "withdrawn", loser=user.pk if tx.config.kind == "hill" else None, by=user)
        tx.commit()


def challenges_end(*, by: User, other: User) -> None:
    """End the unanswered challenges between two players, because `by` has blocked the other.

    Those of `by` are withdrawn and those of the other declined, with the same consequences (L4). On a hill the queue
    decides who meets, so those two play their match, as in a tournament.
    """
    between = Q(challenger=by, defender=other) | Q(challenger=other, defender=by)
    challenges = LadderChallenge.objects.filter(between, status=Status.OFFERED).exclude(ladder__kind=Ladder.Kind.HILL)
    with transaction.atomic():
        for challenge in challenges.order_by("ladder", "pk"):
            end = challenge_withdraw if challenge.challenger_id == by.pk else challenge_decline
            with suppress(errors.Refused):  # it was answered at the same moment
                end(challenge_id=challenge.pk, user=by)


def challenge_decide(*, challenge_id: int, by: User, winner: User | None, reason: str = "") -> None:
    """Decide how a challenge ended (played elsewhere, a walkover), as a director; without `winner` it is void.

    Its match is called off. A match that is over is not decided: its result counts by itself, and can be undone.
    Raises NotFound, Refused: ladder_not_director, ladder_challenge_over, ladder_no_such_winner, match_over.
    """
    with transaction.atomic():
        tx, challenge = LadderTransaction.lock_challenge(challenge_id)
        tx.check_director(by)
        if challenge.status not in OPEN_CHALLENGES:
            raise Refused("ladder_challenge_over")
        if winner is not None and winner.pk not in (challenge.challenger_id, challenge.defender_id):
            raise Refused("ladder_no_such_winner")
        if challenge.match is not None and match_call_off(match_id=challenge.match.pk).winner:
            raise Refused("match_over")
        chosen = None if winner is None else winner.pk
        tx.end(challenge, Status.DROPPED if winner is None else Status.DONE, winner=chosen)
        tx.record("decided", by, winner=chosen, reason=reason[:LONGEST_REASON], **challenge_facts(challenge))
        tx.commit()


# Steps on a locked ladder


def end_challenge(
    tx: LadderTransaction, challenge: LadderChallenge, type_: str, *, loser: int | None, by: User | None = None
) -> None:
    """End a challenge without a match: lost by `loser`, or by nobody."""
    both = (challenge.challenger_id, challenge.defender_id)
    winner = None if loser is None else both[1 - both.index(loser)]
    tx.end(challenge, Status.DROPPED if loser is None else Status.FORFEIT, winner=winner)
    tx.record(type_, by, loser=loser, winner=winner, **challenge_facts(challenge))


def loser_if_unanswered(tx: LadderTransaction, challenge: LadderChallenge) -> int | None:
    """Who loses a challenge that was not answered (L4): the challenged player, or nobody.

    A challenger whose account was closed in the meantime cannot be answered, and wins nothing.
    """
    if not challenge.challenger.is_active:
        return challenge.challenger_id
    lost = tx.config.kind == "hill" or tx.config.on_no_answer == "forfeit"
    return challenge.defender_id if lost else None


def loser_if_not_played(tx: LadderTransaction, challenge: LadderChallenge, match: Match) -> int | None:
    """Who loses a match that was not played (L4): the only absent player, else whom the ladder's rules name."""
    if tx.config.kind != "hill" and tx.config.on_not_played == "drop":
        return None
    absent = [seat.user_id for seat in match.seats.all() if seat.arrived_at is None]
    if len(absent) == 1:
        return absent[0]
    against_defender = tx.config.kind != "hill" and tx.config.on_not_played == "forfeit_defender"
    return challenge.defender_id if against_defender else challenge.challenger_id


def _vacations(tx: LadderTransaction, challenge: LadderChallenge) -> timedelta:
    """How long the vacations of both players still last."""
    rows = (tx.state.rows.get(player) for player in (challenge.challenger_id, challenge.defender_id))
    ends = [row.away_until for row in rows if row is not None and row.away_until is not None]
    return sum((max(timedelta(0), end - tx.moment) for end in ends), timedelta(0))
