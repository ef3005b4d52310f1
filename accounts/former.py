"""What stays of somebody who left: a name without meaning, put in the place of his own wherever the site wrote it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import Model, QuerySet

from accounts.models import User
from accounts.names import fold

WORD = "player"
BATCH = 500


def free_name() -> str:
    """A name that says nothing and that nobody has, like `player-48213977`."""
    while True:
        name = f"{WORD}-{secrets.randbelow(9 * 10**7) + 10**7}"
        if not User.objects.filter(name_key=fold(name)).exists():
            return name


@dataclass(frozen=True)
class Leaver:
    """Somebody who leaves: his row as it was, the `names` that he was known by, and the `left` one that stays.

    His e-mail addresses are among the names: whatever of it stood in a text goes.
    """

    user: User
    left: str
    names: frozenset[str]

    @classmethod
    def of(cls, user: User, *, emails: Iterable[str] = ()) -> Leaver:
        full = f"{user.first_name} {user.last_name}".strip()
        names = (user.username, user.email, full, *emails)
        return cls(user, free_name(), frozenset(fold(name) for name in names if name.strip()))

    def known_as(self, names: Iterable[str]) -> Leaver:
        """The same, known by more names: those that a director wrote for him."""
        return replace(self, names=self.names | {fold(name) for name in names if name.strip()})

    def is_his(self, text: str) -> bool:
        """Whether a text is one of his names and nothing else, whatever its case."""
        return fold(text) in self.names

    @cached_property
    def _words(self) -> re.Pattern[str]:
        """His names as whole words: `bea` neither in `beata` nor in `bea-2`, which is another's name."""
        either = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True))
        return re.compile(rf"(?<![\w.\-@])(?:{either})(?![\w\-@]|\.\w)", re.IGNORECASE)

    def without(self, text: str) -> str:
        """A text with what stays of him in the place of his names."""
        return self.left if self.is_his(text) else self._words.sub(self.left, text)

    def mended(self, value: Any, *, at: Collection[str]) -> Any:
        """The same for JSON: of the texts that stand `at` these keys, and of no others.

        Somebody may be called `winner` or `played`: the words by which a log is read must stay.
        """
        if isinstance(value, dict):
            return {key: self._mended_at(key, each, at) for key, each in value.items()}
        if isinstance(value, list):
            return [self.mended(each, at=at) for each in value]
        return value

    def _mended_at(self, key: str, value: Any, at: Collection[str]) -> Any:
        return self.without(value) if isinstance(value, str) and key in at else self.mended(value, at=at)

    def mend(self, rows: QuerySet[Any], column: str, *, at: Collection[str] = ()) -> None:
        """Take his names out of a column of these rows, a batch at a time: a text, or JSON with names `at` keys."""
        changed: list[Model] = []
        for row in rows.only("pk", column).order_by("pk").iterator(chunk_size=BATCH):
            was = getattr(row, column)
            now = self.without(was) if isinstance(was, str) else self.mended(was, at=at)
            if now != was:
                setattr(row, column, now)
                changed.append(row)
        for start in range(0, len(changed), BATCH):
            rows.model._default_manager.bulk_update(changed[start : start + BATCH], [column])
