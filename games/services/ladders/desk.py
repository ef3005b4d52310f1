"""A ladder under lock: what happens to it is recorded here, and the rows that pages and sweeps read follow."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from accounts.roles import directs, is_member
from games import ladders, notify
from games.database import now
from games.errors import NotFound, Refused
from games.models import Ladder, LadderChallenge, LadderEvent, LadderPlayer, Match
from games.services.arranged import match_call_off

OPEN_CALLS = (LadderChallenge.Status.OFFERED, LadderChallenge.Status.ACCEPTED)


class Desk:
    """A locked ladder with its state, and the moment at which the lock was had."""

    def __init__(self, ladder: Ladder, *, moment: datetime) -> None:
        self.ladder = ladder
        self.config = config_of(ladder)
        self.state = ladders.load(ladder.state)
        self.moment = moment

    @classmethod
    def lock(cls, ladder_id: str) -> Desk:
        """Lock the row of a ladder. Raises NotFound."""
        ladder = Ladder.objects.select_for_update().filter(pk=ladder_id).first()
        if ladder is None:
            raise NotFound
        return cls(ladder, moment=now())

    @classmethod
    def lock_for(cls, challenge_id: int) -> tuple[Desk, LadderChallenge]:
        """Lock the ladder of a challenge, and read the challenge after that. Raises NotFound."""
        found = LadderChallenge.objects.filter(pk=challenge_id).values_list("ladder_id", flat=True).first()
        if found is None:
            raise NotFound
        desk = cls.lock(found)
        chosen = LadderChallenge.objects.select_related("challenger", "defender", "match")
        return desk, chosen.get(pk=challenge_id)

    # Guards

    def check_director(self, by: User) -> None:
        if not directs(by, self.ladder.club):
            raise Refused("ladder_not_director")

    def check_member(self, user: User) -> None:
        """Guests and bots do not climb, nor does who is no member of the club today."""
        if not is_member(user, self.ladder.club):
            raise Refused("ladder_members")

    def check_on(self, user: User) -> ladders.Row:
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
        """One thing that happened: the state after it and its row, which says who moved from where to where."""
        self.ladder.version += 1
        told = {"n": self.ladder.version, "type": type_, "at": self.moment, **facts}
        if type_ in ("undo", "redo"):
            after = ladders.fold(self.config, [*events_of(self.ladder), told])
        else:
            after = ladders.step(self.state, self.config, told)
        moves = self.state.moves(after)
        if moves:
            LadderPlayer.objects.bulk_update(self._placed_before(), ["rank_before"])
            facts["moves"] = {str(player): list(places) for player, places in moves.items()}
        points = self._points_brought(after)
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
        """This challenge is over; a match of it that nobody has begun is called off."""
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

    def open_calls(self, user: User | None = None) -> list[LadderChallenge]:
        """The challenges that have not ended, of a user or of all."""
        rows = self.ladder.challenges.filter(status__in=OPEN_CALLS).select_related("challenger", "defender", "match")
        return [one for one in rows.order_by("pk") if user is None or user.pk in (one.challenger_id, one.defender_id)]

    def postpone(self, time: timedelta, user: User | None = None) -> None:
        """Move the deadlines of a user's challenges, or of all; a negative time brings them nearer."""
        for one in self.open_calls(user):
            if one.due_at is not None:
                one.due_at += time
                one.save(update_fields=["due_at"])

    # Writing back

    def commit(self) -> None:
        """Write the ladder and the rows of its players as the state says, and let open pages look again."""
        self.ladder.state = ladders.dump(self.state)
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
        LadderPlayer.objects.bulk_update([row for row in changed if row.pk], FILLED)
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
        row.due_at = None if self.state.closed_at is not None else ladders.next_due(held, self.config)

    def _points_brought(self, after: ladders.State) -> dict[str, int]:
        """What an event added to the points of the season; a new season only clears them."""
        if after.season != self.state.season:
            return {}
        old = self.state.rows
        gains = {one: row.points - old[one].points for one, row in after.rows.items() if one in old}
        return {str(one): gain for one, gain in gains.items() if gain}

    def _placed_before(self) -> list[LadderPlayer]:
        rows = list(self.ladder.players.all())
        for row in rows:
            row.rank_before = self.state.place(row.user_id)
        return rows


FILLED = ["rank", "points", "played", "won", "joined_at", "active_at", "immune_until", "away_until", "frozen", "due_at"]


def config_of(ladder: Ladder) -> ladders.Config:
    """The rules of a ladder."""
    return ladders.Config.of({**ladder.config, "kind": ladder.kind})


def state_of(ladder: Ladder) -> ladders.State:
    """Where a ladder stands."""
    return ladders.load(ladder.state)


def events_of(ladder: Ladder) -> list[dict[str, Any]]:
    """Everything that happened on a ladder, as `ladders.fold` reads it."""
    rows = ladder.events.order_by("n").values_list("n", "type", "at", "payload")
    return [{**payload, "n": n, "type": type_, "at": at} for n, type_, at, payload in rows]


def refusal(code: str, config: ladders.Config) -> Refused:
    """The answer of `may_challenge` as the sentence that players read, with the numbers of this ladder."""
    return Refused(code, ruling=RULING.get(code, ""), params=asdict(config))


RULING = {
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
