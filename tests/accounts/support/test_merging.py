"""Two accounts of one person become one, as if there had been one from the first match."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone as clock

from accounts import data, merging, ties
from accounts.errors import Refused
from accounts.merging import Merge
from accounts.models import Ban, Club, FormerName, Membership, Merged, PlayerNote, Tie, User
from accounts.services import guest_create
from games import services as play
from games.ladders import dump, fold
from games.models import Ladder, Match, Rating, RatingEvent, RollCount, Seat, SeatFacts
from games.services import ladders
from games.services.ladders.desk import config_of, events_of, state_of
from games.services.leaving import matches_leave
from games.services.ratings import pool_rebuild
from games.services.statistics import statistics_rebuild
from tests.games.finished import START, keep, sample
from tests.life import live
from tests.tournaments.conftest import terms
from tournaments import services as tournaments
from tournaments.models import Tournament
from tournaments.services.books import tournament_book
from tournaments.services.desk import state_of as tournament_state

pytestmark = pytest.mark.django_db

FILES = ("m10.mat",)
GONE = 987_654_321
STAY = {"accounts.User", "accounts.Merged", "accounts.SupportAct", "accounts.Ban", "admin.LogEntry"}
"""The tables that go on naming an account that became part of another."""


@pytest.fixture
def anita(person: Callable[..., User]) -> User:
    """ana's other account."""
    return person("anita")


def evening(*, ana: User, anita: User, bea: User, carlos: User) -> None:
    """Six rated matches, ana now with this account and now with that, and against two rivals."""
    record = sample("m10.mat")
    seats = [(ana, bea), (bea, anita), (anita, carlos), (carlos, ana), (anita, bea), (bea, carlos)]
    for n, (white, black) in enumerate(seats):
        match = keep(record, white, black, id=f"evening{n:03}", rated=True, at=START + timedelta(hours=n))
        assert play.match_take_in(match_id=match.pk)
        assert play.facts_make(match_id=match.pk)


def figures() -> dict[str, list[Any]]:
    """Every rating, rating event, number of a seat and count of rolls, by name."""
    plain = ("id", "user", "rival", "rated", "pool", "seat")
    found: dict[str, list[Any]] = {}
    for model in (Rating, RatingEvent, SeatFacts, RollCount):
        names = [field.name for field in model._meta.concrete_fields if field.name not in plain]
        people = ["user__username", *(["rival__username", "seat__match", "seat__side"] if model is SeatFacts else [])]
        found[model.__name__] = sorted(map(str, model.objects.values_list(*people, *names)))
    return found


def test_ratings_and_statistics_are_those_of_one_account_from_the_start(
    ana: User, anita: User, bea: User, carlos: User
) -> None:
    with transaction.atomic():
        evening(ana=ana, anita=ana, bea=bea, carlos=carlos)
        right = figures()
        transaction.set_rollback(True)
    evening(ana=ana, anita=anita, bea=bea, carlos=carlos)
    assert figures() != right
    merging.accounts_merge(gone=anita, into=ana)
    assert figures() == right
    for rating in Rating.objects.all():
        assert pool_rebuild(pool_id=rating.pool_id, check=True) == []
    statistics_rebuild()
    assert figures() == right
    assert Seat.objects.filter(user=ana).count() == 5
    assert Match.objects.filter(creator=anita).count() == 0


def test_a_match_against_oneself_stays_between_the_two_accounts(ana: User, anita: User, bea: User) -> None:
    for n, (white, black) in enumerate(((ana, anita), (anita, bea))):
        match = keep(sample("m10.mat"), white, black, id=f"mirror{n:04}")
        play.facts_make(match_id=match.pk)
    before = {row.user_id: row.count for row in RollCount.objects.filter(dice=RollCount.objects.first().dice)}  # type: ignore[union-attr]
    merging.accounts_merge(gone=anita, into=ana)
    assert sorted(Seat.objects.filter(match="mirror0000").values_list("user__username", flat=True)) == ["ana", "anita"]
    assert sorted(Seat.objects.filter(match="mirror0001").values_list("user__username", flat=True)) == ["ana", "bea"]
    assert before
    merged = figures()
    statistics_rebuild()
    assert figures() == merged


def test_who_played_rated_against_oneself_stays_two(ana: User, anita: User) -> None:
    match = keep(sample("m10.mat"), ana, anita, rated=True)
    play.match_take_in(match_id=match.pk)
    found = merging.merge_preview(gone=anita, into=ana)
    assert [(one.text, one.url) for one in found.hindrances] == [
        ("The two played a rated match against each other.", f"/match/{match.pk}/")
    ]
    with pytest.raises(Refused, match="merge_hindered"):
        merging.accounts_merge(gone=anita, into=ana)
    assert Seat.objects.filter(user=anita).exists()


