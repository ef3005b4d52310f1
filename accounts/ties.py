"""Blocks, mutes, following and private notes: the only writer of them, and what others ask before they let two meet.

Everything here is asked by ids, so that sockets and other apps need no rows. What a block does in each app is told in
docs/people.md; who is blocked is so with the bots that he brings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone as clock

from accounts.errors import Refused
from accounts.models import PlayerNote, Tie, User
from accounts.signals import ties_changed

MOST = 1000
"""Ties of one kind that a person can have."""
LONGEST_NOTE = 2000
BLOCK, MUTE, FOLLOW = Tie.Kind.BLOCK, Tie.Kind.MUTE, Tie.Kind.FOLLOW


def tie_make(*, by: User, about: User, kind: str) -> Tie:
    """Block, mute or follow somebody; twice is once. A block ends the following on both sides.

    Raises Refused: ``tie_self``, ``tie_kind``, ``tie_bot`` (the house's bots cannot be blocked), ``tie_most``, and
    ``tie_blocked`` when one follows somebody whom a block stands between.
    """
    if kind not in Tie.Kind.values:
        raise Refused("tie_kind")
    if by.pk == about.pk:
        raise Refused("tie_self")
    if about.is_house_bot and kind != FOLLOW:
        raise Refused("tie_bot")
    with transaction.atomic():
        _lock(by, about)
        if (tie := Tie.objects.filter(by=by, about=about, kind=kind).first()) is not None:
            return tie
        if Tie.objects.filter(by=by, kind=kind).count() >= MOST:
            raise Refused("tie_most", params={"most": MOST})
        if kind == FOLLOW and blocked_between(by.pk, about.pk):
            raise Refused("tie_blocked")
        tie = Tie.objects.create(by=by, about=about, kind=kind)
        if kind == BLOCK:
            Tie.objects.filter(Q(by=by, about=about) | Q(by=about, about=by), kind=FOLLOW).delete()
        ties_changed.send(sender=Tie, by_id=by.pk, about_id=about.pk, kind=kind, tied=True)
    return tie


def tie_cut(*, by: User, about: User, kind: str) -> None:
    """Take a block, a mute or a following back; where there is none nothing happens."""
    with transaction.atomic():
        _lock(by, about)
        gone, _ = Tie.objects.filter(by=by, about=about, kind=kind).delete()
        if gone:
            ties_changed.send(sender=Tie, by_id=by.pk, about_id=about.pk, kind=kind, tied=False)


def note_write(*, by: User, about: User, text: str) -> PlayerNote | None:
    """Keep what `by` notes about a player; an empty text takes the note away. Raises Refused ``note_long``."""
    text = text.strip()
    if len(text) > LONGEST_NOTE:
        raise Refused("note_long", params={"most": LONGEST_NOTE})
    if not text:
        PlayerNote.objects.filter(by=by, about=about).delete()
        return None
    note, _ = PlayerNote.objects.update_or_create(by=by, about=about, defaults={"text": text, "at": clock.now()})
    return note


def _lock(one: User, other: User) -> None:
    """Let what two people decide about each other at the same moment come one after the other.

    Otherwise a following could slip in beside a block. The lock leaves rows alone that only name them.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk__in=(one.pk, other.pk)).order_by("pk").values("pk"))


# What others ask


def blocked_between(one: int | None, other: int | None) -> bool:
    """Whether either of the two has blocked the other; a visitor without account (None) is blocked by nobody."""
    return blocked_among(one, [other])


def blocked_among(user_id: int | None, people: Iterable[int | None]) -> bool:
    """Whether a block stands between a user and one of these people, whoever made it."""
    others = {one for one in people if one} - {user_id}
    if user_id is None or not others:
        return False
    owners = _owners({user_id, *others})
    mine = {user_id, owners.get(user_id)} - {None}
    theirs = {*others, *(owners[one] for one in others if one in owners)}
    return Tie.objects.filter(Q(by__in=mine, about__in=theirs) | Q(by__in=theirs, about__in=mine), kind=BLOCK).exists()


