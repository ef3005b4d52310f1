"""A player's own marks on matches that they played or imported: a favourite, a note, tags."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from django.db import transaction

from accounts.models import User
from accounts.names.validation import fold
from games.database import now
from games.errors import NotFound, Refused
from games.models import Match, MatchMark, MatchTag

MAX_NOTE_LENGTH = 2000
MAX_TAG_LENGTH = 24
MAX_TAGS = 8


def match_mark(
    *,
    match_id: str,
    user: User,
    favourite: bool | None = None,
    note: str | None = None,
    tags: Iterable[str] | None = None,
) -> None:
    """Set the marks that are given and leave the others as they are; empty marks have no row.

    Raises NotFound, Refused("not_over", "not_yours", "note_too_long", "tag_too_long", "too_many_tags").
    """
    names = None if tags is None else _tag_names(tags)
    if note is not None:
        note = note.replace("\r\n", "\n").strip()
        if len(note) > MAX_NOTE_LENGTH:
            raise Refused("note_too_long", params={"most": MAX_NOTE_LENGTH})
    with transaction.atomic():
        _check_own(match_id, user)
        if favourite is not None or note is not None:
            _mark(match_id, user, favourite=favourite, note=note)
        if names is not None:
            current = MatchTag.objects.filter(user=user, match=match_id)
            current.exclude(key__in=names).delete()
            rows = [MatchTag(user=user, match_id=match_id, key=key, name=name) for key, name in names.items()]
            MatchTag.objects.bulk_create(
                rows,
                update_conflicts=True,
                unique_fields=["user", "match", "key"],
                update_fields=["name"],
            )


def _check_own(match_id: str, user: User) -> None:
    match = Match.objects.prefetch_related("seats").filter(pk=match_id).first()
    if match is None:
        raise NotFound
    if match.status != Match.Status.OVER:
        raise Refused("not_over")
    imported = match.from_file and match.creator_id == user.pk
    if not imported and all(seat.user_id != user.pk for seat in match.seats.all()):
        raise Refused("not_yours")


def _mark(match_id: str, user: User, *, favourite: bool | None, note: str | None) -> None:
    values = {"favourite": favourite, "note": note}
    chosen = {key: value for key, value in values.items() if value is not None} | {"changed_at": now()}
    MatchMark.objects.update_or_create(user=user, match_id=match_id, defaults=chosen)
    MatchMark.objects.filter(user=user, match=match_id, favourite=False, note="").delete()


def _tag_names(tags: Iterable[str]) -> dict[str, str]:
    """The tags by their keys, each once, as the player wrote them."""
    found: dict[str, str] = {}
    for tag in tags:
        name = " ".join(unicodedata.normalize("NFKC", tag).split())
        if any(unicodedata.category(letter) in ("Cc", "Cf") for letter in name):
            raise Refused("tag_unreadable")
        if len(name) > MAX_TAG_LENGTH:
            raise Refused("tag_too_long", params={"most": MAX_TAG_LENGTH})
        if name:
            found.setdefault(fold(name), name)
    if len(found) > MAX_TAGS:
        raise Refused("too_many_tags", params={"most": MAX_TAGS})
    return found
