"""A user with rows in every table that can have some, for tests of account deletion."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.idp.oidc.models import Client as Program
from allauth.idp.oidc.models import Token
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.test import Client
from django.utils import timezone as clock

from accounts.clubs import services as clubs
from accounts.models import (
    Ban,
    Club,
    ClubEvent,
    DataExport,
    FormerName,
    Membership,
    MergedAccount,
    OAuthGrant,
    PersonalToken,
    QueuedEmail,
    SupportAct,
    UsedOAuthToken,
    User,
)
from accounts.programs import services as programs
from accounts.relationships import services as relationships
from accounts.users import services as people
from analysis.models import (
    AnalysisPreferences,
    DailyPuzzle,
    DailyVote,
    FairPlayView,
    MatchTally,
    PositionQuestion,
    Puzzle,
    Report,
    TrainerCard,
)
from chat.models import Case, CaseEvent, ChatPreferences, Message, Sanction
from chat.models import Report as ChatReport
from eventlog.models import Delivery, Event, Subscription, Webhook
from games import services as play
from games.models import ArchiveExport, Match, ResultCorrection, Seat, Vacation
from games.services.locked_match import LockedMatch
from ladders import services as ladders
from notifications.models import Notification, NotificationPreferences, PushDevice, PushMessage
from tests.games.finished_matches import keep, sample
from tests.tournaments.conftest import terms
from tournaments import services as tournaments
from tournaments.models import ClubRecords, Entrant, Placing, Tournament
from tournaments.services.calendar_feeds import calendar_feed_renew
from tournaments.services.weekend_records import weekend_record_set
from tournaments.services.weekends import weekend_save, weekend_set_tournaments
from tournaments.weekend_records import Lot

NAME = "Zoraida"
WRITTEN = "Zoraida Quiroga Luna"  # the name that directors use
MAIL = "z.quiroga@example.org"
WORDS = "quintaesencia"  # in everything that she wrote
BOT = "zetabot"
BEFORE = "zquilla"  # an account that was merged into hers
AGENT = "Firefox on Ploverphone"
ENDPOINT = "https://push.example.org/zq81"
CARD = "ZQ 4711"  # her member number in a federation
NEEDLES = (NAME, "Quiroga", MAIL, WORDS, BOT, BEFORE, AGENT, ENDPOINT, CARD)


def live(ana: User, bea: User, dora: User) -> User:
    """Let her play, climb ladders, enter tournaments, join clubs, write, train and run a bot, able to leave."""
    zoraida = User.objects.create_user(
        NAME, MAIL, "correct horse battery", first_name=NAME, last_name="Quiroga", language="es", theme="dark"
    )
    _account(zoraida, dora)
    _clubs(zoraida, ana, dora)
    _relationships(zoraida, ana)
    match = _matches(zoraida, ana, bea)
    _ladders(zoraida, ana, bea, dora)
    _tournaments(zoraida, ana, bea, dora)
    _analysis(zoraida, ana, dora, match)
    _chat(zoraida, ana, dora, match)
    _notifications(zoraida, ana)
    _hooks(zoraida)
    _support(zoraida, dora)
    return User.objects.get(pk=zoraida.pk)


def _account(zoraida: User, dora: User) -> None:
    Client().force_login(zoraida, backend=people.BACKEND)
    people.preferences_save(user=zoraida, federation_number=CARD)
    address = EmailAddress.objects.create(user=zoraida, email=MAIL, primary=True)
    EmailConfirmation.objects.create(email_address=address, key="k" * 20, created=clock.now())
    zoraida.groups.add(Group.objects.create(name="helpers"))
    zoraida.user_permissions.add(Permission.objects.first())
    kind = ContentType.objects.get_for_model(User)
    log_entry = {"user_id": dora.pk, "content_type_id": kind.pk, "object_id": str(zoraida.pk), "action_flag": CHANGE}
    LogEntry.objects.create(**log_entry, object_repr=NAME, change_message=f"{NAME}: {MAIL}")
    programs.bot_create(owner=zoraida, name=BOT)
    QueuedEmail.objects.create(address=MAIL, subject=f"A link for {NAME}", body=f"{NAME}, here it is")
    Authenticator.objects.create(user=zoraida, type=Authenticator.Type.RECOVERY_CODES, data={})
    SocialAccount.objects.create(user=zoraida, provider="https://id.example", uid="1", extra_data={"label": MAIL})
    PersonalToken.objects.create(user=zoraida, name=WORDS, digest="d" * 64, tail="zzzz", scopes="read")
    let_in = Program.objects.create(id="program", name="A program", owner=dora)
    Token.objects.create(user=zoraida, client=let_in, type=Token.Type.ACCESS_TOKEN, hash="h" * 64)
    UsedOAuthToken.objects.create(grant=OAuthGrant.objects.create(user=zoraida, client=let_in), digest="s" * 64)


def _clubs(zoraida: User, ana: User, dora: User) -> None:
    home = clubs.default_club_ensure()
    Membership.objects.create(club=home, user=zoraida, role=Membership.Role.DIRECTOR)
    Membership.objects.create(club=home, user=dora, role=Membership.Role.OWNER)
    club = Club.objects.create(name="Norte", slug="norte", joining=Club.Joining.ASK)
    Membership.objects.create(club=club, user=dora, role=Membership.Role.OWNER)
    clubs.invitation_create(club=club, by=dora, days=7, email=MAIL.upper())
    clubs.join_request_create(club=club, user=zoraida, text=f"{WORDS}, please")
    other = Club.objects.create(name="Sur", slug="sur", joining=Club.Joining.OPEN)
    clubs.club_join(club=other, user=zoraida)
    assert ClubEvent.objects.filter(about=zoraida).count() == 2


def _relationships(zoraida: User, ana: User) -> None:
    relationships.relationship_create(by=zoraida, about=ana, kind="follow")
    relationships.relationship_create(by=ana, about=zoraida, kind="mute")
    relationships.note_save(by=zoraida, about=ana, text=f"{WORDS} of the back game")
    relationships.note_save(by=ana, about=zoraida, text=f"{NAME} never drops")


def _matches(zoraida: User, ana: User, bea: User) -> Match:
    match = keep(sample("m10.mat"), zoraida, ana, rated=True)
    play.match_rate_late(match_id=match.pk)
    play.facts_make(match_id=match.pk)
    play.match_mark(match_id=match.pk, user=zoraida, favourite=True, note=WORDS, tags=[WORDS])
    ResultCorrection.objects.create(
        match=match, by=ana, at=clock.now(), reason=f"zoraida told me, {NAME}.", before={}, after={}
    )
    _begin(ana, zoraida, clock="days3", rated=True)  # by correspondence
    _stop(_begin(zoraida, ana, clock="club", rated=False), "adjourn", by=NAME, adjourned=True, ready={})
    _stop(_begin(ana, bea, clock="none", rated=False), "pause", by=NAME, why=f"so says {NAME}")
    terms_ = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False}
    play.match_create(creator=zoraida, **terms_)
    play.match_create(creator=bea, invited=zoraida, **terms_)
    for creator, white in ((zoraida, "Gus"), (ana, NAME.upper())):
        brought = keep(sample("m10.mat"), zoraida, ana, source="mat", headers={"Event": f"Cup of {NAME}"})
        Match.objects.filter(pk=brought.pk).update(creator=creator)
        Seat.objects.filter(match=brought, side="white").update(user=None, written_name=white)
        Seat.objects.filter(match=brought, side="black").update(user=None, written_name="Hugo")
    moment = clock.now()
    for user in (zoraida, ana):
        made = {"user": user, "status": "ready", "asked_at": moment, "touched_at": moment, "body": NAME.encode()}
        ArchiveExport.objects.create(**made)
        DataExport.objects.create(**made)
    Vacation.objects.create(user=zoraida, starts_at=moment, ends_at=moment + timedelta(days=1))
    return match


def _begin(creator: User, other: User, **chosen: Any) -> Match:
    seek = play.match_create(creator=creator, variant="backgammon", length=3, **chosen)
    return play.match_join(match_id=seek.pk, user=other)


def _stop(match: Match, cause: str, **about: Any) -> None:
    with transaction.atomic():
        table = LockedMatch.lock(match.pk)
        table.pause(cause, **about)
        table.commit()


def _ladders(zoraida: User, ana: User, bea: User, dora: User) -> None:
    club = clubs.default_club_ensure()
    wanted = {"variant": "backgammon", "length": 3, "clock": "club"}
    ladder = ladders.ladder_create(by=dora, club=club, name="Torneo semanal del club", kind="challenge", **wanted)
    for user in (ana, zoraida, bea):
        ladders.ladder_join(ladder_id=ladder.pk, user=user)
    ladders.ladder_place(ladder_id=ladder.pk, by=dora, user=bea, to=1, reason=f"{NAME} asked for it")
    ladders.challenge_make(ladder_id=ladder.pk, user=zoraida, opponent=ana)
    ladders.season_close(ladder_id=ladder.pk, by=dora, name="Otoño")


def _tournaments(zoraida: User, ana: User, bea: User, dora: User) -> None:
    tournament = tournaments.tournament_create(creator=dora, name="Torneo semanal del club", terms=terms())
    arguments = {"tournament_id": tournament.pk, "user": dora}
    for player in (ana, bea):
        tournaments.entrant_add(**arguments, player=player)
    walk_in = tournaments.entrant_add(**arguments, name=WRITTEN)
    tournaments.entrant_add(**arguments, name="W4")
    tournaments.director_add(**arguments, director=zoraida)
    tournaments.announcement_post(**arguments, text=f"{NAME} comes at nine, {WRITTEN} says so")
    tournaments.federation_numbers_set(**arguments, numbers={walk_in.number: CARD})
    tournaments.entrant_link(**arguments, number=walk_in.number, player=zoraida)
    tournaments.tournament_start(**arguments)
    days = {"first": clock.now().date(), "last": clock.now().date()}
    weekend = weekend_save(user=dora, club=tournament.club, name="Fin de semana", **days)
    weekend_set_tournaments(weekend_id=weekend.pk, user=dora, tournament_ids=[tournament.pk])
    lot = Lot(tournament.entrants.get(user=bea).pk, NAME, 1000)
    weekend_record_set(weekend_id=weekend.pk, user=zoraida, content=lot)
    over = tournaments.tournament_create(creator=dora, name="Martes", terms=terms())
    for name in (NAME, "W2"):  # once without an account
        tournaments.entrant_add(tournament_id=over.pk, user=dora, name=name)
    Tournament.objects.filter(pk=over.pk).update(phase=Tournament.Phase.OVER)
    placed = {"place": 1, "sharing": 1, "wins": 2}
    Placing.objects.create(tournament=over, number=1, user=zoraida, name=NAME, **placed)
    Placing.objects.create(tournament=over, number=2, name=NAME.lower(), **placed)
    found = {"wins": [{"name": NAME, "value": 7}]}
    ClubRecords.objects.create(club=clubs.default_club_ensure(), found=found, counted_at=clock.now())
    calendar_feed_renew(user=zoraida)
    tournaments.ruling_record(**arguments, text=f"{NAME} rolls again", why=f"{WRITTEN} dropped a die")
    assert Entrant.objects.filter(user=zoraida, written_name=WRITTEN).exists()


def _analysis(zoraida: User, ana: User, dora: User, match: Match) -> None:
    moment = clock.now()
    report = Report.objects.create(match=match, asked_by=zoraida, asked_at=moment, touched_at=moment)
    MatchTally.objects.create(report=report, match=match, user=zoraida, ended_at=moment, decisions=1, lost=0.1)
    puzzle = Puzzle.objects.create(
        match=match, n=3, game=1, side="white", user=zoraida, kind="play", phase="race", xgid="x", played="8/5", loss=1
    )
    TrainerCard.objects.create(user=zoraida, puzzle=puzzle, due=moment.date())
    daily = DailyPuzzle.objects.create(day=moment.date(), puzzle=puzzle)
    DailyVote.objects.create(daily=daily, user=zoraida, answer="8/5", at=moment)
    PositionQuestion.objects.create(user=zoraida, xgid="x", asked_at=moment)
    AnalysisPreferences.objects.create(user=zoraida, always=True)
    FairPlayView.objects.create(club=clubs.default_club_ensure(), by=dora, about=zoraida, at=moment)


def _chat(zoraida: User, ana: User, dora: User, match: Match) -> None:
    moment = clock.now()
    line = Message.objects.create(match=match, room="players", by=zoraida, client_id="z-1", text=WORDS, at=moment)
    Message.objects.create(match=match, room="players", by=zoraida, client_id="z-2", phrase="thanks", at=moment)
    ChatPreferences.objects.create(user=zoraida, level="phrases")
    case = Case.objects.create(about=zoraida, match=match, opened_at=moment)
    ChatReport.objects.create(case=case, by=ana, message=line, reason="rude", words=f"{NAME} shouted", at=moment)
    own = Case.objects.create(about=ana, opened_at=moment)
    ChatReport.objects.create(case=own, by=zoraida, reason="spam", words=WORDS, at=moment)
    sanction = Sanction.objects.create(user=zoraida, kind="warning", words=f"Be kind, {NAME}", since=moment)
    CaseEvent.objects.create(
        case=case, by=dora, about=zoraida, act="warn", why=f"{NAME} was rude", sanction=sanction, at=moment
    )


def _notifications(zoraida: User, ana: User) -> None:
    notification = Notification.objects.create(
        user=zoraida, kind="your_move", key="1", data={"from": "ana"}, url="/", at=clock.now()
    )
    Notification.objects.create(
        user=ana, kind="challenge", key="2", data={"from": NAME}, url=f"/players/{NAME}/", at=clock.now()
    )
    NotificationPreferences.objects.create(user=zoraida, timezone="Europe/Madrid")
    device = PushDevice.objects.create(user=zoraida, endpoint=ENDPOINT, mark="m", receiver="r", auth="a", name=AGENT)
    PushMessage.objects.create(device=device, notice=notification, said_at=clock.now(), until=clock.now())


def _hooks(zoraida: User) -> None:
    """A program of hers listens, and a webhook has her words in its address."""
    moment = clock.now()
    Subscription.objects.create(user=zoraida, topic=f"user:{zoraida.pk}", since=moment, until=moment)
    facts = {"url": f"https://{WORDS}.example.org/", "name": NAME, "since": moment, "made_at": moment}
    hook = Webhook.objects.create(user=zoraida, secret_locked="s", **facts)
    event = Event.objects.create(number=1, key="ping:1", kind="ping", subject=f"hook:{hook.pk}", at=moment, by=zoraida)
    Delivery.objects.create(hook=hook, event=event, made_at=moment)


def _support(zoraida: User, dora: User) -> None:
    """Give her the traces of support: an expired ban, a former name, and a merged account."""
    moment = clock.now()
    Ban.objects.create(user=zoraida, by=dora, reason=f"{WORDS} at the table", since=moment, ended_at=moment)
    SupportAct.objects.create(kind="lift", by=dora, about=zoraida, reason=f"{NAME} excused herself")
    FormerName.objects.create(user=zoraida, name=f"{NAME}-q", key=f"{NAME.lower()}-q")
    names = {"was": f"{NAME}-q", "now": NAME}
    SupportAct.objects.create(kind="rename", by=dora, about=zoraida, reason="a wish of hers", data=names)
    source = User.objects.create(username=BEFORE, is_active=False)
    MergedAccount.objects.create(source=source, target=zoraida)