@pytest.mark.parametrize("who", ["gone", "into"])
def test_a_match_in_play_of_either_comes_to_its_end_first(ana: User, anita: User, bea: User, who: str) -> None:
    seek = play.match_create(
        creator=anita if who == "gone" else ana, variant="backgammon", length=1, clock="club", rated=False
    )
    match = play.match_join(match_id=seek.pk, user=bea)
    with pytest.raises(Refused, match="merge_hindered"):
        merging.accounts_merge(gone=anita, into=ana)
    play.match_act(match_id=match.pk, user_id=bea.pk, action="resign match", client_id="merge-1")
    merging.accounts_merge(gone=anita, into=ana)
    assert Seat.objects.filter(match=match, user=ana).exists()


def test_bots_staff_closed_accounts_and_a_guest_who_stays_cannot_be_part_of_it(
    ana: User, bea: User, anita: User, person: Callable[..., User]
) -> None:
    bot, boss, guest = person("botarate", is_bot=True), person("jefa", is_staff=True), guest_create()
    shut = person("cerrada", is_active=False)
    for gone, into, code in (
        (bot, ana, "merge_kind"),
        (ana, bot, "merge_kind"),
        (boss, ana, "merge_kind"),
        (ana, boss, "merge_kind"),
        (ana, guest, "merge_kind"),
        (shut, ana, "merge_closed"),
        (ana, shut, "merge_closed"),
        (ana, ana, "merge_same"),
    ):
        with pytest.raises(Refused, match=code):
            merging.accounts_merge(gone=gone, into=into)
    merging.accounts_merge(gone=guest, into=ana)
    assert not FormerName.objects.exists()
    merging.accounts_merge(gone=anita, into=bea)
    assert FormerName.objects.get().name == "anita"


def test_a_ladder_folds_to_the_same_with_the_other_account(ana: User, anita: User, bea: User, dora: User) -> None:
    club = Club.objects.get(is_default=True)
    Membership.objects.create(club=club, user=dora, role=Membership.Role.OWNER)
    wanted = {"variant": "backgammon", "length": 3, "clock": "club"}
    ladder = ladders.ladder_create(by=dora, club=club, name="Jueves", kind="challenge", **wanted)
    for user in (bea, anita, dora):
        ladders.ladder_join(ladder_id=ladder.pk, user=user)
    ladders.challenge_make(ladder_id=ladder.pk, user=anita, rival=bea)
    ladders.ladder_place(ladder_id=ladder.pk, by=dora, user=anita, to=1)
    ladders.season_close(ladder_id=ladder.pk, by=dora, name="Invierno")
    before = dump(state_of(Ladder.objects.get(pk=ladder.pk)))
    merging.accounts_merge(gone=anita, into=ana)
    ladder = Ladder.objects.get(pk=ladder.pk)
    after = dump(state_of(ladder))
    assert after["order"] == [ana.pk, bea.pk, dora.pk]
    assert [bea.pk if n == bea.pk else n for n in before["order"]] == [anita.pk, bea.pk, dora.pk]
    assert dump(fold(config_of(ladder), events_of(ladder))) == after
    assert ladder.seasons.get().table[0]["user"] == ana.pk
    ladders.ladder_leave(ladder_id=ladder.pk, user=ana)


def test_nobody_was_two_on_a_ladder_or_in_a_tournament(ana: User, anita: User, bea: User, dora: User) -> None:
    club = Club.objects.get(is_default=True)
    Membership.objects.create(club=club, user=dora, role=Membership.Role.OWNER)
    wanted = {"variant": "backgammon", "length": 3, "clock": "club"}
    ladder = ladders.ladder_create(by=dora, club=club, name="Jueves", kind="challenge", **wanted)
    made = tournaments.tournament_create(creator=dora, name="Martes", terms=terms())
    for user in (ana, anita):
        ladders.ladder_join(ladder_id=ladder.pk, user=user)
        tournaments.entrant_add(tournament_id=made.pk, user=dora, player=user)
    texts = [one.text for one in merging.merge_preview(gone=anita, into=ana).hindrances]
    assert texts == ["Both were on the ladder Jueves.", "Both entered Martes."]


