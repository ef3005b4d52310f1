"""Merging two accounts of one person, as if there had been one account from the first match."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone as clock

from accounts.errors import Refused
from accounts.models import Ban, Club, FormerName, Membership, MergedAccount, PlayerNote, Relationship, User
from accounts.privacy import registry as data_registry
from accounts.relationships import services as relationships
from accounts.support import merge_registry, merging
from accounts.support.merge_registry import Merge
from accounts.users.services import guest_create
from games import services as play
from games.models import Match, Rating, RatingEvent, RollCount, Seat, SeatFacts
from games.services.leaving import matches_leave
from games.services.ratings import pool_rebuild
from games.services.statistics import statistics_rebuild
from ladders import services as ladders
from ladders.models import Ladder
from ladders.rules import dump, fold
from ladders.services.transaction import config_of, recorded_events, state_of
from tests.games.finished_matches import START, keep, sample
from tests.populated_user import live
from tests.tournaments.conftest import terms
from tournaments import services as tournaments
from tournaments.models import Tournament
from tournaments.services.results_sync import tournament_sync_results
from tournaments.services.transaction import load_state as tournament_state

pytestmark = pytest.mark.django_db

FILES = ("m10.mat",)
MERGED_ID = 987_654_321
STAY = {"accounts.User", "accounts.MergedAccount", "accounts.SupportAct", "accounts.Ban", "admin.LogEntry"}
"""The tables that keep references to a merged account."""


@pytest.fixture
def anita(person: Callable[..., User]) -> User:
    """The second account of ana."""
    return person("anita")


def six_matches(*, ana: User, anita: User, bea: User, carlos: User) -> None:
    """Play six rated matches of ana with alternating accounts against two opponents."""
    record = sample("m10.mat")
    seats = [(ana, bea), (bea, anita), (anita, carlos), (carlos, ana), (anita, bea), (bea, carlos)]
    for n, (white, black) in enumerate(seats):
        match = keep(record, white, black, id=f"evening{n:03}", rated=True, at=START + timedelta(hours=n))
        assert play.match_rate_late(match_id=match.pk)
        assert play.facts_make(match_id=match.pk)


def figures() -> dict[str, list[Any]]:
    """Every rating, rating event, seat statistic and count of rolls, by username."""
    plain = ("id", "user", "rival", "rated", "pool", "seat")
    found: dict[str, list[Any]] = {}
    for model in (Rating, RatingEvent, SeatFacts, RollCount):
        names = [field.name for field in model._meta.concrete_fields if field.name not in plain]
        people = [
            "user__username",
            *(["opponent__username", "seat__match", "seat__side"] if model is SeatFacts else []),
        ]
        found[model.__name__] = sorted(map(str, model.objects.values_list(*people, *names)))
    return found


def test_ratings_and_statistics_are_those_of_one_account_from_the_start(
    ana: User, anita: User, bea: User, carlos: User
) -> None:
    with transaction.atomic():
        six_matches(ana=ana, anita=ana, bea=bea, carlos=carlos)
        right = figures()
        transaction.set_rollback(True)
    six_matches(ana=ana, anita=anita, bea=bea, carlos=carlos)
    assert figures() != right
    merging.accounts_merge(source=anita, target=ana)
    assert figures() == right
    for rating in Rating.objects.all():
        assert pool_rebuild(pool_id=rating.pool_id, check=True) == []
    statistics_rebuild()
    assert figures() == right
    assert Seat.objects.filter(user=ana).count() == 5
    assert Match.objects.filter(creator=anita).count() == 0


def test_a_match_between_the_two_accounts_keeps_both(ana: User, anita: User, bea: User) -> None:
    for n, (white, black) in enumerate(((ana, anita), (anita, bea))):
        match = keep(sample("m10.mat"), white, black, id=f"mirror{n:04}")
        play.facts_make(match_id=match.pk)
    before = {row.user_id: row.count for row in RollCount.objects.filter(dice=RollCount.objects.first().dice)}  # type: ignore[union-attr]
    merging.accounts_merge(source=anita, target=ana)
    assert sorted(Seat.objects.filter(match="mirror0000").values_list("user__username", flat=True)) == ["ana", "anita"]
    assert sorted(Seat.objects.filter(match="mirror0001").values_list("user__username", flat=True)) == ["ana", "bea"]
    assert before
    merged = figures()
    statistics_rebuild()
    assert figures() == merged


def test_a_rated_match_between_the_two_accounts_blocks_the_merge(ana: User, anita: User) -> None:
    match = keep(sample("m10.mat"), ana, anita, rated=True)
    play.match_rate_late(match_id=match.pk)
    found = merging.merge_preview(source=anita, target=ana)
    assert [(blocker.text, blocker.url) for blocker in found.blockers] == [
        ("These two accounts played a rated match against each other.", f"/match/{match.pk}/")
    ]
    with pytest.raises(Refused, match="merge_hindered"):
        merging.accounts_merge(source=anita, target=ana)
    assert Seat.objects.filter(user=anita).exists()


@pytest.mark.parametrize("account", ["source", "target"])
def test_a_live_match_of_either_account_blocks_the_merge(ana: User, anita: User, bea: User, account: str) -> None:
    seek = play.match_create(
        creator=anita if account == "source" else ana, variant="backgammon", length=1, clock="club", rated=False
    )
    match = play.match_join(match_id=seek.pk, user=bea)
    with pytest.raises(Refused, match="merge_hindered"):
        merging.accounts_merge(source=anita, target=ana)
    play.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="merge-1")
    merging.accounts_merge(source=anita, target=ana)
    assert Seat.objects.filter(match=match, user=ana).exists()


def test_bots_staff_closed_accounts_and_guests_as_targets_cannot_be_merged(
    ana: User, bea: User, anita: User, person: Callable[..., User]
) -> None:
    bot, boss, guest = person("botarate", is_bot=True), person("jefa", is_staff=True), guest_create()
    closed = person("cerrada", is_active=False)
    for source, into, code in (
        (bot, ana, "merge_kind"),
        (ana, bot, "merge_kind"),
        (boss, ana, "merge_kind"),
        (ana, boss, "merge_kind"),
        (ana, guest, "merge_kind"),
        (closed, ana, "merge_closed"),
        (ana, closed, "merge_closed"),
        (ana, ana, "merge_same"),
    ):
        with pytest.raises(Refused, match=code):
            merging.accounts_merge(source=source, target=into)
    merging.accounts_merge(source=guest, target=ana)
    assert not FormerName.objects.exists()
    merging.accounts_merge(source=anita, target=bea)
    assert FormerName.objects.get().name == "anita"


def test_a_ladder_folds_to_the_same_state_with_the_other_account(ana: User, anita: User, bea: User, dora: User) -> None:
    club = Club.objects.get(is_default=True)
    Membership.objects.create(club=club, user=dora, role=Membership.Role.OWNER)
    wanted = {"variant": "backgammon", "length": 3, "clock": "club"}
    ladder = ladders.ladder_create(by=dora, club=club, name="Torneo semanal del club", kind="challenge", **wanted)
    for user in (bea, anita, dora):
        ladders.ladder_join(ladder_id=ladder.pk, user=user)
    ladders.challenge_make(ladder_id=ladder.pk, user=anita, opponent=bea)
    ladders.ladder_place(ladder_id=ladder.pk, by=dora, user=anita, to=1)
    ladders.season_close(ladder_id=ladder.pk, by=dora, name="Invierno")
    before = dump(state_of(Ladder.objects.get(pk=ladder.pk)))
    merging.accounts_merge(source=anita, target=ana)
    ladder = Ladder.objects.get(pk=ladder.pk)
    after = dump(state_of(ladder))
    assert after["order"] == [ana.pk, bea.pk, dora.pk]
    assert [bea.pk if n == bea.pk else n for n in before["order"]] == [anita.pk, bea.pk, dora.pk]
    assert dump(fold(config_of(ladder), recorded_events(ladder))) == after
    assert ladder.seasons.get().table[0]["user"] == ana.pk
    ladders.ladder_leave(ladder_id=ladder.pk, user=ana)


def test_accounts_on_the_same_ladder_or_tournament_cannot_be_merged(
    ana: User, anita: User, bea: User, dora: User
) -> None:
    club = Club.objects.get(is_default=True)
    Membership.objects.create(club=club, user=dora, role=Membership.Role.OWNER)
    wanted = {"variant": "backgammon", "length": 3, "clock": "club"}
    ladder = ladders.ladder_create(by=dora, club=club, name="Torneo semanal del club", kind="challenge", **wanted)
    made = tournaments.tournament_create(creator=dora, name="Martes", terms=terms())
    for user in (ana, anita):
        ladders.ladder_join(ladder_id=ladder.pk, user=user)
        tournaments.entrant_add(tournament_id=made.pk, user=dora, player=user)
    texts = [blocker.text for blocker in merging.merge_preview(source=anita, target=ana).blockers]
    assert texts == [
        "Both accounts were on the ladder Torneo semanal del club.",
        "Both accounts are registered in Martes.",
    ]


def test_a_running_tournament_continues_with_the_other_account(ana: User, anita: User, bea: User, dora: User) -> None:
    made = tournaments.tournament_create(creator=dora, name="Martes", terms=terms())
    for user in (anita, bea):
        tournaments.entrant_add(tournament_id=made.pk, user=dora, player=user)
    tournaments.tournament_start(tournament_id=made.pk, user=dora)
    before = tournament_state(Tournament.objects.get(pk=made.pk))
    merging.accounts_merge(source=anita, target=ana)
    assert tournament_state(Tournament.objects.get(pk=made.pk)) == before
    match = Match.objects.get(meeting__tournament=made)
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    play.match_act(match_id=match.pk, user_id=ana.pk, action="resign match", client_id="merge-2")
    tournaments.match_result_record(match_id=match.pk)
    tournament_sync_results(tournament_id=made.pk)
    assert made.placings.get(place=2).user == ana


def test_a_merge_keeps_blocks_joins_notes_and_takes_the_higher_roles(
    ana: User, anita: User, bea: User, carlos: User
) -> None:
    club = Club.objects.create(name="Norte", slug="norte")
    Membership.objects.create(club=club, user=ana)
    Membership.objects.create(club=club, user=anita, role=Membership.Role.OWNER)
    relationships.relationship_create(by=ana, about=bea, kind="follow")
    relationships.relationship_create(by=bea, about=anita, kind="block")
    relationships.relationship_create(by=ana, about=anita, kind="follow")
    relationships.relationship_create(by=anita, about=carlos, kind="mute")
    relationships.note_save(by=ana, about=carlos, text="Slow.")
    relationships.note_save(by=anita, about=carlos, text="And kind.")
    merging.accounts_merge(source=anita, target=ana)
    assert sorted((each.by.username, each.kind, each.about.username) for each in Relationship.objects.all()) == [
        ("ana", "mute", "carlos"),
        ("bea", "block", "ana"),
    ]
    assert PlayerNote.objects.get().text == "Slow.\nAnd kind."
    assert Membership.objects.get(club=club).role == Membership.Role.OWNER


@pytest.fixture
def far(db: None) -> None:
    """The next account has an id that no other row has."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('accounts_user', 'id'), %s)", [MERGED_ID - 1])
    else:
        User.objects.create(pk=MERGED_ID - 1, username="lejos")
        User.objects.filter(pk=MERGED_ID - 1).delete()


