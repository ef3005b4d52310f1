"""The page of a ladder: the same number of queries however long it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from accounts.clubs.roles import may_direct
from accounts.models import User
from accounts.relationships.selectors import separated_by_block
from games import clocks
from games.database import now
from games.models import Match, Seat
from games.selectors import ratings
from games.selectors.match_rows import MOST_ROWS, match_rows
from ladders import labels, rules
from ladders.models import Ladder, LadderChallenge, LadderPlayer, LadderSeason
from ladders.selectors.entries import ladder_with
from ladders.selectors.events import EventView, event_views
from ladders.selectors.lists import terms
from ladders.services import config_of, refusal, state_of

OPEN = (LadderChallenge.Status.OFFERED, LadderChallenge.Status.ACCEPTED)
MOST_EVENTS = 8


@dataclass(frozen=True, slots=True)
class Rung:
    """A player's place, and whether the viewer may challenge them: `why` says why not, "" where nobody asks."""

    place: int
    user: User
    points: float = 0
    played: int = 0
    won: int = 0
    moved: int = 0
    is_viewer: bool = False
    frozen: bool = False
    away_until: datetime | None = None
    immune_until: datetime | None = None
    may: bool = False
    why: str = ""
    code: str = ""

    @property
    def climbed(self) -> int:
        """How many places the last move went up."""
        return max(0, self.moved)

    @property
    def fell(self) -> int:
        return max(0, -self.moved)

    @property
    def badged(self) -> bool:
        """Whether a badge says already why the player cannot be challenged."""
        return bool(self.frozen or self.away_until or self.immune_until)

    @property
    def lost(self) -> int:
        return self.played - self.won

    @property
    def score(self) -> str:
        return labels.score(self.points)


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """A challenge that is open, as one viewer sees it. `waits`: the viewer has still to come to the board."""

    challenge: LadderChallenge
    viewer: User | None = None
    waits: bool = False
    points: str = ""

    @property
    def to_answer(self) -> bool:
        """Whether the viewer has to answer."""
        return self.viewer == self.challenge.defender and self.challenge.status == LadderChallenge.Status.OFFERED

    @property
    def to_withdraw(self) -> bool:
        return self.viewer == self.challenge.challenger and self.challenge.status == LadderChallenge.Status.OFFERED

    @property
    def is_own(self) -> bool:
        return self.viewer in (self.challenge.challenger, self.challenge.defender)

    @property
    def opponent(self) -> User:
        challenger, defender = self.both
        return defender if self.viewer == challenger else challenger

    @property
    def both(self) -> tuple[User, User]:
        return self.challenge.challenger, self.challenge.defender

    @property
    def live(self) -> bool:
        return self.challenge.match is not None and self.challenge.match.status == Match.Status.LIVE


@dataclass(frozen=True, slots=True)
class LadderView:
    """Everything that the page of a ladder shows to one viewer."""

    ladder: Ladder
    rungs: list[Rung]
    challenges: list[ChallengeView]
    events: list[EventView]
    rules: list[str]
    seasons: list[LadderSeason]
    directs: bool
    member: bool
    moment: datetime
    vacation: int = 0  # days that the viewer may still be away this season
    standings: list[ratings.Standing] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return labels.kind(self.ladder.kind)

    @property
    def needs_action(self) -> bool:
        """Whether the viewer has a challenge to answer or a match to play."""
        return any(challenge.to_answer or challenge.waits for challenge in self.challenges)

    @property
    def terms(self) -> str:
        return terms(self.ladder)

    @property
    def open(self) -> bool:
        return self.ladder.status == Ladder.Status.OPEN

    @property
    def by_rating(self) -> bool:
        return self.ladder.kind == Ladder.Kind.RATING

    @property
    def established(self) -> list[ratings.Standing]:
        return [row for row in self.standings if not row.provisional]

    @property
    def provisional(self) -> list[ratings.Standing]:
        return [row for row in self.standings if row.provisional]

    @property
    def own_rung(self) -> Rung | None:
        return next((rung for rung in self.rungs if rung.is_viewer), None)

    @property
    def my_challenges(self) -> list[ChallengeView]:
        return [challenge for challenge in self.challenges if challenge.is_own]

    @property
    def other_challenges(self) -> list[ChallengeView]:
        return [challenge for challenge in self.challenges if not challenge.is_own]

    @property
    def reach(self) -> str:
        """The places that the viewer may challenge now: `2 to 4`."""
        places = [rung.place for rung in self.rungs if rung.may]
        return labels.place_list(places) if places else ""

    @property
    def why_no_challenges(self) -> str:
        """What keeps the viewer from challenging anybody at all; "" when nothing does."""
        return next((rung.why for rung in self.rungs if rung.code in labels.BLOCKS_ALL_CHALLENGES), "")

    @property
    def pace(self) -> str:
        return clocks.pace_of(self.ladder.clock_preset)


