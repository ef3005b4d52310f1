"""One set of data for all cells of the matrix: a club with its tournaments, and an object for every action.

ana (player) and julia (opponent) play; hugo (spectator) watches; ana has blocked blas (blocked).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.db import transaction
from django.test import Client
from django.utils import timezone as clock

from accounts.auth.mfa import MFAAdapter
from accounts.clubs import services as clubs
from accounts.models import ActiveSession, ClubEvent, DataExport, Membership, User
from accounts.programs import services as programs
from accounts.programs.scopes import ALL_SCOPES, READ
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.users import services as people
from analysis.models import DailyPuzzle, PositionQuestion, Puzzle, TrainerCard
from analysis.services import tallies
from chat import services as chat_services
from chat.models import Case, Sanction
from eventlog import services as hooks
from games import dice
from games import services as play
from games.models import Action, ArchiveExport, Match, RatedMatch, Rating, RatingEvent
from games.services.locked_match import LockedMatch
from ladders import services as ladders
from ladders.models import LadderEvent
from notifications import unsubscribe
from notifications.models import Notification, NotificationPreferences, PushDevice
from tests.access import passkey
from tests.analysis.cards import OPENING, report_of
from tests.analysis.cards import play as decision
from tests.games.finished_matches import keep, sample
from tests.tournaments.staging import staged
from tests.tournaments.whole_club import Stage

ACTORS = (
    "anonymous",
    "guest",
    "player",
    "opponent",
    "spectator",
    "blocked",
    "director",
    "other director",
    "owner",
    "staff",
)
TERMS: dict[str, Any] = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False}
PASSWORD = "correct horse battery"
BEARING_OFF = "XGID=----DDG------------eee----:0:0:1:42:0:0:0:5:6"
"""A position that stands at no table."""


class World(Stage):
    """A club with running tournaments (tests.tournaments), and its matches, ladders, chat and users."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.ana, self.julia = self.player("player"), User.objects.get(username="julia")
        self.users |= {
            "opponent": self.julia,
            "spectator": self.users["stranger"],
            "director": self.users["co-director"],
        }
        self.users["blocked"] = User.objects.create_user("blas")
        self.users["superuser"] = User.objects.create_superuser("sole")
        for user in self.people:
            user.set_password(PASSWORD)
            user.save()
        relationships.relationship_create(by=self.ana, about=self.player("blocked"), kind=relationship_selectors.BLOCK)
        home = clubs.default_club_ensure()
        Membership.objects.update_or_create(club=home, user=self.player("owner"), defaults={"role": "owner"})
        self._tables()
        self._ladders()
        self._chat()
        self._analysis()
        self._own()
        group = Group.objects.create(name="helpers")
        email = EmailAddress.objects.create(user=self.ana, email="ana@club.example", primary=True, verified=True)
        self.words |= {"group": group.pk, "email": email.pk}
        self._programs()
        for role in ("staff", "superuser"):
            secret = MFAAdapter().encrypt("A" * 32)
            Authenticator.objects.create(user=self.player(role), type="totp", data={"secret": secret})
        key = {"name": "Mine", "credential": passkey.registered()}
        self.words["passkey"] = Authenticator.objects.create(user=self.ana, type="webauthn", data=key).pk
        self.users["bare staff"] = User.objects.create_user("tomas", password=PASSWORD, is_staff=True)
        extra = ("scorekeeper", "referee", "superuser", "bare staff")
        self.clients = {role: self.browser(role) for role in (*ACTORS, *extra)}
        self.words |= {name: User.objects.create_user(name).pk for name in ("gone", "stays")}
        models = {"club_event": ClubEvent, "action": Action, "rated": RatedMatch, "rating": Rating}
        models |= {"rating_event": RatingEvent, "authenticator": Authenticator}
        self.words |= {name: model._base_manager.latest("pk").pk for name, model in models.items()}
        self.words["log_in"] = ActiveSession.objects.filter(user=self.ana).latest("pk").pk
        for role, token in self.tokens.items():
            self.clients[role] = Client(headers={"accept-language": "en", "authorization": f"Bearer {token}"})

    @property
    def people(self) -> list[User]:
        """Every named actor of the matrix, once."""
        found = {user.pk: user for user in self.users.values() if user is not None}
        return [user for user in found.values() if not user.is_guest]

    def browser(self, role: str) -> Client:
        """A browser of this actor, in English, just signed in."""
        client, user = Client(headers={"accept-language": "en"}), self.users[role]
        if user is not None:
            client.force_login(user, backend=people.BACKEND)
            session = client.session  # as after a sign-in by form: no reauthentication is needed
            shown = {"method": "password", "at": clock.now().timestamp() + 3600, "reauthenticated": True}
            session["account_authentication_methods"] = [shown]
            session["account_authentication_methods_user"] = str(user.pk)
            session.save()
        return client

    def _tables(self) -> None:
        ana, julia = self.ana, self.julia
        seek = play.match_create(creator=ana, **TERMS)
        called = play.match_create(creator=ana, invited=julia, **TERMS)
        table, adjourned, corr = (self._begin(clock=each) for each in ("none", "club", "days3"))
        before = dice.replace_roller(lambda match_id, index, elements: (3, 1))  # ana is to play a 3-1
        for user in (ana, julia):  # past the opening, and without a clock: nothing expires during the tests
            play.match_act(match_id=table.pk, user_id=user.pk, action="roll", client_id="opening")
        dice.replace_roller(before)
        with transaction.atomic():
            stopped = LockedMatch.lock(adjourned.pk)
            stopped.pause("adjourn", by="ana", adjourned=True, ready={})
            stopped.commit()
        over = keep(sample("m10.mat"), ana, julia, rated=True)
        play.match_rate_late(match_id=over.pk)
        play.facts_make(match_id=over.pk)
        ended = self._begin(clock="none")
        play.match_act(match_id=ended.pk, user_id=julia.pk, action="resign match", client_id="the-end")
        arranged = self._own_tournament_match()
        self.words |= {
            "seek": seek.pk,
            "called": called.pk,
            "table": table.pk,
            "adjourned": adjourned.pk,
            "corr": corr.pk,
            "over": over.pk,
            "ended": ended.pk,
            "arranged": arranged,
        }

    def _begin(self, **chosen: Any) -> Match:
        made = play.match_create(creator=self.ana, **{**TERMS, **chosen})
        return play.match_join(match_id=made.pk, user=self.julia)

    def _own_tournament_match(self) -> str:
        """A match that waits for both players to arrive."""
        made = self._own(staged("knockout", 2, people=(self.ana, self.julia), venue="online", clock="club"))
        match = made.meetings.get().match_id
        assert match is not None
        return str(match)

    def _ladders(self) -> None:
        director = self.player("director")
        terms = {"variant": "backgammon", "length": 1, "clock": "none", "rated": False}
        ladder = ladders.ladder_create(by=director, club=self.club, name="Autumn", kind="challenge", **terms)
        third, fourth = User.objects.create_user("tercera"), User.objects.create_user("cuarta")
        for user in (third, self.julia, fourth):
            Membership.objects.create(club=self.club, user=user)
        for user in (third, self.ana, self.julia, fourth):
            ladders.ladder_join(ladder_id=ladder.pk, user=user)
        made = ladders.challenge_make(ladder_id=ladder.pk, user=self.julia, opponent=self.ana)
        ladders.ladder_place(ladder_id=ladder.pk, by=director, user=fourth, to=1, reason="Won it last year")
        moved = LadderEvent.objects.filter(ladder=ladder).latest("n").n
        closed = ladders.ladder_create(by=director, club=self.club, name="Closed", kind="challenge", **terms)
        ladders.ladder_close(ladder_id=closed.pk, by=director)
        idle = ladders.ladder_create(by=director, club=self.club, name="Idle", kind="challenge", **terms)
        for user in (self.ana, self.julia):
            ladders.ladder_join(ladder_id=idle.pk, user=user)
        ladders.ladder_away(ladder_id=idle.pk, user=self.julia, days=3)
        undone = ladders.ladder_create(by=director, club=self.club, name="Undone", kind="challenge", **terms)
        for user in (self.ana, self.julia):
            ladders.ladder_join(ladder_id=undone.pk, user=user)
        ladders.ladder_place(ladder_id=undone.pk, by=director, user=self.julia, to=1, reason="A wager")
        n = LadderEvent.objects.filter(ladder=undone).latest("n").n
        ladders.ladder_undo(ladder_id=undone.pk, by=director, n=n, reason="It was a joke")
        seasoned = ladders.ladder_create(by=director, club=self.club, name="Seasoned", kind="challenge", **terms)
        ladders.season_close(ladder_id=seasoned.pk, by=director, name="Winter")
        self.words |= {"ladder": ladder.pk, "challenge": made.pk, "moved": moved, "closed": closed.pk}
        self.words |= {
            "idle": idle.pk,
            "undoing": undone.pk,
            "undone_n": n,
            "seasoned": seasoned.pk,
            "fourth": fourth.pk,
        }
        self.words |= {"player_id": self.ana.pk, "opponent_id": self.julia.pk}

    def _chat(self) -> None:
        table = self.words["table"]
        message = chat_services.message_say(
            match_id=table, user_id=self.julia.pk, client_id="j-1", text="You were lucky"
        )
        chat_services.report_make(by=self.ana, message_id=message.pk, reason="rude", words="Shouting")
        moment = clock.now()
        sanction = Sanction.objects.create(user=self.ana, kind="warning", words="Be kind", since=moment)
        self.words |= {"message": message.pk, "case": Case.objects.get().pk, "sanction": sanction.pk}

    def _analysis(self) -> None:
        over, moment = Match.objects.get(pk=self.words["over"]), clock.now()
        in_play = self._cards(over, 4)  # the position of her live match
        puzzles = [self._puzzle(over, n) for n in (20, 22)]
        yesterday = moment.date() - timedelta(days=1)
        for day, puzzle in zip((yesterday, moment.date()), puzzles, strict=True):
            DailyPuzzle.objects.create(day=day, puzzle=puzzle)
        other = self._puzzle(over, 24)
        other.xgid, other.options = BEARING_OFF, [["4/off 4/2", 0.2], ["6/2 6/4", 0.1]]
        other.save()
        card = TrainerCard.objects.create(user=self.ana, puzzle=other, due=in_play.due)
        question = PositionQuestion.objects.create(user=self.ana, xgid=OPENING, asked_at=moment)
        self.words |= {"card": card.pk, "card_in_play": in_play.pk, "question": question.pk}
        self.words |= {"yesterday": yesterday.isoformat(), "xgid": OPENING}

    def _cards(self, over: Match, n: int) -> TrainerCard:
        report = report_of(over, decision(n, "white", loss=0.1), decision(6, "black"))
        for game in report.data["games"]:
            game["score"] = [0, 0]
        report.save()
        tallies.report_count(report_id=report.pk)
        report.delete()  # the trainer card stays; an analysis can be requested
        return TrainerCard.objects.get(user=self.ana)

    def _puzzle(self, over: Match, n: int) -> Puzzle:
        made = Puzzle.objects.get(match=over, n=4)
        made.pk, made.n = None, n
        made.save()
        return made

    def _programs(self) -> None:
        """Apps of ana, one with all scopes and one that may only read; and a webhook."""
        for name, scopes in (("program", ALL_SCOPES), ("reader", {READ})):
            made, self.tokens[name] = programs.token_create(user=self.ana, name=name, scopes=scopes)
            self.words |= {f"{name}_id": made.pk}
        hook = hooks.webhook_add(user=self.ana, url="https://hooks.example.org/1", name="Mine")
        sent = hooks.webhook_ping(user=self.ana, hook_id=hook.pk)
        self.words |= {"hook": hook.pk, "delivery": sent.pk}

    def _own(self, made: Any = None) -> Any:  # type: ignore[override]
        """With a tournament: make it one of this club. Alone: create what belongs to ana only."""
        if made is not None:
            return super()._own(made)
        moment, ana = clock.now(), self.ana
        ready = {"user": ana, "status": "ready", "asked_at": moment, "touched_at": moment, "body": b"zip"}
        bot, token = programs.bot_create(owner=ana, name="anabot")
        notification = Notification.objects.create(
            user=ana, kind="challenge", key="2", data={"from": "julia"}, url="/", at=moment
        )
        preferences, _ = NotificationPreferences.objects.update_or_create(user=ana, defaults={"door": "d" * 32})
        device = PushDevice.objects.create(
            user=ana, endpoint="https://push.example.org/1", mark="m", receiver="r", auth="a", name="Firefox"
        )
        self.words |= {
            "archive": ArchiveExport.objects.create(**ready).pk,
            "export": DataExport.objects.create(**ready).pk,
            "bot": bot.pk,
            "notice": notification.pk,
            "stop": unsubscribe.unsubscribe_token(str(preferences.door), unsubscribe.ALL),
            "device": device.pk,
        }
        self.tokens = {"bot": token}
        return None
