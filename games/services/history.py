"""A player's own marks on the matches that he played or brought in: a star, a note, tags."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from django.db import transaction

from accounts.models import User
from accounts.names import fold
from games.database import now
from games.errors import NotFound, Refused
from games.models import Match, MatchMark, MatchTag

LONGEST_NOTE = 2000
LONGEST_TAG = 24
MOST_TAGS = 8


def match_mark(
    *,
    match_id: str,
    user: User,
    favourite: bool | None = None,
    note: str | None = None,
    tags: Iterable[str] | None = None,
) -> None:
    """Set the marks that are given and leave the others as they are; nothing kept is no row.

    Raises NotFound, Refused("not_over", "not_yours", "note_too_long", "tag_too_long", "too_many_tags").
    """
    words = None if tags is None else _words(tags)
    if note is not None:
        note = note.replace("\r\n", "\n").strip()
        if len(note) > LONGEST_NOTE:
            raise Refused("note_too_long", params={"most": LONGEST_NOTE})
    with transaction.atomic():
        _yours(match_id, user)
        if favourite is not None or note is not None:
            _mark(match_id, user, favourite=favourite, note=note)
        if words is not None:
            mine = MatchTag.objects.filter(user=user, match=match_id)
            mine.exclude(key__in=words).delete()
            rows = [MatchTag(user=user, match_id=match_id, key=key, name=name) for key, name in words.items()]
            MatchTag.objects.bulk_create(
                rows,
                update_conflicts=True,
                unique_fields=["user", "match", "key"],
                update_fields=["name"],
            )


def _yours(match_id: str, user: User) -> None:
    match = Match.objects.prefetch_related("seats").filter(pk=match_id).first()
    if match is None:
        raise NotFound
    if match.status != Match.Status.OVER:
        raise Refused("not_over")
    brought = match.from_file and match.creator_id == user.pk
    if not brought and all(seat.user_id != user.pk for seat in match.seats.all()):
        raise Refused("not_yours")


def _mark(match_id: str, user: User, *, favourite: bool | None, note: str | None) -> None:
    given = {"favourite": favourite, "note": note}
    chosen = {key: value for key, value in given.items() if value is not None} | {"changed_at": now()}
    MatchMark.objects.update_or_create(user=user, match_id=match_id, defaults=chosen)
    MatchMark.objects.filter(user=user, match=match_id, favourite=False, note="").delete()


def _words(tags: Iterable[str]) -> dict[str, str]:
    """The tags by their keys, each once, as the player wrote them."""
    found: dict[str, str] = {}
    for tag in tags:
        word = " ".join(unicodedata.normalize("NFKC", tag).split())
        if any(unicodedata.category(letter) in ("Cc", "Cf") for letter in word):
            raise Refused("tag_unreadable")
        if len(word) > LONGEST_TAG:
            raise Refused("tag_too_long", params={"most": LONGEST_TAG})
        if word:
            found.setdefault(fold(word), word)
    if len(found) > MOST_TAGS:
        raise Refused("too_many_tags", params={"most": MOST_TAGS})
    return found
