"""A challenge from its call to its result."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import events, ladders, notify
from games.errors import Refused
from games.models import Ladder, LadderChallenge, Match
from games.services.arranged import match_arrange, match_call_off
from games.services.ladders.desk import OPEN_CALLS, Desk, refusal
from games.services.ladders.places import LONGEST_REASON
from games.services.offers import check_apart

Status = LadderChallenge.Status


def challenge_make(*, ladder_id: str, user: User, rival: User) -> LadderChallenge:
    """Call a rival to play for the places.

    Raises NotFound, Refused: ladder_members, no_such_player, apart, and every code of `games.ladders.may_challenge`.
    """
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        code = ladders.may_challenge(desk.state, desk.config, user.pk, rival.pk, desk.moment)
        if code is not None:
            raise refusal(code, desk.config)
        desk.check_member(user)
        if not rival.is_active:
            raise Refused("no_such_player")
        check_apart(user, rival)
        challenge = call(desk, user, rival)
        desk.commit()
    return challenge


def call(desk: Desk, challenger: User, defender: User, *, itself: bool = False) -> LadderChallenge:
    """The step of `challenge_make` on a locked ladder; on a hill the line moves on by `itself`."""
    challenge = LadderChallenge.objects.create(
        ladder=desk.ladder,
        challenger=challenger,
        defender=defender,
        made_at=desk.moment,
        due_at=desk.moment + timedelta(hours=desk.config.accept_hours),
    )
    more: dict[str, Any] = {"itself": True} if itself else {}
    desk.record("challenged", None if itself else challenger, **_names(challenge), **more)
    notify.user_told(defender.pk, events.ladder_called(challenge))
    return challenge


def challenge_accept(*, challenge_id: int, user: User) -> Match:
    """Agree to play: opens the match with the ladder's terms, in which both are told that it waits for them.

    Who answers after the deadline, but before it was carried out, has answered. To accept again gives the same match.
    Raises NotFound, Refused: ladder_not_called, ladder_challenge_over, and what `match_create` says of the terms.
    """
    with transaction.atomic():
        desk, challenge = Desk.lock_for(challenge_id)
        if challenge.defender_id != user.pk:
            raise Refused("ladder_not_called")
        if challenge.status == Status.ACCEPTED and challenge.match is not None:
            return challenge.match
        if challenge.status != Status.OFFERED:
            raise Refused("ladder_challenge_over")
        ladder = desk.ladder
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
        challenge.accepted_at = desk.moment
        challenge.due_at = desk.moment + timedelta(days=desk.config.play_days) + _vacations(desk, challenge)
        challenge.save(update_fields=["match", "status", "accepted_at", "due_at"])
        desk.record("accepted", user, match_id=challenge.match.pk, **_names(challenge))
        desk.commit()
    return challenge.match


def challenge_decline(*, challenge_id: int, user: User) -> None:
    """Refuse to play: the same as not to answer (L4). Raises NotFound, Refused: ladder_not_called,
    ladder_challenge_over."""
    with transaction.atomic():
        desk, challenge = Desk.lock_for(challenge_id)
        if challenge.defender_id != user.pk:
            raise Refused("ladder_not_called")
        if challenge.status != Status.OFFERED:
            raise Refused("ladder_challenge_over")
        close(desk, challenge, "declined", loser=unanswered(desk, challenge), by=user)
        desk.commit()


def challenge_withdraw(*, challenge_id: int, user: User) -> None:
    """Take a call back that is not answered yet; on a hill that is to lose it (L7). Raises as `challenge_decline`."""
    with transaction.atomic():
        desk, challenge = Desk.lock_for(challenge_id)
        if challenge.challenger_id != user.pk:
            raise Refused("ladder_not_called")
        if challenge.status != Status.OFFERED:
            raise Refused("ladder_challenge_over")
        close(desk, challenge, "withdrawn", loser=user.pk if desk.config.kind == "hill" else None, by=user)
        desk.commit()


def calls_end(*, by: User, other: User) -> None:
    """End what is called and not answered between two people, because `by` has blocked the other.

    It is as if he had taken back his own calls and declined those of the other: they cost what that costs (L4). Whom
    the line of a hill brings together play it out, as in a tournament.
    """
    between = Q(challenger=by, defender=other) | Q(challenger=other, defender=by)
    calls = LadderChallenge.objects.filter(between, status=Status.OFFERED).exclude(ladder__kind=Ladder.Kind.HILL)
    with transaction.atomic():
        for challenge in calls.order_by("ladder", "pk"):
            end = challenge_withdraw if challenge.challenger_id == by.pk else challenge_decline
            with suppress(Refused):  # it was answered at the same moment
                end(challenge_id=challenge.pk, user=by)


def challenge_decide(*, challenge_id: int, by: User, winner: User | None, reason: str = "") -> None:
    """A director says how a challenge ended (played elsewhere, a walkover); with `winner` None it never was.

    Its match is called off. One that is over is not decided: its result comes by itself, and can be undone.
    Raises NotFound, Refused: ladder_not_director, ladder_challenge_over, ladder_no_such_winner, match_over.
    """
    with transaction.atomic():
        desk, challenge = Desk.lock_for(challenge_id)
        desk.check_director(by)
        if challenge.status not in OPEN_CALLS:
            raise Refused("ladder_challenge_over")
        if winner is not None and winner.pk not in (challenge.challenger_id, challenge.defender_id):
            raise Refused("ladder_no_such_winner")
        if challenge.match is not None and match_call_off(match_id=challenge.match.pk).winner:
            raise Refused("match_over")
        chosen = None if winner is None else winner.pk
        desk.end(challenge, Status.DROPPED if winner is None else Status.DONE, winner=chosen)
        desk.record("decided", by, winner=chosen, reason=reason[:LONGEST_REASON], **_names(challenge))
        desk.commit()


# Steps on a locked ladder


def close(desk: Desk, challenge: LadderChallenge, type_: str, *, loser: int | None, by: User | None = None) -> None:
    """End a challenge without a match: lost by `loser`, or by nobody."""
    both = (challenge.challenger_id, challenge.defender_id)
    winner = None if loser is None else both[1 - both.index(loser)]
    desk.end(challenge, Status.DROPPED if loser is None else Status.FORFEIT, winner=winner)
    desk.record(type_, by, loser=loser, winner=winner, **_names(challenge))


def unanswered(desk: Desk, challenge: LadderChallenge) -> int | None:
    """Who loses a challenge that was not taken up (L4): the one called, or nobody.

    A challenger whose account was closed in the meantime cannot be answered: he wins nothing.
    """
    if not challenge.challenger.is_active:
        return challenge.challenger_id
    lost = desk.config.kind == "hill" or desk.config.on_no_answer == "forfeit"
    return challenge.defender_id if lost else None


def unplayed(desk: Desk, challenge: LadderChallenge, match: Match) -> int | None:
    """Who loses a match that was not played (L4): who did not come when the other did, else whom the ladder names."""
    if desk.config.kind != "hill" and desk.config.on_not_played == "drop":
        return None
    absent = [seat.user_id for seat in match.seats.all() if seat.arrived_at is None]
    if len(absent) == 1:
        return absent[0]
    against_defender = desk.config.kind != "hill" and desk.config.on_not_played == "forfeit_defender"
    return challenge.defender_id if against_defender else challenge.challenger_id


def _names(challenge: LadderChallenge) -> dict[str, Any]:
    return {"challenge": challenge.pk, "challenger": challenge.challenger_id, "defender": challenge.defender_id}


def _vacations(desk: Desk, challenge: LadderChallenge) -> timedelta:
    """What is left of the vacations of the two."""
    rows = (desk.state.rows.get(one) for one in (challenge.challenger_id, challenge.defender_id))
    ends = [row.away_until for row in rows if row is not None and row.away_until is not None]
    return sum((max(timedelta(0), end - desk.moment) for end in ends), timedelta(0))