def test_a_tournament_under_way_goes_on_with_the_other_account(ana: User, anita: User, bea: User, dora: User) -> None:
    made = tournaments.tournament_create(creator=dora, name="Martes", terms=terms())
    for user in (anita, bea):
        tournaments.entrant_add(tournament_id=made.pk, user=dora, player=user)
    tournaments.tournament_start(tournament_id=made.pk, user=dora)
    before = tournament_state(Tournament.objects.get(pk=made.pk))
    merging.accounts_merge(gone=anita, into=ana)
    assert tournament_state(Tournament.objects.get(pk=made.pk)) == before
    match = Match.objects.get(meeting__tournament=made)
    for user in (ana, bea):
        play.match_arrive(match_id=match.pk, user=user)
    play.match_act(match_id=match.pk, user_id=ana.pk, action="resign match", client_id="merge-2")
    tournaments.match_over(match_id=match.pk)
    tournament_book(tournament_id=made.pk)
    assert made.placings.get(place=2).user == ana


def test_blocks_hold_notes_are_joined_and_roles_are_the_higher_ones(
    ana: User, anita: User, bea: User, carlos: User
) -> None:
    club = Club.objects.create(name="Norte", slug="norte")
    Membership.objects.create(club=club, user=ana)
    Membership.objects.create(club=club, user=anita, role=Membership.Role.OWNER)
    ties.tie_make(by=ana, about=bea, kind="follow")
    ties.tie_make(by=bea, about=anita, kind="block")
    ties.tie_make(by=ana, about=anita, kind="follow")
    ties.tie_make(by=anita, about=carlos, kind="mute")
    ties.note_write(by=ana, about=carlos, text="Slow.")
    ties.note_write(by=anita, about=carlos, text="And kind.")
    merging.accounts_merge(gone=anita, into=ana)
    assert sorted((tie.by.username, tie.kind, tie.about.username) for tie in Tie.objects.all()) == [
        ("ana", "mute", "carlos"),
        ("bea", "block", "ana"),
    ]
    assert PlayerNote.objects.get().text == "Slow.\nAnd kind."
    assert Membership.objects.get(club=club).role == Membership.Role.OWNER


@pytest.fixture
def far(db: None) -> None:
    """The next account has a number that nothing else could have."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT setval(pg_get_serial_sequence('accounts_user', 'id'), %s)", [GONE - 1])
    else:
        User.objects.create(pk=GONE - 1, username="lejos")
        User.objects.filter(pk=GONE - 1).delete()


def test_nothing_of_a_rich_life_stays_behind(ana: User, bea: User, dora: User, elisa: User, far: None) -> None:
    """Every row of every table that named the account names the other, by number too, and the private rest is gone."""
    zoraida = live(ana, bea, dora)
    assert zoraida.pk == GONE
    matches_leave(user=zoraida)  # she resigns what she still plays
    counts = merging.accounts_merge(gone=zoraida, into=elisa)
    assert {one.name for one in counts} >= {"Matches", "Rated matches", "Tournaments played", "Messages", "Bots"}
    found = {label for label in map(_label, apps.get_models(include_auto_created=True)) if str(GONE) in _text(label)}
    assert found - STAY == set()
    for table in data.tables():
        for look_up in table.people:
            if look_up != "pk" and table.model not in STAY:
                assert not table.rows.filter(**{look_up: zoraida.pk}).exists(), (table.model, look_up)
    elisa.refresh_from_db()
    assert elisa.email == "z.quiroga@example.org"
    assert set(Merged.objects.values_list("gone__username", "into__username")) == {
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


def test_whoever_takes_two_accounts_along_leaves_with_both(ana: User, anita: User) -> None:
    from accounts import leaving

    merging.accounts_merge(gone=anita, into=ana)
    leaving.person_leave(user=User.objects.get(pk=ana.pk))
    names = User.objects.filter(pk__in=(ana.pk, anita.pk)).values_list("username", flat=True)
    assert all(name.startswith("player-") for name in names)
    assert not FormerName.objects.exists()


def test_what_fails_halfway_leaves_two_accounts_as_they_were(
    ana: User, anita: User, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(ana=ana, anita=anita, bea=bea, carlos=carlos)
    before = figures()

    def fails(merge: Merge) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(merging, "_afterwards", [fails])
    with pytest.raises(RuntimeError):
        merging.accounts_merge(gone=anita, into=ana)
    assert figures() == before
    assert User.objects.get(pk=anita.pk).is_active
    assert not Ban.objects.filter(since__gt=clock.now()).exists()
