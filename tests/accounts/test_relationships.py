"""Relationships and notes: services and selectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts.errors import Refused
from accounts.models import PlayerNote, Relationship, User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.signals import relationships_changed

pytestmark = pytest.mark.django_db
BLOCK, MUTE, FOLLOW = relationship_selectors.BLOCK, relationship_selectors.MUTE, relationship_selectors.FOLLOW


@pytest.fixture
def announced() -> Iterator[list[tuple[int, int, str, bool]]]:
    """The signals of `relationships_changed`."""
    signals: list[tuple[int, int, str, bool]] = []

    def record(sender: object, by_id: int, about_id: int, kind: str, active: bool, **more: Any) -> None:
        signals.append((by_id, about_id, kind, active))

    relationships_changed.connect(record)
    yield signals
    relationships_changed.disconnect(record)


def made() -> list[tuple[str, str, str]]:
    return sorted(
        (relationship.by.username, str(relationship.kind), relationship.about.username)
        for relationship in Relationship.objects.all()
    )


@pytest.mark.parametrize("kind", [BLOCK, MUTE, FOLLOW])
def test_a_repeated_relationship_is_stored_and_announced_once(
    announced: list[Any], ana: User, bea: User, kind: str
) -> None:
    first = relationships.relationship_create(by=ana, about=bea, kind=kind)
    assert relationships.relationship_create(by=ana, about=bea, kind=kind) == first
    assert announced == [(ana.pk, bea.pk, kind, True)]
    relationships.relationship_delete(by=ana, about=bea, kind=kind)
    relationships.relationship_delete(by=ana, about=bea, kind=kind)
    assert announced == [(ana.pk, bea.pk, kind, True), (ana.pk, bea.pk, kind, False)]
    assert made() == []


def test_a_block_ends_following_on_both_sides_and_no_other_relationship(ana: User, bea: User, carlos: User) -> None:
    for by, about in ((ana, bea), (bea, ana), (ana, carlos)):
        relationships.relationship_create(by=by, about=about, kind=FOLLOW)
    relationships.relationship_create(by=bea, about=ana, kind=MUTE)
    relationships.relationship_create(by=ana, about=bea, kind=BLOCK)
    assert made() == [("ana", "block", "bea"), ("ana", "follow", "carlos"), ("bea", "mute", "ana")]


@pytest.mark.parametrize("blocker", ["ana", "bea"])
def test_nobody_follows_across_a_block(ana: User, bea: User, blocker: str) -> None:
    by, about = (ana, bea) if blocker == "ana" else (bea, ana)
    relationships.relationship_create(by=by, about=about, kind=BLOCK)
    with pytest.raises(Refused, match="tie_blocked"):
        relationships.relationship_create(by=ana, about=bea, kind=FOLLOW)


def test_invalid_relationships_are_refused(ana: User, bea: User) -> None:
    house = User.objects.create(username="Solana", is_bot=True)
    for about, kind, code in ((ana, BLOCK, "tie_self"), (bea, "love", "tie_kind"), (house, BLOCK, "tie_bot")):
        with pytest.raises(Refused, match=code):
            relationships.relationship_create(by=ana, about=about, kind=kind)
    relationships.relationship_create(by=ana, about=house, kind=FOLLOW)


def test_the_number_of_relationships_is_limited_and_existing_ones_are_kept(
    ana: User, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relationships, "MAX_PER_KIND", 1)
    relationships.relationship_create(by=ana, about=bea, kind=MUTE)
    relationships.relationship_create(by=ana, about=bea, kind=MUTE)
    with pytest.raises(Refused, match="tie_most"):
        relationships.relationship_create(by=ana, about=carlos, kind=MUTE)


# Selectors


def test_a_block_applies_in_both_directions(ana: User, bea: User, carlos: User) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=BLOCK)
    relationships.relationship_create(by=ana, about=carlos, kind=MUTE)
    assert relationship_selectors.blocked_between(ana.pk, bea.pk)
    assert relationship_selectors.blocked_between(bea.pk, ana.pk)
    assert not relationship_selectors.blocked_between(ana.pk, carlos.pk)
    assert not relationship_selectors.blocked_between(None, ana.pk)
    assert relationship_selectors.blocked_among(bea.pk, [carlos.pk, None, ana.pk])
    assert not relationship_selectors.blocked_among(bea.pk, [carlos.pk, bea.pk])
    assert [relationship_selectors.separated_by_block(user.pk) for user in (ana, bea, carlos)] == [
        {bea.pk},
        {ana.pk},
        set(),
    ]
    assert relationship_selectors.separated_by_block(None) == frozenset()


def test_a_mute_applies_in_one_direction(ana: User, bea: User, carlos: User) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=MUTE)
    relationships.relationship_create(by=carlos, about=ana, kind=BLOCK)
    assert [relationship_selectors.silenced_for(user.pk) for user in (ana, bea, carlos)] == [
        {bea.pk, carlos.pk},
        set(),
        {ana.pk},
    ]


def test_a_block_of_a_user_covers_their_bots_and_a_block_of_a_bot_spares_its_owner(
    ana: User, bea: User, carlos: User
) -> None:
    bot = User.objects.create(username="engine", is_bot=True, owner=bea)
    relationships.relationship_create(by=ana, about=bea, kind=BLOCK)
    relationships.relationship_create(by=carlos, about=bot, kind=BLOCK)
    assert relationship_selectors.blocked_between(bot.pk, ana.pk)
    assert relationship_selectors.blocked_between(ana.pk, bot.pk)
    assert not relationship_selectors.blocked_between(carlos.pk, bea.pk)
    assert relationship_selectors.separated_by_block(ana.pk) == {bea.pk, bot.pk}
    assert relationship_selectors.separated_by_block(bot.pk) == {ana.pk, carlos.pk}
    assert relationship_selectors.separated_by_block(carlos.pk) == {bot.pk}


def test_friends_are_two_who_follow_each_other(ana: User, bea: User, carlos: User) -> None:
    for by, about in ((ana, bea), (bea, ana), (ana, carlos)):
        relationships.relationship_create(by=by, about=about, kind=FOLLOW)
    assert relationship_selectors.followed_ids(ana.pk) == {bea.pk, carlos.pk}
    assert [relationship_selectors.friend_ids(user.pk) for user in (ana, bea, carlos)] == [{bea.pk}, {ana.pk}, set()]
    found = [
        (relationship.about.username, relationship.friend)
        for relationship in relationship_selectors.relationships_of(ana, FOLLOW)
    ]  # type: ignore[attr-defined]
    assert sorted(found) == [("bea", True), ("carlos", False)]
    assert [
        relationship.about for relationship in relationship_selectors.relationships_of(ana, FOLLOW, mutual=True)
    ] == [bea]


def test_the_selectors_take_as_many_queries_for_any_data(
    django_assert_num_queries: Any, person: Callable[..., User], ana: User, bea: User
) -> None:
    for count in (1, 3):
        for number in range(count):
            relationships.relationship_create(by=person(f"p{count}{number}"), about=ana, kind=BLOCK)
        with django_assert_num_queries(2):
            relationship_selectors.blocked_between(ana.pk, bea.pk)
        with django_assert_num_queries(2):
            relationship_selectors.separated_by_block(ana.pk)
        with django_assert_num_queries(2):
            relationship_selectors.relationship_counts(ana)


# Notes


def test_a_note_is_saved_changed_and_deleted(ana: User, bea: User) -> None:
    relationships.note_save(by=ana, about=bea, text="  Doubles early. \n")
    assert relationship_selectors.relationship_status(ana, bea).note == "Doubles early."
    assert relationship_selectors.relationship_status(bea, ana).note == ""
    relationships.note_save(by=ana, about=bea, text="Doubles late.")
    assert PlayerNote.objects.count() == 1
    with pytest.raises(Refused, match="note_long"):
        relationships.note_save(by=ana, about=bea, text="x" * 2001)
    relationships.note_save(by=ana, about=bea, text=" ")
    assert PlayerNote.objects.count() == 0


def test_all_relationships_with_a_user_are_read_in_one_query(
    django_assert_num_queries: Any, ana: User, bea: User
) -> None:
    relationships.relationship_create(by=ana, about=bea, kind=FOLLOW)
    relationships.relationship_create(by=bea, about=ana, kind=FOLLOW)
    relationships.relationship_create(by=ana, about=bea, kind=MUTE)
    with django_assert_num_queries(1):
        found = relationship_selectors.relationship_status(ana, bea)
    assert found == relationship_selectors.RelationshipStatus(muted=True, followed=True, friends=True)
    relationships.relationship_create(by=bea, about=ana, kind=BLOCK)
    assert relationship_selectors.relationship_status(ana, bea) == relationship_selectors.RelationshipStatus(muted=True)
    assert relationship_selectors.relationship_status(bea, ana) == relationship_selectors.RelationshipStatus(
        blocked=True
    )
    assert relationship_selectors.relationship_counts(ana) == {
        "block": 0,
        "mute": 1,
        "follow": 0,
        "friends": 0,
        "notes": 0,
    }
