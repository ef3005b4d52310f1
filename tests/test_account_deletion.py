"""A deleted account leaves no trace in the database, and everything shared with others stays consistent.

`tests.populated_user` creates rows of Zoraida in every table. The searches read every row of every table as the
database prints it; they notice if any single eraser is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import Club, Membership, User
from accounts.privacy import registry as data_registry
from accounts.privacy import services as deletion
from accounts.privacy.anonymize import Anonymizer
from accounts.users.services import BACKEND, guest_create
from games import replay
from games import services as play
from games.models import Action, Match, RatingEvent, Seat
from games.selectors import exports, match_files
from games.services.locked_match import state_of
from ladders.models import LadderSeason
from tests.populated_user import MAIL, NAME, NEEDLES, live
from tournaments.models import Tournament
from tournaments.services.transaction import load_state as tournament_state

pytestmark = pytest.mark.django_db

GO_WITH_OTHERS = {
    "account.EmailConfirmation.email_address__user": "goes with the address",
    "socialaccount.SocialToken.account__user": "none is ever stored",
    "accounts.UsedOAuthToken.grant__user": "goes with the yes to a program that it came of",
    "accounts.BotToken.bot": "a bot that is retired has no token",
    "accounts.BotToken.bot__owner": "the same",
    "notifications.PushMessage.device__user": "goes with the device",
    "eventlog.Delivery.hook__user": "goes with the webhook",
}
"""Rows that something else takes away as well: without their own eraser nothing would stay."""


@pytest.fixture
def zoraida(ana: User, bea: User, dora: User) -> User:
    return live(ana, bea, dora)


def dump() -> str:
    """Return every row of every table as lower-case text, binary data in hexadecimal."""
    connection.ensure_connection()
    return "\n".join(_lines()).lower()


def _lines() -> Iterator[str]:
    if connection.vendor == "sqlite":
        yield from connection.connection.iterdump()
        return
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor, cursor.copy(f'COPY "{table}" TO STDOUT') as rows:
            for block in rows:
                yield bytes(block).decode()


def traces(user: User) -> list[str]:
    """Return what is still found of a user: their texts, and rows and rights that were theirs alone."""
    text = dump()
    found = [word for word in NEEDLES if word.lower() in text or word.encode().hex() in text]
    found += [word for word in NEEDLES if word.lower().encode().hex() in text and word not in found]
    for table in data_registry.tables():
        found += [table.model] * table.rows_of(user, data_registry.DELETED).exists()
    sessions = (session.get_decoded().get(SESSION_KEY) for session in Session.objects.all())
    found += ["session"] * (str(user.pk) in sessions)
    row = User.objects.get(pk=user.pk)
    found += ["user"] * (row.has_usable_password() or row.is_active or row.theme != "auto" or row.left_at is None)
    return found


def left(user: User) -> User:
    return deletion.account_delete(user=user)


def test_deleting_an_account_removes_every_trace(zoraida: User) -> None:
    assert set(NEEDLES) <= set(traces(zoraida))
    anonymized = left(zoraida)
    assert traces(zoraida) == []
    assert anonymized.username.startswith("player-")
    assert dump().count(anonymized.username) > 5


@pytest.mark.looks
def test_a_missing_eraser_is_noticed(zoraida: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each eraser is left out once; the search finds what it would have erased."""
    erasers = data_registry.erasers()
    for part in data_registry.on_delete_functions():  # once: what ends before the erasure is the same every time
        part(zoraida)
    monkeypatch.setattr(data_registry, "on_delete_functions", tuple)
    unnoticed = []
    for run in dict.fromkeys(erasers.values()):
        keys = [key for key, eraser in erasers.items() if eraser is run]
        rest = {key: eraser for key, eraser in erasers.items() if eraser is not run}
        with monkeypatch.context() as patch:
            patch.setattr(data_registry, "erasers", lambda rest=rest: rest)
            with transaction.atomic():
                left(zoraida)
                if not traces(zoraida):
                    unnoticed += keys
                transaction.set_rollback(True)
    assert set(unnoticed) == set(GO_WITH_OTHERS)


