"""A club with tournaments in every state and every kind of user, as a stage for the permission matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, time, timedelta
from typing import Any

from django.utils import timezone as clock

from accounts.clubs import services as clubs
from accounts.models import Club, JoinRequest, Membership, User
from accounts.users import services as people
from games import services as play
from tests.tournaments.conftest import terms
from tests.tournaments.staging import staged, terms_of
from tournaments import services, venue_file
from tournaments.boards import Boards, Room
from tournaments.models import Entrant, Tournament, TournamentEvent
from tournaments.seasons import SeasonTerms as SeasonTerms
from tournaments.selectors.calendars import feed_path
from tournaments.services import recurring
from tournaments.services.calendar_feeds import calendar_feed_renew
from tournaments.services.seasons import season_save
from tournaments.services.weekend_records import weekend_record_set
from tournaments.services.weekends import weekend_publish, weekend_save, weekend_set_tournaments
from tournaments.weekend_records import ConsolationShare, Lot, SidePool

ROLES = (
    "anonymous",
    "guest",
    "stranger",
    "player",
    "other director",
    "co-director",
    "ex-director",
    "lapsed director",
    "owner",
    "staff",
    "scorekeeper",
    "referee",
)


@dataclass
class Stage:
    """The users by role, and the values of the forms' placeholders for `str.format`: `{cup}`, `{act}` ..."""

    users: dict[str, User | None] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    dora: User = field(init=False)
    club: Club = field(init=False)

    def __post_init__(self) -> None:
        self.dora = _member("dora")
        self._people()
        self._tournaments()
        self._recurring_events()
        self._weekends()

    def player(self, role: str) -> User:
        found = self.users[role]
        assert found is not None
        return found

    def _people(self) -> None:
        """ana plays, bea directs beside dora, carlos directs another club, elena did direct, fabio's day is over."""
        self.club = Club.objects.create(name="Peña", slug="pena", joining="open")
        other = Club.objects.create(name="Otra", slug="otra")
        asking = Club.objects.create(name="Tercera", slug="tercera", joining="ask")
        names = ("ana", "carlos", "bea", "elena", "fabio", "gina")
        self.users = {"anonymous": None, "guest": people.guest_create(), "stranger": _member("hugo")}
        self.users |= dict(zip(ROLES[3:9], map(_member, names), strict=True))
        self.users["staff"] = User.objects.create_user("iris", is_staff=True)
        self.users |= {"scorekeeper": _member("nora"), "referee": _member("olga")}
        club_roles = {
            "player": "member",
            "co-director": "director",
            "ex-director": "director",
            "lapsed director": "director",
        }
        for role, club_role in (*club_roles.items(), ("owner", "owner")):
            Membership.objects.create(club=self.club, user=self.player(role), role=club_role)
        Membership.objects.create(club=self.club, user=self.dora, role="owner")
        Membership.objects.create(club=other, user=self.player("other director"), role="director")
        yesterday = clock.now().date() - timedelta(days=2)
        Membership.objects.filter(user=self.player("lapsed director")).update(until=yesterday)
        clubs.member_set_role(club=self.club, by=self.dora, user=self.player("ex-director"), role="member")

        asks = _member("asks")
        made = clubs.invitation_create(club=self.club, by=self.dora, days=7)
        asked = JoinRequest.objects.create(club=self.club, user=asks, asked_at=clock.now())
        self.words |= {"club": "pena", "club_id": self.club.pk, "asking": asking.slug, "dora": self.dora.pk}
        self.words |= {
            "token": made.token,
            "invitation": made.pk,
            "request": asked.pk,
            "member": self.player("player").pk,
        }

    def _tournaments(self) -> None:
        """`open` for entries (full, one waits), `cup` with a bye and a result, `reported` by one player, `live` at
        the boards, `halted` by a director, in a `recess`, `swiss` and `rounds` between their rounds, `teams_open` and
        `teams` with ana's team; each of them dora's, with bea.
        """
        ana = self.player("player")
        julia = _member("julia")
        opened = self._own(
            services.tournament_create(creator=self.dora, club=self.club, name="Open", terms=terms(), capacity=3)
        )
        services.entrant_register(tournament_id=opened.pk, user=ana)
        for name in ("W2", "W3", "W4"):
            services.entrant_add(tournament_id=opened.pk, user=self.dora, name=name)
        services.entrant_withdraw(tournament_id=opened.pk, user=self.dora, number=3)
        for name in ("W5", "W6"):
            services.entrant_add(tournament_id=opened.pk, user=self.dora, name=name)

        cup = self._own(staged("knockout", 6, online=0, venue="board"))
        first, second = cup.meetings.filter(state="ready").order_by("key")
        winner, late = first.a.number, second.a.number
        services.result_enter(tournament_id=cup.pk, user=self.dora, key=first.key, winner=winner, points=(7, 3))
        services.penalty_give(tournament_id=cup.pk, user=self.dora, key=second.key, number=late, points=1)
        undone = _last_act(cup)
        services.act_undo(tournament_id=cup.pk, user=self.dora, act=undone)
        self.words |= {"cup": cup.pk, "key": first.key, "other": second.key, "a": late, "b": second.b.number}
        self.words |= {"loser": first.b.number, "undone": undone}
        self.words["act"] = TournamentEvent.objects.filter(tournament=cup, kind="result").get().act
        hall = self._own(staged("knockout", 4, online=0, venue="board"))
        services.boards_set(tournament_id=hall.pk, user=self.dora, boards=Boards((Room("", 1, 4),)))
        self.words |= {"boards": hall.pk, "boards_key": "main-1-1"}

        fresh = self._own(staged("knockout", 2, people=(ana, julia), venue="board"))
        reported = self._own(staged("knockout", 2, people=(ana, julia), venue="board"))
        services.result_report(tournament_id=reported.pk, user=julia, key="main-1-1", winner=2, points=(3, 7))
        alerted = self._own(staged("knockout", 2, people=(ana,), online=0, venue="board"))
        services.result_report(tournament_id=alerted.pk, user=ana, key="main-1-1", winner=1, points=(7, 3))
        live, halted = (self._at_boards(ana, julia) for _ in range(2))
        services.matches_pause(tournament_id=halted.pk, user=self.dora, keys=["main-1-1"])
        break_ = self._own(staged("knockout", 2, online=0, venue="board"))
        services.break_start(tournament_id=break_.pk, user=self.dora)
        swiss = self._own(staged("swiss", 4, online=0, venue="board", rounds=3, pace="hand"))
        swiss_own = self._own(staged("swiss", 4, people=(ana,), online=0, venue="board", rounds=3, pace="hand"))
        arena = self._own(
            staged("arena", 4, people=(ana,), venue="online", clock="blitz", lengths=(1,), minutes=60, seeding="hand")
        )
        rounds = self._own(staged("knockout", 4, online=0, venue="board", pace="hand"))
        drawn = self._own(
            services.tournament_create(creator=self.dora, club=self.club, name="Drawn", terms=terms(seeding="drawn"))
        )
        short = self._own(
            services.tournament_create(
                creator=self.dora, club=self.club, name="Short", terms=terms(variant="hypergammon")
            )
        )
        for name in ("W1", "W2"):
            services.entrant_add(tournament_id=drawn.pk, user=self.dora, name=name)
        services.tournament_draw(tournament_id=drawn.pk, user=self.dora)
        self.words |= {
            "drawn": drawn.pk,
            "alerted": alerted.pk,
            "open": opened.pk,
            "short": short.pk,
            "fresh": fresh.pk,
            "reported": reported.pk,
            "live": live.pk,
            "halted": halted.pk,
            "break": break_.pk,
        }
        self.words |= {"teams_open": self._teams(ana, julia).pk}
        teams = self._teams(ana, julia)
        services.tournament_start(tournament_id=teams.pk, user=self.dora)
        self.words["teams"] = teams.pk
        self._venue()
        feed = calendar_feed_renew(user=ana)
        self.words["calendar"] = feed_path(feed).rpartition("/")[2].removesuffix(".ics")
        self.words |= {"arena": arena.pk, "swiss": swiss.pk, "swiss_own": swiss_own.pk, "rounds": rounds.pk}

    def _venue(self) -> None:
        """A tournament that is `away` at its venue, the file of its results, and the file of one from another site."""
        away = self._own(staged("knockout", 4, online=0, venue="board"))
        out = services.venue_file_out(services.venue_take_out(tournament_id=away.pk, user=self.dora))
        body = dict(venue_file.read(out, "out").body)
        back = {name: body[name] for name in ("copy", "entrants", "teams", "events")}
        other = {**body, "tournament": {**body["tournament"], "id": "elsewhere"}, "copy": "other"}
        other["events"] = [
            [act, kind, {**data, "copy": "other"} if kind == "taken_out" else data, at, by]
            for act, kind, data, at, by in body["events"]
        ]
        self.words |= {
            "away": away.pk,
            "venue_results": venue_file.write("back", {**back, "tournament": away.pk}, body["secret"]).decode(),
            "venue_out": venue_file.write("out", other, body["secret"]).decode(),
        }

    def _teams(self, ana: User, julia: User) -> Tournament:
        """A tournament of two teams of three boards: of ana, who is the captain, and of julia."""
        made = services.tournament_create(
            creator=self.dora, name="Teams", terms=terms_of("round-robin", boards=3, pace="hand", venue="board")
        )
        for name, player, captain in (("A", ana, ana), ("B", julia, None)):
            players = [player, f"{name}2", f"{name}3", f"{name}4"]
            services.team_enter(tournament_id=made.pk, user=self.dora, name=name, players=players, captain=captain)
        return self._own(made)

    def _at_boards(self, ana: User, julia: User) -> Tournament:
        """A tournament whose only match is being played."""
        made = self._own(staged("knockout", 2, people=(ana, julia), venue="online", clock="club"))
        match = made.meetings.get().match_id
        assert match is not None
        for user in (ana, julia):
            play.match_arrive(match_id=match, user=user)
        return made

    def _own(self, made: Tournament) -> Tournament:
        """Move the tournament to this club, with bea as a second director, nora and olga; elena directed it."""
        Tournament.objects.filter(pk=made.pk).update(club=self.club)
        for role in ("co-director", "ex-director", "lapsed director"):
            services.director_add(tournament_id=made.pk, user=self.dora, director=self.player(role))
        for role in ("ex-director", "lapsed director"):
            services.director_remove(tournament_id=made.pk, user=self.dora, director=self.player(role))
        for role in ("scorekeeper", "referee"):
            official = self.player(role)
            services.official_appoint(tournament_id=made.pk, user=self.dora, official=official, role=role)
        made.refresh_from_db()
        return made

    def _recurring_events(self) -> None:
        kept, spare = (recurring.template_save(club=self.club, by=self.dora, name=name, terms=terms()) for name in "KS")
        recurrence = {"kind": "weekly", "weekdays": [3], "first": "2026-01-01"}
        made = [
            recurring.recurring_event_create(
                template_id=kept.pk,
                club=self.club,
                by=self.dora,
                name=f"{n} {{date}}",
                recurrence=recurrence,
                hour=time(20),
                opens_days=6,
            )
            for n in (1, 2)
        ]
        recurring.recurring_event_pause(recurring_event_id=made[1].pk, club=self.club, by=self.dora)
        days = [day.isoformat() for day, _moment in recurring.upcoming_dates(made[0], 2)]
        recurring.occurrence_skip(
            recurring_event_id=made[0].pk, club=self.club, by=self.dora, day=date.fromisoformat(days[1])
        )
        first, last = date(2026, 1, 1), date(2026, 12, 31)
        season = season_save(user=self.dora, club=self.club, name="2026", first=first, last=last, terms=SeasonTerms())
        self.words |= {"template": kept.pk, "spare": spare.pk, "event": made[0].pk, "paused": made[1].pk}
        self.words |= {"day": days[0], "skipped": days[1], "season": season.pk}

    def _weekends(self) -> None:
        """A published weekend with `open` and `cup` and a record of each kind, and a `draft` without tournaments."""
        days: dict[str, Any] = {"first": date(2026, 12, 5), "last": date(2026, 12, 6)}
        weekend, draft = (weekend_save(user=self.dora, club=self.club, name=name, **days) for name in ("W", "Draft"))
        parts = [self.words["open"], self.words["cup"]]
        weekend_set_tournaments(weekend_id=weekend.pk, user=self.dora, tournament_ids=parts)
        weekend_publish(weekend_id=weekend.pk, user=self.dora, published=True)
        first, entry = Entrant.objects.filter(tournament=self.words["open"]).order_by("number")[:2]
        for content in (SidePool("Last", 500), Lot(first.pk, "Luis", 500), ConsolationShare(self.words["cup"], 10)):
            weekend_record_set(weekend_id=weekend.pk, user=self.dora, content=content)
        self.words |= {"weekend": weekend.pk, "draft": draft.pk, "entry": entry.pk}


def _member(name: str) -> User:
    return User.objects.create_user(name)


def _last_act(tournament: Tournament) -> int:
    return int(tournament.events.order_by("-n").values_list("act", flat=True)[0])
