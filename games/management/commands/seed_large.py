"""A large site to measure on: `make seed-large` (var/large), or `manage.py seed_large` on an empty database.

The same numbers give the same site. Matches are short records that the rules played, over and over with other players
and days; what hangs on them (ratings, statistics, marks) is made as the site itself makes it.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from random import Random  # noqa: TID251 - the same site every time; no player's dice come from here
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.color import no_style
from django.db import connection, models, transaction

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from accounts.users.services import demo_accounts_ensure, house_bot_ensure
from games import clocks, match_facts, replay
from games.engine import SIDES, Side
from games.models import Action, Game, Match, MatchMark, MatchTag, RatedMatch, RatingPool, Seat, SeatFacts
from games.models.match import ALPHABET
from games.registry import RULES
from games.services.ratings import pool_rebuild
from games.services.statistics import facts_rows, rolls_add

FIRST = datetime(2023, 1, 1, 18, tzinfo=UTC)
LAST = datetime(2026, 10, 31, 23, tzinfo=UTC)
GAMES = {  # variant: (how often of a hundred, lengths)
    "backgammon": (66, (1, 3, 5, 5, 7, 9, 11)),
    "nackgammon": (8, (3, 5)),
    "hypergammon": (8, (1, 3, 5)),
    "acey-deucey": (8, (15,)),
    "damas": (10, (1, 2, 3)),
}
STORIES = 8  # different records of each variant and length
ACTIONS = (7, 10)
LONG = 1200  # the actions of the few long matches
EVENTS = 300
NAMES = ("ana", "bea", "carlos", "dora", "elena", "fabio", "gina", "hugo", "iris", "julia", "karim", "lola", "mateo")
TAGS = ("opening", "blunder", "to study", "final", "friends", "lucky", "prime", "back game")
ACTION_COLUMNS = ("match_id", "n", "game_number", "actor", "text", "asked", "element", "at")
CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Story:
    """A match that the rules have played: its actions (game, actor, text), its games, its end."""

    variant: str
    length: int
    actions: tuple[tuple[int, str, str], ...]
    games: tuple[tuple[dict[str, Any], str, int, str], ...]  # score before, winner, points, kind
    state: replay.State
    tallies: match_facts.Tallies

    @property
    def winner(self) -> str:
        return (self.state.result and self.state.result.winner) or ""


class Command(BaseCommand):
    help = "Fill an empty database with a large site for benchmarks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, default=100_000)
        parser.add_argument("--players", type=int, default=2_000)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        if Match.objects.exists():
            raise CommandError("This database has matches already: a large site is made on an empty one.")
        self.started = time.monotonic()
        self.chance = Random(options["seed"])  # nosec B311  # noqa: S311
        for name, password in demo_accounts_ensure():
            self.write_line(f"{name} logs in with {password}")
        house_bot_ensure()
        people = self.people(options["players"])
        stories = list(self.stories())
        self.write_line(
            f"{len(stories)} records, {sum(len(story.actions) for story in stories) / len(stories):.1f} actions each"
        )
        rated = self.matches(options["matches"], people, stories)
        self.ratings(rated)
        self.marks(people)
        _analyse()
        self.write_line(f"{Match.objects.count()} matches, {Action.objects.count()} actions, {len(people)} players")

    def write_line(self, text: str) -> None:
        self.stdout.write(f"{time.monotonic() - self.started:5.0f} s  {text}")

    def people(self, count: int) -> list[int]:
        """The ids of the players, the busiest first: ana and bea."""
        known = list(User.objects.filter(is_bot=False).order_by("pk"))
        names = [f"{NAMES[n % len(NAMES)]}.{n:04}" for n in range(count - len(known))]
        made = [User(username=name, name_key=name, password="!") for name in names]  # noqa: S106 - nobody logs in
        User.objects.bulk_create(made, batch_size=500)
        club = default_club_ensure()
        Membership.objects.bulk_create([Membership(club=club, user=user) for user in made], batch_size=500)
        return [user.pk for user in (*known, *made)]

    def stories(self) -> Iterator[Story]:
        for variant, (_often, lengths) in GAMES.items():
            for length in sorted(set(lengths)):
                for _ in range(STORIES):
                    yield self.story(variant, length, self.chance.randint(*ACTIONS))
        yield self.story("backgammon", 11, LONG)

    def story(self, variant: str, length: int, most: int) -> Story:
        """A match of random plays; after so many actions a side resigns or its flag falls."""
        state = replay.start(RULES[variant], length, {})
        actions: list[tuple[int, str, str]] = []
        before, games = state.score.view(), []
        while state.result is None:
            actor, text = self.step(state, over=len(actions) >= most)
            actions.append((state.game, actor, text))
            after = state.after(actor, text)
            if after.closed is not state.closed:
                ended = after.ended or {}
                games.append((before, ended.get("winner") or "", ended.get("points", 0), ended.get("kind", "")))
                before = after.score.view()
            state = after
        if state.result.by != "score":
            games.append((before, "", 0, state.result.by))
        preset = clocks.fitting(RULES[variant].clock_kind(length))[0]
        timed_actions = [match_facts.TimedAction(actor, text, FIRST, None, None) for _game, actor, text in actions]
        tallies = match_facts.count(variant, length, {}, delay=preset.delay, actions=timed_actions)
        return Story(variant, length, tuple(actions), tuple(games), state, tallies)

    def step(self, state: replay.State, *, over: bool) -> tuple[str, str]:
        """The next action and its actor."""
        if state.needs_dice:
            first, second = self.chance.randint(1, 6), self.chance.randint(1, 6)
            return (
                "chance",
                f"dice {max(first, second)}{min(first, second)}" if not state.opening else f"dice {first}{second}",
            )
        if state.position.auto:
            return "server", state.position.auto
        side: Side = next(each for each in SIDES if state.awaits(each))
        if over and not state.opening:
            by_flag = state.rules.clock_kind(state.score.length) == "match" and self.chance.random() < 0.15
            return ("server", f"flag {side}") if by_flag else (side, "resign match")
        if state.opening or "roll" in state.may(side):
            return side, "roll"
        plays = [text for text in state.position.actions() if text not in ("double", "drop")]
        return side, self.chance.choice(sorted(plays))

    def matches(self, count: int, people: Sequence[int], stories: Sequence[Story]) -> list[tuple[Match, Story, Any]]:
        """All matches with their seats, games, actions and facts; those that are rated come back."""
        weights = list(accumulate(1 / (rank + 8) ** 0.9 for rank in range(len(people))))
        by_game: dict[str, list[Story]] = defaultdict(list)
        for story in stories[:-1]:
            by_game[story.variant].append(story)
        rated: list[tuple[Match, Story, Any]] = []
        rolls: Counter[Any] = Counter()
        made = self.made(count, people, weights, by_game, stories[-1])
        done = 0
        while chunk := list(islice(made, CHUNK)):
            with transaction.atomic():
                _insert(Match, [match for match, *_rest in chunk])
                _insert(Seat, [seat for _match, seats, *_rest in chunk for seat in seats], keys=True)
                games = {match.pk: list(_games(match, story)) for match, _seats, story in chunk}
                _insert(Game, [game for each in games.values() for game in each])
                _write(
                    Action, ACTION_COLUMNS, (line for match, _seats, story in chunk for line in _actions(match, story))
                )
                numbers = []
                for match, seats, story in chunk:
                    if not match.source:
                        rows, thrown = facts_rows(match, seats, games[match.pk], story.tallies)
                        numbers += rows
                        rolls.update(thrown)
                _insert(SeatFacts, numbers, keys=True)
            rated += [(m, story, [seat.user_id for seat in seats]) for m, seats, story in chunk if m.rated and m.winner]
            done += len(chunk)
            if done % (10 * CHUNK) == 0:
                self.write_line(f"{done} matches")
        with transaction.atomic():
            rolls_add(rolls)
        _sequences()
        return rated

    def made(
        self,
        count: int,
        people: Sequence[int],
        weights: Sequence[float],
        by_game: dict[str, list[Story]],
        long: Story,
    ) -> Iterator[tuple[Match, list[Seat], Story]]:
        chance, often = self.chance, [share for share, _lengths in GAMES.values()]
        events = [
            (f"{chance.choice(('Open', 'Cup', 'League', 'Masters'))} {n}", f"/{kind}/{self.name()}/")
            for n in range(1, EVENTS + 1)
            for kind in (("ladders",) if n % 10 == 0 else ("tournaments",))
        ]
        for n in range(count):
            white, black = chance.choices(people, cum_weights=weights, k=2)
            while black == white:
                black = chance.choice(people)
            variant = chance.choices(list(GAMES), often)[0]
            story = long if n % 20_000 == 10_000 else chance.choice(by_game[variant])
            read = n % 200 == 100  # out of a file: nobody of this site sits there
            yield self.match(n, count, people[0] if read else white, black, story, events, read=read)

    def match(
        self, n: int, count: int, white: int, black: int, story: Story, events: list[tuple[str, str]], *, read: bool
    ) -> tuple[Match, list[Seat], Story]:
        chance, result = self.chance, story.state.result
        title, url = chance.choice(events) if not read and chance.random() < 0.25 else ("", "")
        ended = FIRST + (LAST - FIRST) * n / count
        match = Match(
            id=self.name(),
            variant=story.variant,
            length=story.length,
            rated=not read and chance.random() < 0.8,
            clock_preset="none" if read else chance.choice(_clocks(story)),
            options={},
            source="mat" if read else "",
            headers={"sha256": f"{n:064}"} if read else {},
            status=Match.Status.OVER,
            creator_id=white,
            arranged=bool(title),
            title=f"{title} · {chance.randint(1, 5)}" if title else "",
            from_url=url,
            created_at=ended - timedelta(minutes=30),
            started_at=ended - timedelta(minutes=25),
            ended_at=ended,
            version=len(story.actions),
            snapshot=story.state.snapshot(),
            winner=story.winner,
            ended_by=result.by if result else "",
        )
        seats = [
            Seat(
                id=2 * n + at + 1,
                match=match,
                side=side,
                user_id=None if read else user,
                written_name=f"{name} of a file" if read else "",
                points=story.state.score.points(side),
                won=side == story.winner if story.winner else None,
                ended_at=ended,
            )
            for at, (side, user, name) in enumerate(zip(SIDES, (white, black), ("gus", "hugo"), strict=True))
        ]
        return match, seats, story

    def name(self) -> str:
        return "".join(self.chance.choices(ALPHABET, k=10))

    def ratings(self, rated: list[tuple[Match, Story, Any]]) -> None:
        """The log of each pool, and what follows from it."""
        logs: dict[tuple[str, str], list[RatedMatch]] = defaultdict(list)
        pools: dict[tuple[str, str], RatingPool] = {}
        for match, story, (white, black) in rated:
            key = (match.variant, clocks.pace_of(match.clock_preset))
            if key not in pools:
                pools[key] = RatingPool.objects.get_or_create(variant=key[0], pace=key[1])[0]
            logs[key].append(
                RatedMatch(
                    pool=pools[key],
                    n=len(logs[key]) + 1,
                    match=match,
                    at=match.ended_at or LAST,
                    white_id=white,
                    black_id=black,
                    weight=RULES[match.variant].rating_weight(match.length),
                    winner=match.winner,
                    results=_results(story),
                )
            )
        for (variant, pace), log in logs.items():
            pool = pools[variant, pace]
            pool.matches = len(log)
            pool.save()
            with transaction.atomic():
                _insert(RatedMatch, log)
            pool_rebuild(pool_id=pool.pk)
            self.write_line(f"{len(log)} rated matches of {variant}, {pace}")

    def marks(self, people: Sequence[int]) -> None:
        """Stars, notes and tags of the busiest players on their own matches."""
        chance, marks, tags = self.chance, [], []
        for user in people[:40]:
            for match_id in Seat.objects.filter(user=user).values_list("match", flat=True).order_by("pk")[:1500]:
                if chance.random() < 0.3:
                    note = "A note about the third game." if chance.random() < 0.3 else ""
                    marks.append(
                        MatchMark(
                            user_id=user,
                            match_id=match_id,
                            favourite=not note or chance.random() < 0.4,
                            note=note,
                            changed_at=LAST,
                        )
                    )
                if chance.random() < 0.25:
                    for tag in chance.sample(TAGS, chance.randint(1, 3)):
                        tags.append(MatchTag(user_id=user, match_id=match_id, name=tag, key=tag))
        MatchMark.objects.bulk_create(marks, batch_size=500)
        MatchTag.objects.bulk_create(tags, batch_size=500)
        self.write_line(f"{len(marks)} marks, {len(tags)} tags")


def _clocks(story: Story) -> list[str]:
    kind = RULES[story.variant].clock_kind(story.length)
    return [preset.key for preset in clocks.fitting(kind) if preset.kind is not None]


def _results(story: Story) -> list[float]:
    """White's points as the log has them: of the match, or of each game where games are rated."""
    if RULES[story.variant].rating == "fibs":
        return [float(story.winner == "white")]
    value = {"white": 1.0, "black": 0.0, "": 0.5}
    return [value[winner if points else story.winner] for _before, winner, points, _kind in story.games]