def test_every_match_still_opens_and_replays(zoraida: User, ana: User) -> None:
    played = Match.objects.filter(seats__user=zoraida).exclude(source="mat")
    before = {match.pk: list(match.actions.values_list("n", "actor", "text")) for match in played}
    over = set(played.filter(status=Match.Status.OVER).values_list("pk", flat=True))
    anonymized = left(zoraida)
    client = Client()
    client.force_login(ana, backend=BACKEND)
    for match in Match.objects.filter(pk__in=before).exclude(status=Match.Status.CANCELLED):
        actions = list(match.actions.order_by("n").values_list("n", "actor", "text"))
        assert actions[: len(before[match.pk])] == before[match.pk]
        assert match.pk not in over or actions == before[match.pk]
        page = client.get(reverse("match", args=[match.pk]))
        assert page.status_code == 200
        assert anonymized.username in page.content.decode()
        assert {seat.name for seat in match.seats.all()} == {anonymized.username, "ana"}
    files = exports.write_archive(ana, seconds=math.inf)
    assert files.finished
    assert files.done > 0


def test_correspondence_and_adjourned_matches_are_resigned_and_replay_to_their_end(zoraida: User, ana: User) -> None:
    live_matches = list(Match.objects.filter(seats__user=zoraida, status=Match.Status.LIVE))
    assert len(live_matches) == 2
    left(zoraida)
    for match in Match.objects.filter(pk__in=[live_match.pk for live_match in live_matches]):
        assert (match.status, match.ended_by) == (Match.Status.OVER, Match.EndedBy.RESIGN)
        assert match.seats.get(won=True).user == ana
        assert Action.objects.filter(match=match).order_by("-n")[0].text == "resign match"
        assert state_of(match).result == replay.Result(match.winner, "resign")  # type: ignore[arg-type]
        assert match_files.record_of(match).winner == match.winner


def test_ratings_still_follow_from_their_log(zoraida: User) -> None:
    before = list(RatingEvent.objects.order_by("pk").values_list("user", "rating_after"))
    left(zoraida)
    after = list(RatingEvent.objects.order_by("pk").values_list("user", "rating_after"))
    assert after[: len(before)] == before
    call_command("ratings_rebuild", "--check")


def test_tournaments_and_ladders_replay_to_the_same_with_another_name(zoraida: User, dora: User) -> None:
    tournament = Tournament.objects.get(name="Torneo semanal del club")
    before = tournament_state(tournament)
    anonymized = left(zoraida)
    after = tournament_state(Tournament.objects.get(pk=tournament.pk))
    (number,) = after.withdrawn
    assert after.order == before.order
    assert after.entrants == before.entrants
    assert tournament.entrants.get(number=number).name == anonymized.username
    announcements = [event.data.get("text") for event in tournament.events.filter(kind="announced")]
    assert announcements == [f"{anonymized.username} comes at nine, {anonymized.username} says so"]
    table = LadderSeason.objects.get().table
    assert [row["name"] for row in table] == ["bea", "ana", anonymized.username]
    client = Client()
    client.force_login(dora, backend=BACKEND)
    for name in ("tournament", "tournament-desk"):
        assert client.get(reverse(name, args=[tournament.pk])).status_code == 200


def test_lists_skip_a_deleted_account_and_its_page_says_so(zoraida: User, ana: User) -> None:
    anonymized = left(zoraida)
    client = Client()
    client.force_login(ana, backend=BACKEND)
    assert anonymized.username not in client.get(reverse("players")).content.decode()
    assert anonymized.username not in client.get(reverse("ratings-pool", args=["backgammon", "live"])).content.decode()
    assert client.get(reverse("player", args=[NAME])).status_code == 404
    assert "This account was deleted." in client.get(reverse("player", args=[anonymized.username])).content.decode()
    against = client.get(reverse("player-against", args=["ana", anonymized.username])).content.decode()
    assert "deleted account" in against
    assert anonymized.username in client.get(reverse("history")).content.decode()


def test_a_deleted_account_cannot_sign_in_and_its_name_is_free(zoraida: User, person: Callable[..., User]) -> None:
    client = Client()
    client.force_login(zoraida, backend=BACKEND)
    left(zoraida)
    assert client.get(reverse("settings")).status_code == 302
    for login in (NAME, MAIL):
        client.post(reverse("account_login"), {"login": login, "password": "correct horse battery"})
        assert client.get(reverse("settings")).status_code == 302
    assert person(NAME).pk != zoraida.pk


def test_bots_are_deleted_with_their_owner(zoraida: User) -> None:
    left(zoraida)
    bot = User.objects.get(owner=zoraida)
    assert bot.username.startswith("player-")
    assert (bot.is_bot, bot.is_active) == (True, False)


def test_deleting_twice_changes_nothing(zoraida: User) -> None:
    first = left(zoraida)
    assert left(zoraida).username == first.username


