"""The page of a ladder: the same number of queries however long it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from accounts.models import User
from accounts.roles import directs
from accounts.ties import apart_from
from games import clocks, ladder_words, ladders
from games.database import now
from games.models import Ladder, LadderChallenge, LadderPlayer, LadderSeason, Match, Seat
from games.selectors import lists, ratings
from games.selectors.ladders.entries import ladder_with
from games.selectors.ladders.events import Told, told
from games.selectors.ladders.listed import terms
from games.services.ladders import config_of, refusal, state_of

OPEN = (LadderChallenge.Status.OFFERED, LadderChallenge.Status.ACCEPTED)
MOST_EVENTS = 8


@dataclass(frozen=True, slots=True)
class Rung:
    """A player's place, and whether the viewer may challenge him: `why` says why not, "" where nobody asks."""

    place: int
    user: User
    points: float = 0
    played: int = 0
    won: int = 0
    moved: int = 0
    mine: bool = False
    frozen: bool = False
    away_until: datetime | None = None
    immune_until: datetime | None = None
    may: bool = False
    why: str = ""
    code: str = ""

    @property
    def climbed(self) -> int:
        """How many places the last move took him up."""
        return max(0, self.moved)

    @property
    def fell(self) -> int:
        return max(0, -self.moved)

    @property
    def badged(self) -> bool:
        """Whether a badge says already why he cannot be challenged."""
        return bool(self.frozen or self.away_until or self.immune_until)

    @property
    def lost(self) -> int:
        return self.played - self.won

    @property
    def score(self) -> str:
        return ladder_words.score(self.points)


@dataclass(frozen=True, slots=True)
class Call:
    """A challenge that is open, as one viewer sees it. `waits`: he has still to come to the board."""

    challenge: LadderChallenge
    viewer: User | None = None
    waits: bool = False
    points: str = ""

    @property
    def calls_me(self) -> bool:
        """Whether the viewer has to answer."""
        return self.viewer == self.challenge.defender and self.challenge.status == LadderChallenge.Status.OFFERED

    @property
    def called_by_me(self) -> bool:
        return self.viewer == self.challenge.challenger and self.challenge.status == LadderChallenge.Status.OFFERED

    @property
    def mine(self) -> bool:
        return self.viewer in (self.challenge.challenger, self.challenge.defender)

    @property
    def rival(self) -> User:
        one = self.challenge
        return one.defender if self.viewer == one.challenger else one.challenger

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
    calls: list[Call]
    told: list[Told]
    rules: list[str]
    seasons: list[LadderSeason]
    directs: bool
    member: bool
    moment: datetime
    vacation: int = 0  # days that he may still be away this season
    standings: list[ratings.Standing] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return ladder_words.kind(self.ladder.kind)

    @property
    def called(self) -> bool:
        """Whether the viewer has a challenge to answer or a match to play."""
        return any(call.calls_me or call.waits for call in self.calls)

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
        return [one for one in self.standings if not one.provisional]

    @property
    def provisional(self) -> list[ratings.Standing]:
        return [one for one in self.standings if one.provisional]

    @property
    def mine(self) -> Rung | None:
        return next((rung for rung in self.rungs if rung.mine), None)

    @property
    def my_calls(self) -> list[Call]:
        return [call for call in self.calls if call.mine]

    @property
    def other_calls(self) -> list[Call]:
        return [call for call in self.calls if not call.mine]

    @property
    def reach(self) -> str:
        """The places that the viewer may challenge now: `2 to 4`."""
        places = [rung.place for rung in self.rungs if rung.may]
        return ladder_words.place_list(places) if places else ""

    @property
    def why_nobody(self) -> str:
        """What keeps the viewer from challenging anybody at all; "" when nothing does."""
        return next((rung.why for rung in self.rungs if rung.code in ladder_words.ANYBODY), "")

    @property
    def pace(self) -> str:
        return clocks.pace_of(self.ladder.clock_preset)


def page(*, ladder_id: str, user: User | None) -> LadderView:
    """A ladder as `user` (None: a passer-by) sees it. Raises NotFound."""
    ladder = ladder_with(ladder_id)
    config = config_of(ladder)
    moment = now()
    by_rating = ladder.kind == Ladder.Kind.RATING
    standings: list[ratings.Standing] = []
    if by_rating:
        pace = clocks.pace_of(ladder.clock_preset)
        club = None if ladder.club.is_default else ladder.club  # everybody of the site is of its default club
        standings = ratings.table(ladder.variant, pace, club=club, active_days=config.active_days)
    return LadderView(
        ladder=ladder,
        rungs=[] if by_rating else _rungs(ladder, config, user, moment),
        calls=[] if by_rating else _calls(ladder, user),
        told=told(ladder, config, list(ladder.events.select_related("by").order_by("-n")[:MOST_EVENTS])),
        rules=ladder_words.rules(ladder.kind, config.as_json()),
        seasons=list(ladder.seasons.order_by("-number")),
        directs=directs(user, ladder.club),
        member=user is not None and not user.is_guest and not user.is_bot,
        moment=moment,
        vacation=_vacation(ladder, config, user),
        standings=standings,
    )


def _vacation(ladder: Ladder, config: ladders.Config, user: User | None) -> int:
    """The whole days that the viewer may still be away this season."""
    row = state_of(ladder).rows.get(user.pk) if user else None
    return max(0, int(config.vacation_days - row.away_days)) if row else 0


def _rungs(ladder: Ladder, config: ladders.Config, user: User | None, moment: datetime) -> list[Rung]:
    places = list(ladder.players.filter(rank__isnull=False).select_related("user").order_by("rank"))
    state = state_of(ladder)
    me = user.pk if user and any(place.user_id == user.pk for place in places) else None
    apart = apart_from(me)
    found = []
    for place in places:
        code: str | None = ""
        if me is not None and me != place.user_id and ladder.status == Ladder.Status.OPEN:
            code = ladders.may_challenge(state, config, me, place.user_id, moment)
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
        mine=place.user_id == me,
        frozen=place.frozen,
        away_until=away if away and away > moment else None,
        immune_until=immune if immune and immune > moment else None,
        may=code is None,
        why="" if code in ladder_words.SILENT else str(ladder_words.SHORT.get(code or "", why)),
        code=code or "",
    )


def _with_players(challenges: QuerySet[LadderChallenge]) -> QuerySet[LadderChallenge]:
    seats = Prefetch("match__seats", Seat.objects.order_by("-side"))
    return challenges.select_related("challenger", "defender", "match", "ladder").prefetch_related(seats)


def _calls(ladder: Ladder, user: User | None) -> list[Call]:
    found = _with_players(ladder.challenges.filter(status__in=OPEN)).order_by("due_at", "pk")
    return [_call(one, user) for one in found]


def _call(challenge: LadderChallenge, user: User | None) -> Call:
    match = challenge.match
    if match is None:
        return Call(challenge, user)
    row = lists.rows([match], user)[0]
    return Call(challenge, user, waits=row.waits, points=row.score)


def calls_on(user: User | None) -> list[Call]:
    """The challenges of all ladders that `user` has to answer."""
    if user is None:
        return []
    found = LadderChallenge.objects.filter(defender=user, status=LadderChallenge.Status.OFFERED)
    return [_call(one, user) for one in _with_players(found).order_by("due_at", "pk")[: lists.MOST_ROWS]]
