"""Read relationships between users: blocks, mutes, follows and private notes.

Users are given by primary keys, so that sockets and other apps need no rows. docs/relationships.md says what a block
does in each app; whoever is blocked is so together with their bots.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from accounts.models import PlayerNote, Relationship, User

BLOCK, MUTE, FOLLOW = Relationship.Kind.BLOCK, Relationship.Kind.MUTE, Relationship.Kind.FOLLOW


def blocked_between(user_id: int | None, other_id: int | None) -> bool:
    """Whether either of two users has blocked the other; an anonymous visitor (None) is blocked by nobody."""
    return blocked_among(user_id, [other_id])


def blocked_among(user_id: int | None, people: Iterable[int | None]) -> bool:
    """Whether there is a block between a user and one of these users, on either side."""
    others = {pk for pk in people if pk} - {user_id}
    if user_id is None or not others:
        return False
    owners = _owners({user_id, *others})
    own_ids = {user_id, owners.get(user_id)} - {None}
    other_ids = {*others, *(owners[pk] for pk in others if pk in owners)}
    return Relationship.objects.filter(
        Q(by__in=own_ids, about__in=other_ids) | Q(by__in=other_ids, about__in=own_ids), kind=BLOCK
    ).exists()


def separated_by_block(user_id: int | None) -> frozenset[int]:
    """All users with a block between them and the user, on either side; bots with their owners."""
    if user_id is None:
        return frozenset()
    owner = User.objects.filter(pk=user_id, owner__isnull=False).values("owner")
    own = Q(by=user_id) | Q(by__in=owner) | Q(about=user_id) | Q(about__in=owner)
    blocks = Relationship.objects.filter(own, kind=BLOCK).order_by()
    found = set(blocks.values_list("by", "about", Subquery(owner)))
    own_ids = {user_id, *(owner for _, _, owner in found)}
    separated = frozenset(pk for by, about, _ in found for pk in (by, about)) - own_ids
    bots = User.objects.filter(owner__in=separated).values_list("pk", flat=True) if separated else ()
    return separated | frozenset(bots)


def _owners(people: Iterable[int]) -> dict[int, int]:
    """The owners of those of these users that are bots, by the primary key of the bot."""
    return dict(User.objects.filter(pk__in=people, owner__isnull=False).values_list("pk", "owner"))  # type: ignore[arg-type]


def silenced_for(user_id: int | None) -> frozenset[int]:
    """All users whose messages the user does not see: those they muted, and those with a block between them."""
    if user_id is None:
        return frozenset()
    muted = Relationship.objects.filter(by=user_id, kind=MUTE).values_list("about", flat=True)
    return separated_by_block(user_id) | frozenset(muted)


def followed_ids(user_id: int) -> frozenset[int]:
    """The users that the user follows."""
    return frozenset(Relationship.objects.filter(by=user_id, kind=FOLLOW).values_list("about", flat=True))


def friend_ids(user_id: int) -> frozenset[int]:
    """The users that follow the user and are followed back."""
    back = Relationship.objects.filter(about=user_id, kind=FOLLOW, by__in=followed_ids(user_id))
    return frozenset(back.values_list("by", flat=True))


# For the user themselves


@dataclass(frozen=True, slots=True)
class RelationshipStatus:
    """What a user decided about another, shown to them alone. `friends`: they follow each other."""

    blocked: bool = False
    muted: bool = False
    followed: bool = False
    friends: bool = False
    note: str = ""


def relationship_status(by: User, other: User) -> RelationshipStatus:
    """What `by` decided about `other`, with the note, in one query."""
    own = Relationship.objects.filter(by=by, about=other)
    query = User.objects.filter(pk=other.pk).values(
        blocked=Exists(own.filter(kind=BLOCK)),
        muted=Exists(own.filter(kind=MUTE)),
        followed=Exists(own.filter(kind=FOLLOW)),
        friends=Exists(own.filter(kind=FOLLOW)) & Exists(Relationship.objects.filter(by=other, about=by, kind=FOLLOW)),
        note=Subquery(PlayerNote.objects.filter(by=by, about=other).values("text")[:1]),
    )
    row = query.get()
    flags = {name: bool(row[name]) for name in ("blocked", "muted", "followed", "friends")}
    return RelationshipStatus(note=row["note"] or "", **flags)


def relationships_of(user: User, kind: str, *, mutual: bool = False) -> QuerySet[Relationship]:
    """The relationships of `user` of one kind, the newest first; `friend` where the follow is mutual.

    With `mutual` only these.
    """
    back = Exists(Relationship.objects.filter(by=OuterRef("about"), about=user, kind=FOLLOW))
    found = Relationship.objects.filter(by=user, kind=kind).select_related("about").annotate(friend=back)
    return found.filter(back) if mutual else found


def relationship_counts(user: User) -> dict[str, int]:
    """How many users `user` blocked, muted and follows (of them `friends`), and how many `notes` they have."""
    back = Relationship.objects.filter(by=OuterRef("about"), about=user, kind=FOLLOW)
    kinds = {str(kind): Count("pk", filter=Q(kind=kind)) for kind in Relationship.Kind.values}
    found = Relationship.objects.filter(by=user).annotate(friend=Exists(back))
    counts = found.aggregate(**kinds, friends=Count("pk", filter=Q(kind=FOLLOW, friend=True)))
    return {**counts, "notes": PlayerNote.objects.filter(by=user).count()}


def notes_of(user: User) -> QuerySet[PlayerNote]:
    """The notes of `user` about players, the newest first."""
    return PlayerNote.objects.filter(by=user).select_related("about").order_by("-at", "-pk")