def test_a_guest_can_delete_the_account(ana: User) -> None:
    guest = guest_create()
    seek = play.match_create(creator=ana, variant="backgammon", length=1, clock="none", rated=False)
    match = play.match_join(match_id=seek.pk, user=guest)
    play.match_act(match_id=match.pk, user_id=guest.pk, action="resign match", client_id="g-1")
    client = Client()
    client.force_login(guest, backend=BACKEND)
    page = client.get(reverse("leave")).content.decode()
    assert "Your password" not in page
    client.post(reverse("leave"), {"word": guest.username})
    assert Seat.objects.filter(match=match, user__left_at__isnull=False).count() == 1
    assert guest.username not in dump()


# What blocks a deletion, and the page


def test_a_live_match_a_club_and_a_tournament_block_deletion(ana: User, bea: User) -> None:
    club = Club.objects.create(name="Norte", slug="norte")
    Membership.objects.create(club=club, user=ana, role=Membership.Role.OWNER)
    Membership.objects.create(club=club, user=bea)
    seek = play.match_create(creator=ana, variant="backgammon", length=1, clock="club", rated=False)
    match = play.match_join(match_id=seek.pk, user=bea)
    client = Client()
    client.force_login(ana, backend=BACKEND)
    page = client.get(reverse("leave")).content.decode()
    assert "Your match against bea is still in progress. Finish or resign it first." in page
    assert "You are the only owner of Norte. Make someone else an owner first." in page
    answer = client.post(reverse("leave"), {"password": "correct horse battery", "word": "ana"})
    assert answer.status_code == 422
    assert User.objects.get(pk=ana.pk).left_at is None
    play.match_act(match_id=match.pk, user_id=ana.pk, action="resign match", client_id="a-1")
    Membership.objects.filter(club=club, user=bea).update(role=Membership.Role.OWNER)
    assert data_registry.deletion_blockers(ana) == []


def test_a_sole_tournament_director_hands_over_first(ana: User, dora: User) -> None:
    from tests.tournaments.conftest import terms
    from tournaments import services as tournaments

    made = tournaments.tournament_create(creator=dora, name="Torneo semanal del club", terms=terms())
    (kept,) = data_registry.deletion_blockers(dora)
    assert (
        kept.text
        == "You are the only director of Torneo semanal del club. Add another director or finish the tournament first."
    )
    tournaments.director_add(tournament_id=made.pk, user=dora, director=ana)
    assert data_registry.deletion_blockers(dora) == []


@pytest.mark.parametrize(
    ("form", "refused"),
    [
        ({"password": "wrong", "word": "ana"}, "That is not your password. Try again."),
        ({"password": "correct horse battery", "word": "yes"}, "Type your username exactly as it is shown here"),
        ({}, "That is not your password. Try again."),
    ],
)
def test_deletion_needs_the_password_and_the_name(ana: User, form: dict[str, str], refused: str) -> None:
    client = Client()
    client.force_login(ana, backend=BACKEND)
    answer = client.post(reverse("leave"), form)
    assert answer.status_code == 422
    assert refused in answer.content.decode()
    assert User.objects.get(pk=ana.pk).is_active
    assert client.post(reverse("leave"), {"password": "correct horse battery", "word": "ANA"}).status_code == 302
    assert User.objects.get(pk=ana.pk).left_at is not None


def test_an_admin_deletes_a_member_and_exports_their_data(ana: User, tmp_path: Any, capsys: Any) -> None:
    call_command("delete_account", "Ana", export=str(tmp_path / "ana.zip"))
    assert "ana has been deleted. Their matches now show player-" in capsys.readouterr().out
    assert (tmp_path / "ana.zip").stat().st_size > 1000
    assert User.objects.get(pk=ana.pk).left_at is not None


# Names


def test_a_name_is_found_as_a_whole_word_and_in_name_fields_only() -> None:
    anonymizer = Anonymizer(User(username="played"), "player-1", frozenset({"played", "bea", "p@example.org"}))
    assert anonymizer.anonymize_text("BEA and beata, bea-2 and Bea. p@example.org") == (
        "player-1 and beata, bea-2 and player-1. player-1"
    )
    event = {"how": "played", "played": 3, "name": "played", "first": {"name": "Bea"}, "of": ["bea"]}
    mended = {"how": "played", "played": 3, "name": "player-1", "first": {"name": "player-1"}, "of": ["bea"]}
    assert anonymizer.anonymize_json(event, keys=("name",)) == mended
