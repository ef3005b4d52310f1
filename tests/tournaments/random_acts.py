"""A weekend of tournaments at which people of all roles do things at random, as browsers send them.

After each act `check` has what must hold: no act is a server error, whoever did it and whatever they sent; nobody is at
two boards; every row is what the events say; the tables add up.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as people
from games import services as play
from games.errors import Refused as PlayRefused
from games.models import Match
from tests.tournaments.conftest import fresh, terms
from tests.tournaments.weekend_stage import weekend_of
from tournaments import services, undo
from tournaments.boards import Boards, Room
from tournaments.formats.core import Pairing
from tournaments.models import Tournament
from tournaments.services.transaction import load_events
from tournaments.services.weekend_people import weekend_boards_set
from tournaments.state import State

SHAPES: dict[str, dict[str, Any]] = {
    "arena": {"format_": "arena", "config": {"minutes": 20}, "clock": "blitz", "lengths": [3], "venue": "online"},
    "exhibition": {"format_": "exhibition", "venue": "board"},
    "series": {"format_": "knockout", "config": {"best_of": 3}, "venue": "both"},
    "swiss series": {"format_": "swiss", "config": {"rounds": 2, "best_of": 3}, "venue": "board"},
    "double series": {"format_": "double", "config": {"best_of": 5, "best_of_rounds": 1}, "venue": "both"},
}
BOARDS = Boards((Room("Hall", 1, 5),), automatic=True)
PAGES = ("tournament", "tournament-live", "tournament-desk", "tournament-tv", "desk-log", "tournament-boards")
SHEETS = ("draw", "entrants", "slips", "standings", "nothing")
START = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


class Clock:
    """The moment of every transaction of tournaments."""

    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> datetime:
        return self.moment


class RandomWeekend:
    """Two tournaments of a weekend that share boards; `people` play in both, and walk-ins where no account is needed.

    `roles` are the browsers of those who act, by name; None is whoever has not signed in.
    """

    def __init__(
        self, shapes: Sequence[str], sizes: Sequence[int], seed: int, players: Sequence[User], dora: User, clock: Clock
    ) -> None:
        self.chance = random.Random(f"{shapes} {sizes} {seed}")
        self.clock, self.dora, self.people = clock, dora, players
        self.browsers: dict[str, Client] = {"nobody": Client(raise_request_exception=True)}
        self.visitors = 0
        self.made = [self._made(shape, size) for shape, size in zip(shapes, sizes, strict=True)]
        self.weekend = weekend_of(dora, *self.made)
        ids = [made.pk for made in self.made]
        weekend_boards_set(weekend_id=self.weekend.pk, user=dora, tournament_ids=ids, boards=BOARDS)
        for made in self.made:
            if self.chance.random() < 0.8:
                self.start(made, "desk-start", director=1)

    def _made(self, shape: str, size: int) -> Tournament:
        chosen = dict(SHAPES[shape])
        made = services.tournament_create(
            creator=self.dora, name=shape, terms=terms(chosen.pop("format_"), config=chosen.pop("config", {}), **chosen)
        )
        members = self.people[:size]
        for user in members:
            services.entrant_register(tournament_id=made.pk, user=user)
        if shape != "arena":
            for number in range(size - len(members)):
                services.entrant_add(tournament_id=made.pk, user=self.dora, name=f"W{number}")
        return made

    def browser(self, user: User | None) -> Client:
        if user is None:
            return self.browsers["nobody"]
        if user.username not in self.browsers:
            client = self.browsers[user.username] = Client(headers={"accept-language": "en"})
            client.force_login(user, backend=people.BACKEND)
        return self.browsers[user.username]

    # Acts

    def act(self) -> str:
        """Do one thing at random; its name."""
        name = self.chance.choices(list(ACTS), [weight for _act, weight in ACTS.values()])[0]
        self.clock.moment += timedelta(seconds=self.chance.choice((1, 5, 40, 200)))
        ACTS[name][0](self, self.chance.choice(self.made))
        return name

    def post(self, name: str, made: Tournament, /, *args: Any, director: float = 0.85, **fields: Any) -> None:
        """Send a form, mostly as a director, else as anybody; sometimes with a field that makes no sense."""
        user = self.dora if self.chance.random() < director else self.chance.choice((None, *self.people))
        self.send(user, name, made.pk, *args, **self._spoilt(fields))

    def send(self, user: User | None, name: str, /, *args: Any, **fields: Any) -> None:
        answer = self.browser(user).post(reverse(name, args=args), fields)
        assert answer.status_code < 500, (name, fields)

    def _spoilt(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields and self.chance.random() < 0.06:
            fields[self.chance.choice(list(fields))] = self.chance.choice(("", "-1", "9" * 30, "x\x00", "main-9-9_9"))
        return fields

    def start(self, made: Tournament, name: str = "", director: float = 0.85) -> None:
        if fresh(made).rules.config.format == "exhibition":
            self.send(self.dora, "desk-seeds", made.pk, action="hand", seed_1="1")
        self.post(name or self.chance.choice(("desk-draw", "desk-start")), made, director=director)

    def result(self, made: Tournament) -> None:
        if (pairing := self._some(made, "ready")) is not None:
            self.post("desk-result", made, **self._result(made, pairing))

    def correct(self, made: Tournament) -> None:
        if (pairing := self._some(made, "done")) is not None:
            agreed = [other.key for other in fresh(made).pairings if other.state != "waiting"]
            form = self._result(made, pairing)
            self.post("desk-correct", made, agreed=agreed, sure="1", **form)

    def report(self, made: Tournament) -> None:
        """A player reports, confirms or disputes."""
        if (pairing := self._some(made, "ready")) is None:
            return
        name = self.chance.choice(("tournament-report", "tournament-confirm", "tournament-dispute"))
        user = made.entrants.get(number=self.chance.choice(pairing.entrants)).user
        self.send(user, name, made.pk, **self._spoilt(self._result(made, pairing)))

    def play(self, made: Tournament) -> None:
        """Two come to their board on this site, and one of them resigns."""
        row = made.meetings.filter(match__isnull=False, state="ready").order_by("?").first()
        if row is None or row.match is None:
            return
        for user in (row.a.user, row.b.user):
            self.send(user, "match-arrive", row.match_id)
        match = Match.objects.get(pk=row.match_id)
        if match.status == Match.Status.LIVE and self.chance.random() < 0.8:
            try:
                play.match_act(
                    match_id=match.pk, user_id=row.a.user_id, action="resign match", client_id=f"{match.pk}-1"
                )
            except PlayRefused:
                return
            services.match_result_record(match_id=match.pk)

    def person(self, made: Tournament) -> None:
        """An entrant comes, goes, pauses, pays or is substituted."""
        numbers = [entrant.number for entrant in made.entrants.all()] or [1]
        number = self.chance.choice(numbers)
        action = self.chance.choice(("withdraw", "reinstate", "pause", "back", "paid", "unpaid", "check-in", "admit"))
        self.post("desk-entrant", made, entrant=number, action=action, sure="1")
        name = self.chance.choice(("Paco", self.chance.choice(self.people).username))
        late = self.chance.choice(("desk-late", "desk-substitute", "desk-entrant-add"))
        if self.chance.random() < 0.4:
            self.post(late, made, entrant=number, name=name, points="0")

    def own(self, made: Tournament) -> None:
        """A player enters, leaves, pauses or comes back."""
        name = self.chance.choice(("tournament-enter", "tournament-leave", "tournament-pause", "tournament-pause"))
        action = self.chance.choice(("pause", "back"))
        self.send(self.chance.choice(self.people), name, made.pk, action=action)

    def rewrite(self, made: Tournament) -> None:
        """Undo or redo any act, also those that cannot be, and agree to what is reset."""
        acts = sorted({event.act for event in load_events(made)})
        undone = undo.undone_acts(load_events(made))
        name = "desk-redo" if undone and self.chance.random() < 0.5 else "desk-undo"
        act = self.chance.choice(sorted(undone) if name == "desk-redo" else acts[-12:])
        agreed = [pairing.key for pairing in fresh(made).pairings]
        self.post(name, made, act=act, agreed=agreed, sure="1")

    def boards(self, made: Tournament) -> None:
        if (pairing := self._some(made, "ready")) is not None:
            self.post("desk-call", made, key=pairing.key, board=self.chance.randint(0, 7))

    def penalise(self, made: Tournament) -> None:
        if (pairing := self._some(made, "ready")) is not None:
            number = self.chance.choice(pairing.entrants)
            self.post("desk-penalty", made, key=pairing.key, entrant=number, points=self.chance.randint(0, 3))

    def rest(self, made: Tournament) -> None:
        ends = fresh(made).current_break is not None or self.chance.random() < 0.5
        self.post("desk-recess", made, **({"action": "end"} if ends else {"minutes": "10"}))

    def round(self, made: Tournament) -> None:
        self.post("desk-round", made, round="main 1")

    def sweep(self, made: Tournament) -> None:
        """Time passes: an arena pairs, and who is missing loses."""
        services.arena_due(tournament_id=made.pk)
        for row in made.meetings.filter(no_show_at__lte=self.clock.moment):
            services.meeting_due(meeting_id=row.pk)

    def end(self, made: Tournament) -> None:
        self.post(self.chance.choice(("desk-stop", "desk-stop", "desk-cancel")), made, director=0.5, sure="1")

    def weekend_acts(self, made: Tournament) -> None:
        """Something about the weekend as a whole."""
        entrant = made.entrants.order_by("?").first()
        ids = [each.pk for each in self.made]
        self.visitors += 1
        name, fields = self.chance.choice(
            (
                ("weekend-paid", {"entrant": entrant.pk if entrant else 0, "tournament": made.pk, "action": "unpaid"}),
                ("weekend-paid", {"entrant": entrant.pk if entrant else 0}),
                ("weekend-person-add", {"name": f"V{self.visitors}", "tournaments": ids, "walk_in": "yes"}),
                ("weekend-boards", {"rooms": self.chance.choice(("Hall 1-5", "1-3", "")), "tournaments": ids}),
                ("weekend-tournaments", {"tournaments": self.chance.choice((ids, ids[:1]))}),
                ("weekend-tournaments", {"tournaments": ids}),
                ("weekend-records", {"kind": "pool", "name": "Pool", "stake": "5"}),
            )
        )
        user = self.chance.choice((self.dora, self.dora, self.dora, self.people[0], None))
        self.send(user, name, self.weekend.pk, **self._spoilt(dict(fields)))

    def look(self, made: Tournament) -> None:
        """Open pages, as anybody."""
        browser = self.browser(self.chance.choice((None, self.dora, *self.people)))
        for name in self.chance.sample(PAGES, 3):
            assert browser.get(reverse(name, args=[made.pk])).status_code < 500, name
        sheet = self.chance.choice(SHEETS)
        assert browser.get(reverse("tournament-print", args=[made.pk]), {"sheet": sheet}).status_code < 500
        for name in ("weekend", "weekend-desk", "weekend-people", "weekend-fees", "weekend-records", "weekend-prizes"):
            assert browser.get(reverse(name, args=[self.weekend.pk])).status_code < 500, name

    def _some(self, made: Tournament, state: str) -> Pairing | None:
        every = fresh(made)
        found = [each for each in every.pairings if each.state == state and len(each.entrants) == 2]
        if self.chance.random() < 0.15:
            found += [each for each in every.fixtures if each.state == state and every.is_series(each)]
        return self.chance.choice(found) if found else None

    def _result(self, made: Tournament, pairing: Pairing) -> dict[str, Any]:
        length = fresh(made).length(pairing)
        how = self.chance.choice(("played", "played", "played", "walkover", "double"))
        won, lost = length, self.chance.randint(0, length)
        winner = self.chance.choice(pairing.entrants)
        return {"key": pairing.key, "winner": winner, "won": won, "lost": lost, "how": how, "why": "Seen by all"}

    # What has to hold

    def check(self) -> None:
        seats: Counter[int] = Counter()
        for made in self.made:
            made.refresh_from_db()
            state = fresh(made)
            self._check_state(made, state)
            self._check_table(state)
            if made.weekend_id is not None:
                seats.update(call.board for call in state.called.values())
        running = [made for made in self.made if made.phase == "running"]
        assert len(running) < 2 or max(seats.values(), default=0) <= 1, seats

    def kinds(self) -> Counter[str]:
        """How many events of each kind the tournaments have."""
        return Counter(event.kind for made in self.made for event in load_events(made))

    def _check_state(self, made: Tournament, state: State) -> None:
        assert state == undo.replay(load_events(made))
        assert made.phase == state.phase
        keys = [pairing.key for pairing in state.pairings]
        assert len(keys) == len(set(keys))
        pairs = {pairing.key: pairing for pairing in state.pairings if len(pairing.entrants) == 2}
        rows = {row.key: row for row in made.meetings.select_related("a", "b", "match")}
        assert rows.keys() == pairs.keys()
        playing: Counter[int] = Counter()
        for key, pairing in pairs.items():
            row = rows[key]
            assert ((row.a.number, row.b.number), row.state) == (pairing.entrants, pairing.state)
            assert len(set(pairing.entrants)) == 2
            if pairing.state == "ready" and row.opened_at is not None:
                playing.update(pairing.entrants)
            live = row.match is not None and row.match.status in (Match.Status.OPEN, Match.Status.LIVE)
            assert not (live and (pairing.state == "done" or state.phase == "cancelled"))
        assert state.format.at_once or max(playing.values(), default=0) <= 1, playing
        for round_ in state.rounds:
            in_round = Counter(number for pair in round_.pairs for number in pair)
            assert max(in_round.values(), default=0) <= 1, round_

    def _check_table(self, state: State) -> None:
        """The lines of a table add up to the pairings that are over."""
        assert len({line.entrant for line in state.standings}) == len(state.standings)
        if state.format.sections not in ("arena", "table"):
            return
        over = [fixture for fixture in state.fixtures if fixture.state == "done" and fixture.result is not None]
        decided = [fixture for fixture in over if fixture.winner is not None]
        assert sum(line.losses for line in state.standings) == 2 * len(over) - len(decided)
        if state.format.sections == "arena":
            assert sum(line.wins for line in state.standings) == len(decided)
            points = Counter({line.entrant: int(dict(line.values)["arena"]) for line in state.standings})
            assert points == Counter(arena_points(state))


def arena_points(state: State) -> dict[int, int]:
    """The points of an arena, counted anew: two a win, four after two played wins in a row."""
    points, streaks = dict.fromkeys(state.order, 0), dict.fromkeys(state.order, 0)
    for pairing in state.pairings:
        if pairing.result is None or pairing.state != "done":
            continue
        for number in pairing.entrants:
            played = pairing.result.how == "played"
            if pairing.winner == number:
                points[number] += 4 if played and streaks[number] >= 2 else 2
                streaks[number] += played
            else:
                streaks[number] = 0
    return points


Act = Callable[[RandomWeekend, Tournament], None]
ACTS: dict[str, tuple[Act, int]] = {  # and how often each comes up
    "start": (RandomWeekend.start, 6),
    "result": (RandomWeekend.result, 32),
    "correct": (RandomWeekend.correct, 8),
    "report": (RandomWeekend.report, 6),
    "play": (RandomWeekend.play, 10),
    "person": (RandomWeekend.person, 10),
    "own": (RandomWeekend.own, 6),
    "rewrite": (RandomWeekend.rewrite, 14),
    "boards": (RandomWeekend.boards, 5),
    "penalise": (RandomWeekend.penalise, 3),
    "rest": (RandomWeekend.rest, 4),
    "round": (RandomWeekend.round, 2),
    "sweep": (RandomWeekend.sweep, 16),
    "end": (RandomWeekend.end, 1),
    "weekend": (RandomWeekend.weekend_acts, 8),
    "look": (RandomWeekend.look, 3),
}