def page(*, ladder_id: str, user: User | None) -> LadderView:
    """A ladder as `user` (None: a visitor) sees it. Raises NotFound."""
    ladder = ladder_with(ladder_id)
    config = config_of(ladder)
    moment = now()
    by_rating = ladder.kind == Ladder.Kind.RATING
    standings: list[ratings.Standing] = []
    if by_rating:
        pace = clocks.pace_of(ladder.clock_preset)
        club = None if ladder.club.is_default else ladder.club  # everybody of the site is of its default club
        standings = ratings.pool_table(ladder.variant, pace, club=club, active_days=config.active_days)
    return LadderView(
        ladder=ladder,
        rungs=[] if by_rating else _rungs(ladder, config, user, moment),
        challenges=[] if by_rating else _challenges(ladder, user),
        events=event_views(ladder, config, list(ladder.events.select_related("by").order_by("-n")[:MOST_EVENTS])),
        rules=labels.rules(ladder.kind, config.as_json()),
        seasons=list(ladder.seasons.order_by("-number")),
        directs=may_direct(user, ladder.club),
        member=user is not None and not user.is_guest and not user.is_bot,
        moment=moment,
        vacation=_vacation(ladder, config, user),
        standings=standings,
    )


def _vacation(ladder: Ladder, config: rules.Config, user: User | None) -> int:
    """The whole days that the viewer may still be away this season."""
    row = state_of(ladder).rows.get(user.pk) if user else None
    return max(0, int(config.vacation_days - row.away_days)) if row else 0


def _rungs(ladder: Ladder, config: rules.Config, user: User | None, moment: datetime) -> list[Rung]:
    places = list(ladder.players.filter(rank__isnull=False).select_related("user").order_by("rank"))
    state = state_of(ladder)
    me = user.pk if user and any(place.user_id == user.pk for place in places) else None
    apart = separated_by_block(me)
    found = []
    for place in places:
        code: str | None = ""
        if me is not None and me != place.user_id and ladder.status == Ladder.Status.OPEN:
            code = rules.may_challenge(state, config, me, place.user_id, moment)
            code = "apart" if code is None and place.user_id in apart else code
        why = refusal(code, config).text if code else ""
        found.append(_rung(place, me, code, why, moment))
    return found


def _rung(place: LadderPlayer, me: int | None, code: str | None, why: str, moment: datetime) -> Rung:
    away, immune = place.away_until, place.immune_until
    return Rung(
        place=place.rank or 0,
        user=place.user,
        points=place.points,
        played=place.played,
        won=place.won,
        moved=(place.rank_before or place.rank or 0) - (place.rank or 0),
        is_viewer=place.user_id == me,
        frozen=place.frozen,
        away_until=away if away and away > moment else None,
        immune_until=immune if immune and immune > moment else None,
        may=code is None,
        why="" if code in labels.UNSAID_REASONS else str(labels.SHORT_REASONS.get(code or "", why)),
        code=code or "",
    )


def _with_players(challenges: QuerySet[LadderChallenge]) -> QuerySet[LadderChallenge]:
    seats = Prefetch("match__seats", Seat.objects.order_by("-side"))
    return challenges.select_related("challenger", "defender", "match", "ladder").prefetch_related(seats)


def _challenges(ladder: Ladder, user: User | None) -> list[ChallengeView]:
    found = _with_players(ladder.challenges.filter(status__in=OPEN)).order_by("due_at", "pk")
    return [_challenge_view(challenge, user) for challenge in found]


def _challenge_view(challenge: LadderChallenge, user: User | None) -> ChallengeView:
    match = challenge.match
    if match is None:
        return ChallengeView(challenge, user)
    row = match_rows([match], user)[0]
    return ChallengeView(challenge, user, waits=row.waits, points=row.score)


def challenges_to_answer(user: User | None) -> list[ChallengeView]:
    """The challenges of all ladders that `user` has to answer."""
    if user is None:
        return []
    found = LadderChallenge.objects.filter(defender=user, status=LadderChallenge.Status.OFFERED)
    return [_challenge_view(challenge, user) for challenge in _with_players(found).order_by("due_at", "pk")[:MOST_ROWS]]
