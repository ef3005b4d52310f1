"""Permissions: every URL of tournaments, clubs and seasons for every kind of visitor.

The addresses are read from the site: a new one without a line here is a failure. Who may not is told why, and nothing
is written; who may writes. tests/access asks the same addresses for forged forms and other methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any, NamedTuple

import pytest
from django.contrib.messages import get_messages
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, reverse

from accounts.clubs import urls as club_people
from accounts.users import services as people
from tests.access.cell_check import Ledger, rolled_back
from tests.tournaments.whole_club import ROLES, Stage
from tournaments import club_urls, season_urls, urls, weekend_urls

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # whoever asks, the rules are the same on PostgreSQL

SENTENCES = {
    "Only the directors of this tournament can do that.": "not_director",
    "Only the referees and directors of this tournament can do that.": "not_referee",
    "Only the officials of this tournament can do that.": "not_official",
    "Only the club's directors can do that.": "not_club_director",
    "Only the club's owners can do that.": "not_club_owner",
    "Only the officials of this weekend's tournaments can do that.": "not_weekend_official",
    "Only the directors of this weekend's tournaments can do that.": "not_weekend_director",
    "Only the organizers of this weekend can do that.": "not_organizer",
    "Only the site's staff can create a club.": "club_new",
    "Only the two players and the directors can do that.": "not_yours",
    "Only the team's captain and the directors can do that.": "not_captain",
    "This player is not in the tournament.": "not_entered",
    "This weekend has records, so it can't be deleted.": "weekend_recorded",
    "You are already a member of this club.": "club_joined",
    "That player is not a member of the club.": "club_not_member",
    "This player is already registered.": "entered",
    "You need an account to do that. Signing up takes a minute and keeps your games.": "club_members_only",
}
STATUS = {200: "shown", 422: "form shown again"}
MEMBERS = frozenset(ROLES) - {"anonymous", "guest"}
DESK = frozenset({"co-director"})
REFEREES = DESK | {"referee"}
OFFICIALS = REFEREES | {"scorekeeper"}
CLUB = frozenset({"co-director", "owner", "staff"})
OWNERS = frozenset({"owner", "staff"})
OUTSIDE = frozenset({"stranger", "other director", "staff", "scorekeeper", "referee"})  # not members of the club
PLAYER = frozenset({"player"})
EVERYBODY = frozenset(ROLES)


class Line(NamedTuple):
    """An act: its address, the words of the address, the form, who may, and what all other members are told.

    `but` names those to whom something else happens. Words in braces are those of the stage.
    """

    route: str
    args: str
    form: Mapping[str, str]
    may: frozenset[str]
    refusal: str
    but: Mapping[str, str] = {}


NEW = {"name": "Mine", "format": "knockout", "lengths": "5", "timezone": "UTC"}
CLUB_FORM = {"name": "Nuestra", "timezone": "UTC", "joining": "ask", "makers": "members", "rated": "all"}
SEASON = {"name": "Mine", "first": "2026-01-01", "last": "2026-06-30", "rule": "places", "points": "10 7 5"}
WEEKEND = {"name": "Mine", "first": "2026-12-05", "last": "2026-12-06"}
REPEAT = {"name": "J", "kind": "weekly", "weekdays": "3", "every": "1", "hour": "20:00", "opens_days": "6"}
SHEET = "date;player;rival;length;score\n2026-10-01;ana;bea;5;5-3\n"
PURSE = {"fee": "5", "currency": "EUR", "shares": "60 40", "weight": "100"}
TEAM = {"name": "Ajenjo", "players": "ana\nA3\nA2"}
LINEUP = {"board_1": "5", "board_2": "2", "board_3": "3"}
RIGHT = {"how": "played", "won": "7", "lost": "2"}


def desk(route: str, args: str, **form: str) -> Line:
    """An act of the directors of a tournament."""
    return Line(route, args, form, DESK, "not_director")


def referees(route: str, args: str, **form: str) -> Line:
    """An act of the referees and directors of a tournament."""
    return Line(route, args, form, REFEREES, "not_referee")


def officials(route: str, args: str, **form: str) -> Line:
    """An act of all officials of a tournament, scorekeepers included."""
    return Line(route, args, form, OFFICIALS, "not_official")


def club(route: str, args: str = "{club}", **form: str) -> Line:
    """An act of the directors of a club."""
    return Line(route, args, form, CLUB, "not_club_director")


def owners(route: str, **form: str) -> Line:
    """An act of the owners of a club."""
    return Line(route, "{club}", form, OWNERS, "not_club_owner")


def organizers(route: str, args: str = "{weekend}", **form: str) -> Line:
    """An act of the organizers of a weekend: who created it, and the directors of its club."""
    return Line(route, args, form, CLUB, "not_organizer")


def weekend_directors(route: str, **form: str) -> Line:
    """An act of the directors of the tournaments that it is about; others who organize are refused by each of those."""
    told_by_tournament = dict.fromkeys(CLUB - DESK, "not_director")
    return Line(route, "{weekend}", form, DESK, "not_weekend_director", told_by_tournament)


WRITES = (
    # players
    Line("tournament-enter", "{open}", {}, MEMBERS - PLAYER, "entered"),
    Line("tournament-leave", "{open}", {}, PLAYER, "not_entered"),
    Line("tournament-here", "{open}", {}, PLAYER, "not_entered"),
    Line("tournament-pause", "{arena}", {"action": "pause"}, PLAYER, "not_entered"),
    Line("tournament-bye", "{swiss_own}", {"round": "2"}, PLAYER, "not_entered"),
    Line(
        "tournament-report", "{fresh}", {"key": "main-1-1", "winner": "1", "won": "7", "lost": "2"}, PLAYER, "not_yours"
    ),
    Line("tournament-confirm", "{reported}", {"key": "main-1-1"}, PLAYER, "not_yours"),
    Line(
        "tournament-dispute",
        "{reported}",
        {"key": "main-1-1", "winner": "1", "won": "7", "lost": "2"},
        PLAYER,
        "not_yours",
    ),
    # teams
    Line("team-new", "{teams_open}", {"name": "C", "players": "C1\nC2\nC3"}, MEMBERS, ""),
    Line("team-change", "{teams_open} 1", TEAM, DESK | PLAYER, "not_captain"),
    Line("team-withdraw", "{teams_open} 1", {}, DESK | PLAYER, "not_yours"),
    Line("team-leave", "{teams_open}", {}, PLAYER, "not_entered"),
    Line("team-lineup", "{teams} 1 league 1", LINEUP, DESK | PLAYER, "not_captain"),
    # a tournament is made, changed, called off
    # The default club lets its members open events, so the others see the form, without this club.
    Line("tournament-new", "", {**NEW, "club": "{club_id}"}, CLUB, "form shown again"),
    Line("tournament-take-over", "{cup}", {}, OWNERS, "not_club_owner"),
    desk("desk-settings", "{open}", **NEW),
    Line("desk-template", "{open}", {"name": "Mine"}, DESK, "not_director"),
    desk("desk-stop", "{arena}"),
    desk("desk-cancel", "{cup}", sure="1"),
    desk("desk-roles", "{cup}", name="hugo", role="scorekeeper"),
    desk("desk-roles", "{cup}", name="olga", role="director"),
    desk("desk-roles", "{cup}", name="bea", action="dismiss"),
    desk("desk-venue", "{cup}"),
    desk("desk-venue", "{away}", action="give-up", sure="1"),
    desk("desk-venue-results", "{away}", text="{venue_results}", action="bring"),
    Line("venue-bring-here", "", {"text": "{venue_out}"}, frozenset({"staff"}), "not_club_owner"),
    desk("desk-announce", "{cup}", text="Hello"),
    desk("desk-alert", "{alerted}", what="unconfirmed", key="main-1-1"),
    desk("tournament-prizes", "{cup}", **PURSE),
    desk("desk-invitation", "{open}"),
    desk("desk-invitation", "{open}", action="password", password="nogal"),
    # entrants
    desk("desk-entrant-add", "{open}", name="Paco"),
    desk("desk-entrants-list", "{open}", text="Paco\nRosa", action="add"),
    desk("desk-entrant", "{open}", action="check-in-all"),
    Line("desk-entrant", "{open}", {"entrant": "2", "action": "check-in"}, DESK, "not_yours"),
    desk("desk-entrant", "{open}", entrant="2", action="paid"),
    Line("desk-entrant", "{arena}", {"entrant": "2", "action": "pause"}, DESK, "not_yours"),
    Line("desk-entrant", "{open}", {"entrant": "2", "action": "withdraw"}, DESK, "not_yours"),
    desk("desk-entrant", "{open}", entrant="2", action="link", name="hugo"),
    desk("desk-entrant", "{open}", entrant="3", action="reinstate"),
    desk("desk-entrant", "{open}", entrant="6", action="admit"),
    desk("desk-seeds", "{open}", seed_2="1"),
    desk("desk-report", "{open}", member_2="1234"),
    Line("my-calendar", "", {}, MEMBERS, ""),
    referees("desk-ruling", "{cup}", text="Rolled again", why="Cocked dice"),
    Line("desk-bye", "{swiss}", {"entrant": "1", "round": "2"}, DESK, "not_yours"),
    Line("desk-check-in", "{open} 2", {}, DESK, "not_yours"),
    desk("desk-fill", "{short}", level="2"),
    desk("desk-late", "{cup}", name="Paco", points="1"),
    desk("desk-substitute", "{cup}", entrant="{a}", name="Paco"),
    referees("desk-penalty", "{cup}", key="{other}", entrant="{a}", points="2"),
    # it runs
    desk("desk-draw", "{open}"),
    desk("desk-start", "{open}"),
    desk("desk-boards", "{cup}", rooms="Hall 1-8", automatic="on"),
    desk("desk-call", "{boards}", key="{boards_key}", board="4"),
    desk("desk-round", "{swiss}"),
    desk("desk-round", "{rounds}", round="main 1"),
    desk("desk-round-time", "{rounds}", at="2090-01-14T20:30"),
    desk("desk-wish", "{swiss}", kind="apart", a="1", b="2"),
    desk("desk-pause", "{live}", key="main-1-1"),
    desk("desk-recess", "{cup}", at="21:15"),
    desk("desk-recess", "{break}", action="end"),
    # results
    officials("desk-result", "{cup}", key="{other}", winner="{a}", **RIGHT),
    officials("desk-result", "{cup}", key="{other}", how="double"),
    officials("desk-send", "{cup}", key="{other}", of="{a} {b}", winner="{a}", sent="0123456789abcdef-1", **RIGHT),
    desk("desk-take-back", "{cup}", act="{act}"),
    desk("desk-correct", "{cup}", key="{key}", winner="{loser}", why="Read wrong", **RIGHT),
    desk("desk-undo", "{cup}", act="{act}"),
    desk("desk-redo", "{cup}", act="{undone}"),
    # recurring events
    club("club-template-new", **NEW),
    club("club-template", "{club} {template}", **NEW),
    club("club-template-remove", "{club} {spare}"),
    club("club-repeat", "{club} {template}", first="2026-01-01", **REPEAT),
    club("club-night", "{club} {event}", action="pause"),
    club("club-night", "{club} {paused}", action="resume"),
    club("club-night", "{club} {event}", action="stop"),
    club("club-night", "{club} {event}", action="skip", date="{day}"),
    club("club-night", "{club} {event}", action="restore", date="{skipped}"),
    club("club-import", action="import", text=SHEET),
    # seasons
    club("season-new", **SEASON),
    club("season-change", "{season}", **SEASON),
    club("season-remove", "{season}"),
    # weekends
    club("weekend-new", **WEEKEND),
    organizers("weekend-change", **WEEKEND),
    organizers("weekend-tournaments", tournaments="{open}"),
    organizers("weekend-publish", action="hide"),
    Line("weekend-remove", "{draft}", {}, CLUB, "404 []"),  # nobody else knows of it
    Line("weekend-remove", "{weekend}", {}, frozenset(), "not_organizer", dict.fromkeys(CLUB, "weekend_recorded")),
    weekend_directors("weekend-person-add", name="Pedro", tournaments="{open}"),
    weekend_directors("weekend-boards", rooms="Hall 1-8", automatic="on", tournaments="{cup}"),
    weekend_directors("weekend-paid", entrant="{entry}"),
    Line("weekend-records", "{weekend}", {"kind": "pool", "name": "P", "stake": "5"}, CLUB, "not_weekend_director"),
    # people
    Line("club-new", "", {**CLUB_FORM, "name": "Cuarta"}, frozenset({"staff"}), "club_new"),
    owners("club-settings", **CLUB_FORM),
    owners("club-invite", days="7", uses="1"),
    owners("club-revoke", invitation="{invitation}"),
    owners("club-request", request="{request}", answer="yes"),
    owners("club-request", request="{request}", answer="no"),
    owners("club-member", user="{member}", role="director"),
    owners("club-member", user="{member}", role="member", until="2090-01-01"),
    owners("club-member", user="{member}", action="remove"),
    Line("club-join", "{club}", {}, OUTSIDE, "club_joined"),
    Line("club-ask", "{asking}", {"text": "Let me in"}, MEMBERS, ""),
    Line("club-leave", "{club}", {}, MEMBERS - OUTSIDE, "club_not_member"),
    Line(
        "club-invitation",
        "{token}",
        {},
        OUTSIDE,
        "club_joined",
        {"anonymous": "shown", "guest": "club_members_only"},
    ),
)
# Pages that are only looked at: who may, and what all other members are told. Nobody writes to them.
READS = (
    *(
        Line(route, "{cup}", {}, EVERYBODY, "")
        for route in ("tournament", "tournament-live", "tournament-boards", "tournament-boards-live")
    ),
    Line("team", "{teams} 1", {}, EVERYBODY, ""),
    Line("team-match", "{teams} league-1-1", {}, EVERYBODY, ""),
    Line("tournament-draw", "{drawn}", {}, EVERYBODY, ""),
    Line("tournament-clock", "{fresh} main-1-1", {}, OFFICIALS | PLAYER, "not_yours"),
    *(Line(route, "{cup}", {}, EVERYBODY, "") for route in ("tournament-print", "tournament-tv", "tournament-tv-live")),
    *(
        Line(route, "{cup}", {}, EVERYBODY, "")
        for route in ("tournament-calendar", "tournament-csv", "tournament-json", "tournament-embed")
    ),
    *(Line(route, "{club}", {}, EVERYBODY, "") for route in ("club", "club-records", "club-people")),
    Line("club-calendar", "{club}", {}, EVERYBODY, ""),
    Line("calendar-feed", "{calendar}", {}, EVERYBODY, ""),
    Line("club-master-points", "{club}", {}, EVERYBODY, ""),
    Line("season", "{season}", {}, EVERYBODY, ""),
    *(Line(route, "", {}, EVERYBODY, "") for route in ("tournaments", "clubs", "seasons")),
    Line("tournament-terms", "", {}, MEMBERS, ""),
    *(
        Line(
            route, "{cup} none", {}, frozenset(), "404 []", {"guest": "404 []"}
        )  # only the host of an exhibition has it
        for route in ("next-board", "next-board-count")
    ),
    officials("tournament-desk", "{cup}"),
    officials("desk-log", "{cup}"),
    desk("desk-people", "{cup}"),
    desk("desk-receipts", "{open}"),
    desk("desk-venue-file", "{away}"),
    desk("desk-round-preview", "{swiss}"),
    *(Line(route, "{weekend}", {}, EVERYBODY, "") for route in ("weekend", "weekend-live", "weekend-calendar")),
    Line("weekend-prizes", "{weekend}", {}, EVERYBODY, ""),
    *(Line(route, "{weekend}", {}, CLUB, "not_weekend_director") for route in ("weekend-people", "weekend-fees")),
    Line("weekend-desk", "{weekend}", {}, CLUB | OFFICIALS, "not_weekend_official"),
    club("club-nights"),
    club("club-report"),
    owners("club-office"),
)


def routes() -> set[str]:
    """The names of all addresses of tournaments, clubs and seasons."""
    modules: tuple[Any, ...] = (urls, club_urls, season_urls, weekend_urls, club_people)
    patterns: Iterator[URLPattern] = (pattern for module in modules for pattern in module.urlpatterns)
    return {str(pattern.name) for pattern in patterns}


@pytest.fixture(params=ROLES)
def role(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def stage(django_db_setup: None, django_db_blocker: Any) -> Iterator[Stage]:
    """Made once; each test takes back what it wrote."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield Stage()
        transaction.set_rollback(True)


