"""A locked ladder: record what happens to it, and write the rows that pages and sweeps read."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from accounts.clubs.roles import is_member, may_direct
from accounts.models import User
from accounts.web.staff import refusal_code
from games import notify
from games.database import now
from games.errors import NotFound
from games.models import Match
from games.services.arranged import match_call_off
from ladders import rules
from ladders.errors import Refused
from ladders.models import Ladder, LadderChallenge, LadderEvent, LadderPlayer

LONGEST_REASON = 200
OPEN_CHALLENGES = (LadderChallenge.Status.OFFERED, LadderChallenge.Status.ACCEPTED)


class LadderTransaction:
    """A locked ladder with its state, and the moment at which the lock was taken."""

    def __init__(self, ladder: Ladder, *, moment: datetime) -> None:
        self.ladder = ladder
        self.config = config_of(ladder)
        self.state = rules.load(ladder.state)
        self.moment = moment

    @classmethod
    def lock(cls, ladder_id: str) -> LadderTransaction:
        """Lock the row of a ladder. Raises NotFound."""
        ladder = Ladder.objects.select_for_update().filter(pk=ladder_id).first()
        if ladder is None:
            raise NotFound
        return cls(ladder, moment=now())

    @classmethod
    def lock_challenge(cls, challenge_id: int) -> tuple[LadderTransaction, LadderChallenge]:
        """Lock the ladder of a challenge, and read the challenge after that. Raises NotFound."""
        found = LadderChallenge.objects.filter(pk=challenge_id).values_list("ladder_id", flat=True).first()
        if found is None:
            raise NotFound
        tx = cls.lock(found)
        chosen = LadderChallenge.objects.select_related("challenger", "defender", "match")
        return tx, chosen.get(pk=challenge_id)

    # Guards

    def check_director(self, by: User) -> None:
        if not may_direct(by, self.ladder.club):
            raise Refused(refusal_code(by, "ladder_not_director"))

    def check_member(self, user: User) -> None:
        """Refuse guests, bots and everybody who is not a member of the club today."""
        if not is_member(user, self.ladder.club):
            raise Refused("ladder_members")

    def check_on(self, user: User) -> rules.Row:
        if self.ladder.kind == Ladder.Kind.RATING:
            raise Refused("ladder_by_rating")
        row = self.state.rows.get(user.pk)
        if row is None:
            raise Refused("ladder_not_on")
        return row

    def check_open(self) -> None:
        if self.ladder.status != Ladder.Status.OPEN:
            raise Refused("ladder_closed")

    # Steps

    def record(self, type_: str, by: User | None = None, *, match: Match | None = None, **facts: Any) -> LadderEvent:
        """Record an event: fold it into the state and write its row, which says who moved from where to where."""
        self.ladder.version += 1
        new_event = {"n": self.ladder.version, "type": type_, "at": self.moment, **facts}
        if type_ in ("undo", "redo"):
            after = rules.fold(self.config, [*recorded_events(self.ladder), new_event])
        else:
            after = rules.step(self.state, self.config, new_event)
        moves = self.state.moves(after)
        if moves:
            LadderPlayer.objects.bulk_update(self._ranked_before(), ["rank_before"])
            facts["moves"] = {str(player): list(places) for player, places in moves.items()}
        points = self._points_gained(after)
        if points:
            facts["points"] = points
        event = LadderEvent.objects.create(
            ladder=self.ladder,
            n=self.ladder.version,
            season=self.ladder.season,
            type=type_,
            payload=facts,
            at=self.moment,
            by=by,
            match=match,
        )
        self.state = after
        return event

    def end(self, challenge: LadderChallenge, status: str, *, winner: int | None = None) -> None:
        """End a challenge, and call off its match if nobody has begun it."""
        match = challenge.match
        if match is not None:
            match = Match.objects.select_for_update().get(pk=match.pk)
            if match.status == Match.Status.OPEN:
                match_call_off(match_id=match.pk)
        challenge.status = status
        challenge.due_at = None
        challenge.ended_at = self.moment
        challenge.winner_id = winner
        challenge.save(update_fields=["status", "due_at", "ended_at", "winner"])

    def open_challenges(self, user: User | None = None) -> list[LadderChallenge]:
        """The challenges that have not ended, of a user or of all."""
        rows = self.ladder.challenges.filter(status__in=OPEN_CHALLENGES).select_related(
            "challenger", "defender", "match"
        )
        return [row for row in rows.order_by("pk") if user is None or user.pk in (row.challenger_id, row.defender_id)]

    def postpone(self, time: timedelta, user: User | None = None) -> None:
        """Move the deadlines of the challenges of a user, or of all; a negative time brings them nearer."""
        for challenge in self.open_challenges(user):
            if challenge.due_at is not None:
                challenge.due_at += time
                challenge.save(update_fields=["due_at"])

    # Writing back

    def commit(self) -> None:
        """Write the ladder and the rows of its players as the state says, and let open pages refresh."""
        self.ladder.state = rules.dump(self.state)
        self.ladder.save()
        rows = {row.user_id: row for row in self.ladder.players.all()}
        changed = []
        for user_id in {*rows, *self.state.rows}:
            row = rows.get(user_id) or LadderPlayer(ladder=self.ladder, user_id=user_id)
            before = dict(vars(row)) if row.pk else {}
            self._fill(row, user_id)
            if vars(row) != before:
                changed.append(row)
        LadderPlayer.objects.bulk_create([row for row in changed if not row.pk])
        LadderPlayer.objects.bulk_update([row for row in changed if row.pk], STORED_FIELDS)
        notify.lobby_changed()

    def _fill(self, row: LadderPlayer, user_id: int) -> None:
        held = self.state.rows.get(user_id)
        row.rank = self.state.place(user_id)
        if held is None:
            row.due_at = row.immune_until = row.away_until = None
            row.frozen = False
            return
        row.points, row.played, row.won = held.points, held.played, held.won
        row.joined_at, row.active_at = held.joined_at, held.active_at
        row.immune_until, row.away_until, row.frozen = held.immune_until, held.away_until, held.frozen
        row.due_at = None if self.state.closed_at is not None else rules.next_due(held, self.config)

    def _points_gained(self, after: rules.State) -> dict[str, int]:
        """The points that an event added to the season; a new season only clears them."""
        if after.season != self.state.season:
            return {}
        old = self.state.rows
        gains = {player: row.points - old[player].points for player, row in after.rows.items() if player in old}
        return {str(player): gain for player, gain in gains.items() if gain}

    def _ranked_before(self) -> list[LadderPlayer]:
        rows = list(self.ladder.players.all())
        for row in rows:
            row.rank_before = self.state.place(row.user_id)
        return rows


STORED_FIELDS = [
    "rank",
    "points",
    "played",
    "won",
    "joined_at",
    "active_at",
    "immune_until",
    "away_until",
    "frozen",
    "due_at",
]


def config_of(ladder: Ladder) -> rules.Config:
    """The rules of a ladder."""
    return rules.Config.of({**ladder.config, "kind": ladder.kind})


def state_of(ladder: Ladder) -> rules.State:
    """The state of a ladder."""
    return rules.load(ladder.state)


def recorded_events(ladder: Ladder) -> list[dict[str, Any]]:
    """The events of a ladder as `ladders.rules.fold` reads them."""
    rows = ladder.events.order_by("n").values_list("n", "type", "at", "payload")
    return [{**payload, "n": n, "type": type_, "at": at} for n, type_, at, payload in rows]


def challenge_facts(challenge: LadderChallenge) -> dict[str, Any]:
    """The fields with which an event names a challenge and its players."""
    return {"challenge": challenge.pk, "challenger": challenge.challenger_id, "defender": challenge.defender_id}


def refusal(code: str, config: rules.Config) -> Refused:
    """The code of `may_challenge` as a refusal with the numbers of this ladder."""
    return Refused(code, ruling=RULINGS.get(code, ""), params=asdict(config))


RULINGS = {
    "ladder_by_rating": "L1",
    "ladder_away": "L5",
    "ladder_rival_away": "L5",
    "ladder_called": "L2",
    "ladder_most_out": "L2",
    "ladder_most_in": "L2",
    "ladder_not_above": "L2",
    "ladder_too_far": "L2",
    "ladder_rematch": "L2",
    "ladder_rival_immune": "L3",
    "ladder_rival_frozen": "L6",
    "ladder_king_waits": "L7",
    "ladder_only_king": "L7",
    "ladder_king_plays": "L7",
    "ladder_not_next": "L7",
}