def test_no_row_still_names_the_merged_account(ana: User, bea: User, dora: User, elisa: User, far: None) -> None:
    """Every row that referred to the account refers to the other, also by id, and the private rest is deleted."""
    zoraida = live(ana, bea, dora)
    assert zoraida.pk == MERGED_ID
    matches_leave(user=zoraida)  # resigns the live matches
    counts = merging.accounts_merge(source=zoraida, target=elisa)
    assert {count.name for count in counts} >= {"Matches", "Rated matches", "Tournaments played", "Messages", "Bots"}
    found = {
        label for label in map(_label, apps.get_models(include_auto_created=True)) if str(MERGED_ID) in _text(label)
    }
    assert found - STAY == set()
    for table in data_registry.tables():
        for lookup in table.people:
            if lookup != "pk" and table.model not in STAY:
                assert not table.rows.filter(**{lookup: zoraida.pk}).exists(), (table.model, lookup)
    elisa.refresh_from_db()
    assert elisa.email == "z.quiroga@example.org"
    assert set(MergedAccount.objects.values_list("source__username", "target__username")) == {
        ("zquilla", "elisa"),
        ("Zoraida", "elisa"),
    }


def _label(model: Any) -> str:
    return str(model._meta.label)


def _text(label: str) -> str:
    model = apps.get_model(label)
    rows = model._default_manager.all()
    return "\n".join(map(str, rows.values_list(*(field.attname for field in model._meta.concrete_fields))))


@pytest.fixture
def elisa(person: Callable[..., User]) -> User:
    return person("elisa")


def test_deleting_an_account_deletes_the_account_merged_into_it(ana: User, anita: User) -> None:
    from accounts.privacy import services as deletion

    merging.accounts_merge(source=anita, target=ana)
    deletion.account_delete(user=User.objects.get(pk=ana.pk))
    names = User.objects.filter(pk__in=(ana.pk, anita.pk)).values_list("username", flat=True)
    assert all(name.startswith("player-") for name in names)
    assert not FormerName.objects.exists()


def test_a_failed_merge_changes_nothing(
    ana: User, anita: User, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    six_matches(ana=ana, anita=anita, bea=bea, carlos=carlos)
    before = figures()

    def fails(merge: Merge) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(merge_registry, "_after", [fails])
    with pytest.raises(RuntimeError):
        merging.accounts_merge(source=anita, target=ana)
    assert figures() == before
    assert User.objects.get(pk=anita.pk).is_active
    assert not Ban.objects.filter(since__gt=clock.now()).exists()