def apart_from(user_id: int | None) -> frozenset[int]:
    """Everybody whom a block stands between him and, whoever made it."""
    if user_id is None:
        return frozenset()
    mine = {user_id, *_owners({user_id}).values()}
    found = Tie.objects.filter(Q(by__in=mine) | Q(about__in=mine), kind=BLOCK).values_list("by", "about")
    apart = frozenset(one for pair in found for one in pair) - mine
    bots = User.objects.filter(owner__in=apart).values_list("pk", flat=True) if apart else ()
    return apart | frozenset(bots)


def _owners(people: Iterable[int]) -> dict[int, int]:
    """Who brought those of these people that are bots."""
    return dict(User.objects.filter(pk__in=people, owner__isnull=False).values_list("pk", "owner"))  # type: ignore[arg-type]


def unheard_by(user_id: int | None) -> frozenset[int]:
    """Everybody whose talk he does not get: those he muted, and those whom a block stands between."""
    if user_id is None:
        return frozenset()
    muted = Tie.objects.filter(by=user_id, kind=MUTE).values_list("about", flat=True)
    return apart_from(user_id) | frozenset(muted)


def followed_by(user_id: int) -> frozenset[int]:
    """Whom he follows."""
    return frozenset(Tie.objects.filter(by=user_id, kind=FOLLOW).values_list("about", flat=True))


def friends_of(user_id: int) -> frozenset[int]:
    """Those who follow him and whom he follows."""
    back = Tie.objects.filter(about=user_id, kind=FOLLOW, by__in=followed_by(user_id))
    return frozenset(back.values_list("by", flat=True))


# What he himself sees


@dataclass(frozen=True, slots=True)
class About:
    """What one person decided about another, as his page shows it to him alone. `friends`: they follow each other."""

    blocked: bool = False
    muted: bool = False
    followed: bool = False
    friends: bool = False
    note: str = ""


def decided_about(by: User, other: User) -> About:
    """What `by` decided about `other`, and his note, in one query."""
    mine = Tie.objects.filter(by=by, about=other)
    asked = User.objects.filter(pk=other.pk).values(
        blocked=Exists(mine.filter(kind=BLOCK)),
        muted=Exists(mine.filter(kind=MUTE)),
        followed=Exists(mine.filter(kind=FOLLOW)),
        friends=Exists(mine.filter(kind=FOLLOW)) & Exists(Tie.objects.filter(by=other, about=by, kind=FOLLOW)),
        note=Subquery(PlayerNote.objects.filter(by=by, about=other).values("text")[:1]),
    )
    found = asked.get()
    told = {name: bool(found[name]) for name in ("blocked", "muted", "followed", "friends")}
    return About(note=found["note"] or "", **told)


def ties_of(user: User, kind: str, *, mutual: bool = False) -> QuerySet[Tie]:
    """The people whom `user` blocked, muted or follows, the last first; `friend` where the following is mutual.

    With `mutual` only these.
    """
    back = Exists(Tie.objects.filter(by=OuterRef("about"), about=user, kind=FOLLOW))
    found = Tie.objects.filter(by=user, kind=kind).select_related("about").annotate(friend=back)
    return found.filter(back) if mutual else found


def counts_of(user: User) -> dict[str, int]:
    """How many people `user` blocked, muted, follows (and of them his `friends`), and how many `notes` he has."""
    back = Tie.objects.filter(by=OuterRef("about"), about=user, kind=FOLLOW)
    kinds = {str(kind): Count("pk", filter=Q(kind=kind)) for kind in Tie.Kind.values}
    found = Tie.objects.filter(by=user).annotate(friend=Exists(back))
    counts = found.aggregate(**kinds, friends=Count("pk", filter=Q(kind=FOLLOW, friend=True)))
    return {**counts, "notes": PlayerNote.objects.filter(by=user).count()}


def notes_of(user: User) -> QuerySet[PlayerNote]:
    """What `user` noted about players, the last first."""
    return PlayerNote.objects.filter(by=user).select_related("about").order_by("-at", "-pk")
