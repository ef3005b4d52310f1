"""Block, mute and follow users, and save notes about them. The only writers of relationships and notes."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.utils import timezone as clock

from accounts.errors import Refused
from accounts.models import PlayerNote, Relationship, User
from accounts.relationships.selectors import BLOCK, FOLLOW, blocked_between
from accounts.signals import relationships_changed

MAX_PER_KIND = 1000
"""Relationships of one kind that a user can have."""


MAX_NOTE_LENGTH = 2000


def relationship_create(*, by: User, about: User, kind: str) -> Relationship:
    """Block, mute or follow a user; again changes nothing. A block ends follows on both sides.

    Raises Refused: ``tie_self``, ``tie_kind``, ``tie_bot`` (house bots can only be followed), ``tie_most``, and
    ``tie_blocked`` for following across a block.
    """
    if kind not in Relationship.Kind.values:
        raise Refused("tie_kind")
    if by.pk == about.pk:
        raise Refused("tie_self")
    if about.is_house_bot and kind != FOLLOW:
        raise Refused("tie_bot")
    with transaction.atomic():
        _lock(by, about)
        if (existing := Relationship.objects.filter(by=by, about=about, kind=kind).first()) is not None:
            return existing
        if Relationship.objects.filter(by=by, kind=kind).count() >= MAX_PER_KIND:
            raise Refused("tie_most", params={"most": MAX_PER_KIND})
        if kind == FOLLOW and blocked_between(by.pk, about.pk):
            raise Refused("tie_blocked")
        relationship = Relationship.objects.create(by=by, about=about, kind=kind)
        if kind == BLOCK:
            Relationship.objects.filter(Q(by=by, about=about) | Q(by=about, about=by), kind=FOLLOW).delete()
        relationships_changed.send(sender=Relationship, by_id=by.pk, about_id=about.pk, kind=kind, active=True)
    return relationship


def relationship_delete(*, by: User, about: User, kind: str) -> None:
    """End a block, mute or follow; where there is none nothing happens."""
    with transaction.atomic():
        _lock(by, about)
        deleted, _ = Relationship.objects.filter(by=by, about=about, kind=kind).delete()
        if deleted:
            relationships_changed.send(sender=Relationship, by_id=by.pk, about_id=about.pk, kind=kind, active=False)


def note_save(*, by: User, about: User, text: str) -> PlayerNote | None:
    """Save a private note about a player; an empty text deletes it. Raises Refused ``note_long``."""
    text = text.strip()
    if len(text) > MAX_NOTE_LENGTH:
        raise Refused("note_long", params={"most": MAX_NOTE_LENGTH})
    if not text:
        PlayerNote.objects.filter(by=by, about=about).delete()
        return None
    note, _ = PlayerNote.objects.update_or_create(by=by, about=about, defaults={"text": text, "at": clock.now()})
    return note


def _lock(user: User, other: User) -> None:
    """Serialise changes that two users make to their relationship at the same moment.

    Otherwise a follow could be created beside a block. The lock does not block rows that only refer to the users.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk__in=(user.pk, other.pk)).order_by("pk").values("pk"))
