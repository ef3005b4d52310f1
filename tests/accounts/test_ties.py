"""What one person decides about another: made once, taken back, told to nobody, and asked by everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts import ties
from accounts.errors import Refused
from accounts.models import PlayerNote, Tie, User
from accounts.signals import ties_changed

pytestmark = pytest.mark.django_db
BLOCK, MUTE, FOLLOW = ties.BLOCK, ties.MUTE, ties.FOLLOW


@pytest.fixture
def announced() -> Iterator[list[tuple[int, int, str, bool]]]:
    """What `ties_changed` said."""
    heard: list[tuple[int, int, str, bool]] = []

    def hear(sender: object, by_id: int, about_id: int, kind: str, tied: bool, **more: Any) -> None:
        heard.append((by_id, about_id, kind, tied))

    ties_changed.connect(hear)
    yield heard
    ties_changed.disconnect(hear)


def made() -> list[tuple[str, str, str]]:
    return sorted((tie.by.username, str(tie.kind), tie.about.username) for tie in Tie.objects.all())


@pytest.mark.parametrize("kind", [BLOCK, MUTE, FOLLOW])
def test_twice_is_once_and_it_is_announced_once(announced: list[Any], ana: User, bea: User, kind: str) -> None:
    first = ties.tie_make(by=ana, about=bea, kind=kind)
    assert ties.tie_make(by=ana, about=bea, kind=kind) == first
    assert announced == [(ana.pk, bea.pk, kind, True)]
    ties.tie_cut(by=ana, about=bea, kind=kind)
    ties.tie_cut(by=ana, about=bea, kind=kind)
    assert announced == [(ana.pk, bea.pk, kind, True), (ana.pk, bea.pk, kind, False)]
    assert made() == []


def test_a_block_ends_the_following_on_both_sides_and_no_other(ana: User, bea: User, carlos: User) -> None:
    for by, about in ((ana, bea), (bea, ana), (ana, carlos)):
        ties.tie_make(by=by, about=about, kind=FOLLOW)
    ties.tie_make(by=bea, about=ana, kind=MUTE)
    ties.tie_make(by=ana, about=bea, kind=BLOCK)
    assert made() == [("ana", "block", "bea"), ("ana", "follow", "carlos"), ("bea", "mute", "ana")]


@pytest.mark.parametrize("blocker", ["ana", "bea"])
def test_nobody_follows_across_a_block(ana: User, bea: User, blocker: str) -> None:
    by, about = (ana, bea) if blocker == "ana" else (bea, ana)
    ties.tie_make(by=by, about=about, kind=BLOCK)
    with pytest.raises(Refused, match="tie_blocked"):
        ties.tie_make(by=ana, about=bea, kind=FOLLOW)


def test_what_makes_no_sense_is_refused(ana: User, bea: User) -> None:
    house = User.objects.create(username="Solana", is_bot=True)
    for about, kind, code in ((ana, BLOCK, "tie_self"), (bea, "love", "tie_kind"), (house, BLOCK, "tie_bot")):
        with pytest.raises(Refused, match=code):
            ties.tie_make(by=ana, about=about, kind=kind)
    ties.tie_make(by=ana, about=house, kind=FOLLOW)


def test_one_has_so_many_and_what_one_has_is_not_refused(
    ana: User, bea: User, carlos: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "MOST", 1)
    ties.tie_make(by=ana, about=bea, kind=MUTE)
    ties.tie_make(by=ana, about=bea, kind=MUTE)
    with pytest.raises(Refused, match="tie_most"):
        ties.tie_make(by=ana, about=carlos, kind=MUTE)


# What others ask


def test_a_block_stands_between_two_whoever_made_it(ana: User, bea: User, carlos: User) -> None:
    ties.tie_make(by=ana, about=bea, kind=BLOCK)
    ties.tie_make(by=ana, about=carlos, kind=MUTE)
    assert ties.blocked_between(ana.pk, bea.pk)
    assert ties.blocked_between(bea.pk, ana.pk)
    assert not ties.blocked_between(ana.pk, carlos.pk)
    assert not ties.blocked_between(None, ana.pk)
    assert ties.blocked_among(bea.pk, [carlos.pk, None, ana.pk])
    assert not ties.blocked_among(bea.pk, [carlos.pk, bea.pk])
    assert [ties.apart_from(one.pk) for one in (ana, bea, carlos)] == [{bea.pk}, {ana.pk}, set()]
    assert ties.apart_from(None) == frozenset()


def test_a_mute_is_one_persons_alone(ana: User, bea: User, carlos: User) -> None:
    ties.tie_make(by=ana, about=bea, kind=MUTE)
    ties.tie_make(by=carlos, about=ana, kind=BLOCK)
    assert [ties.unheard_by(one.pk) for one in (ana, bea, carlos)] == [{bea.pk, carlos.pk}, set(), {ana.pk}]


def test_who_is_blocked_is_so_with_his_bots_and_no_bot_with_its_owner(ana: User, bea: User, carlos: User) -> None:
    bot = User.objects.create(username="engine", is_bot=True, owner=bea)
    ties.tie_make(by=ana, about=bea, kind=BLOCK)
    ties.tie_make(by=carlos, about=bot, kind=BLOCK)
    assert ties.blocked_between(bot.pk, ana.pk)
    assert ties.blocked_between(ana.pk, bot.pk)
    assert not ties.blocked_between(carlos.pk, bea.pk)
    assert ties.apart_from(ana.pk) == {bea.pk, bot.pk}
    assert ties.apart_from(bot.pk) == {ana.pk, carlos.pk}
    assert ties.apart_from(carlos.pk) == {bot.pk}


def test_friends_are_two_who_follow_each_other(ana: User, bea: User, carlos: User) -> None:
    for by, about in ((ana, bea), (bea, ana), (ana, carlos)):
        ties.tie_make(by=by, about=about, kind=FOLLOW)
    assert ties.followed_by(ana.pk) == {bea.pk, carlos.pk}
    assert [ties.friends_of(one.pk) for one in (ana, bea, carlos)] == [{bea.pk}, {ana.pk}, set()]
    found = [(tie.about.username, tie.friend) for tie in ties.ties_of(ana, FOLLOW)]  # type: ignore[attr-defined]
    assert sorted(found) == [("bea", True), ("carlos", False)]
    assert [tie.about for tie in ties.ties_of(ana, FOLLOW, mutual=True)] == [bea]


def test_these_questions_cost_the_same_whatever_there_is(
    django_assert_num_queries: Any, person: Callable[..., User], ana: User, bea: User
) -> None:
    for count in (1, 3):
        for number in range(count):
            ties.tie_make(by=person(f"p{count}{number}"), about=ana, kind=BLOCK)
        with django_assert_num_queries(2):
            ties.blocked_between(ana.pk, bea.pk)
        with django_assert_num_queries(3):
            ties.apart_from(ana.pk)
        with django_assert_num_queries(2):
            ties.counts_of(ana)


# Notes


def test_a_note_is_kept_changed_and_taken_away(ana: User, bea: User) -> None:
    ties.note_write(by=ana, about=bea, text="  Doubles early. \n")
    assert ties.decided_about(ana, bea).note == "Doubles early."
    assert ties.decided_about(bea, ana).note == ""
    ties.note_write(by=ana, about=bea, text="Doubles late.")
    assert PlayerNote.objects.count() == 1
    with pytest.raises(Refused, match="note_long"):
        ties.note_write(by=ana, about=bea, text="x" * 2001)
    ties.note_write(by=ana, about=bea, text=" ")
    assert PlayerNote.objects.count() == 0


def test_what_one_decided_about_another_is_read_in_one_question(
    django_assert_num_queries: Any, ana: User, bea: User
) -> None:
    ties.tie_make(by=ana, about=bea, kind=FOLLOW)
    ties.tie_make(by=bea, about=ana, kind=FOLLOW)
    ties.tie_make(by=ana, about=bea, kind=MUTE)
    with django_assert_num_queries(1):
        found = ties.decided_about(ana, bea)
    assert found == ties.About(muted=True, followed=True, friends=True)
    ties.tie_make(by=bea, about=ana, kind=BLOCK)
    assert ties.decided_about(ana, bea) == ties.About(muted=True)
    assert ties.decided_about(bea, ana) == ties.About(blocked=True)
    assert ties.counts_of(ana) == {"block": 0, "mute": 1, "follow": 0, "friends": 0, "notes": 0}