def _games(match: Match, story: Story) -> Iterator[Game]:
    for number, (before, winner, points, kind) in enumerate(story.games, 1):
        yield Game(
            match=match,
            number=number,
            score_before=before,
            winner=winner,
            points=points,
            kind=kind,
            started_at=match.started_at or FIRST,
            ended_at=match.ended_at,
        )


def _actions(match: Match, story: Story) -> Iterator[list[Any]]:
    """The lines of `ACTION_COLUMNS`; a million of them, so without making objects of the model."""
    started_at: Any = match.started_at
    for n, (game, actor, text) in enumerate(story.actions, 1):
        moment = connection.ops.adapt_datetimefield_value(started_at + timedelta(seconds=min(n, 1400)))
        yield [match.pk, n, game, actor, text, "", "", moment]


def _insert(model: type[models.Model], rows: Iterable[models.Model], *, keys: bool = False) -> None:
    """Rows in bulk; with `keys` their own primary keys."""
    fields = [field for field in model._meta.concrete_fields if keys or not isinstance(field, models.AutoField)]
    values = ([field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields] for row in rows)
    _write(model, [str(field.column) for field in fields], values)


def _write(model: type[models.Model], columns: Sequence[str], lines: Iterable[list[Any]]) -> None:
    """Lines as the database takes them: COPY on PostgreSQL, one prepared statement on SQLite."""
    into = f"{connection.ops.quote_name(model._meta.db_table)} ({', '.join(columns)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for line in lines:
                    copy.write_row(line)
        else:
            places = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {into} VALUES ({places})", list(lines))  # nosec B608  # noqa: S608


def _sequences() -> None:
    """The next seat gets the next number: PostgreSQL did not see the ones that were given here."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Seat]):
            cursor.execute(statement)


def _analyse() -> None:
    """Let the database look at what it has, as it does by itself on a site that grows slowly."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "PRAGMA optimize")