def browser(stage: Stage, role: str) -> Client:
    client, user = Client(headers={"accept-language": "en"}), stage.users[role]
    if user is not None:
        client.force_login(user, backend=people.BACKEND)
    return client


def address(stage: Stage, line: Line) -> str:
    return reverse(line.route, args=line.args.format(**stage.words).split())


def expected(line: Line, role: str, done: str) -> str:
    if role in line.but:
        return line.but[role]
    if role in line.may:
        return done
    return {"anonymous": "log in", "guest": "sign up"}.get(role, line.refusal)


def refusal_of(answer: HttpResponseBase) -> str:
    """The code of the refusal that a page shows, or its status."""
    location = answer.headers.get("Location", "")
    for url_name, name in (("account_login", "log in"), ("account_signup", "sign up")):
        if location.startswith(reverse(url_name)):
            return name
    texts = [str(message) for message in get_messages(answer.wsgi_request)]  # type: ignore[attr-defined]
    if answer.status_code == 403:
        texts.append(unescape(answer.content.decode()))  # type: ignore[attr-defined]
    found = [code for sentence, code in SENTENCES.items() if any(sentence in text for text in texts)]
    return found[0] if found else STATUS.get(answer.status_code, f"{answer.status_code} {texts}")


def test_every_address_has_its_line() -> None:
    assert {line.route for line in (*WRITES, *READS)} == routes()


def test_only_permitted_users_act_and_all_others_are_told_why_not(stage: Stage, role: str) -> None:
    client = browser(stage, role)
    wrong = {}
    for n, line in enumerate(WRITES):
        form = {name: value.format(**stage.words) for name, value in line.form.items()}
        ledger = Ledger()
        with rolled_back(client, ledger):
            answer = client.post(address(stage, line), form)
            found, wanted = "done" if ledger.written else refusal_of(answer), expected(line, role, "done")
        if found != wanted:
            wrong[n, line.route] = (found, wanted)
    assert wrong == {}


def test_pages_open_for_permitted_users_and_accept_no_writes(stage: Stage, role: str) -> None:
    client = browser(stage, role)
    wrong = {}
    for line in READS:
        ledger = Ledger()
        with rolled_back(client, ledger):
            found, wanted = refusal_of(client.get(address(stage, line))), expected(line, role, "shown")
            ledger.written.clear()  # records are counted when somebody looks at them
            answer = client.post(address(stage, line))
            accepted = answer.status_code != 405 and refusal_of(answer) not in ("log in", "sign up")
        if found != wanted or accepted or ledger.written:
            wrong[line.route] = (found, wanted, answer.status_code, ledger.written)
    assert wrong == {}
