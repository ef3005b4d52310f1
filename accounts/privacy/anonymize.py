"""Replace a person's names by a meaningless one wherever the site wrote them, when their account is deleted."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import Model, QuerySet

from accounts.models import User
from accounts.names.validation import fold

NAME_PREFIX = "player"
BATCH = 500


def unused_name() -> str:
    """A name that says nothing and that nobody has, like `player-48213977`."""
    while True:
        name = f"{NAME_PREFIX}-{secrets.randbelow(9 * 10**7) + 10**7}"
        if not User.objects.filter(name_key=fold(name)).exists():
            return name


@dataclass(frozen=True)
class Anonymizer:
    """Removes one person from texts: `user` is the row as it was, `names` (folded) become `replacement`.

    E-mail addresses are among the names: whatever of them stood in a text goes.
    """

    user: User
    replacement: str
    names: frozenset[str]

    @classmethod
    def for_user(cls, user: User, *, emails: Iterable[str] = ()) -> Anonymizer:
        """The anonymizer of an account that is deleted now, with a new name in the place of its names."""
        full_name = f"{user.first_name} {user.last_name}".strip()
        names = (user.username, user.email, full_name, *emails)
        return cls(user, unused_name(), frozenset(fold(name) for name in names if name.strip()))

    def also_named(self, names: Iterable[str]) -> Anonymizer:
        """The same for more names: those that a director wrote for the person."""
        return replace(self, names=self.names | {fold(name) for name in names if name.strip()})

    def is_name(self, text: str) -> bool:
        """Whether a text is one of the person's names and nothing else, whatever its case."""
        return fold(text) in self.names

    @cached_property
    def _words(self) -> re.Pattern[str]:
        """The names as whole words: `bea` neither in `beata` nor in `bea-2`, which is another's name."""
        either = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True))
        return re.compile(rf"(?<![\w.\-@])(?:{either})(?![\w\-@]|\.\w)", re.IGNORECASE)

    def anonymize_text(self, text: str) -> str:
        """The text with `replacement` in the place of each name."""
        return self.replacement if self.is_name(text) else self._words.sub(self.replacement, text)

    def anonymize_json(self, value: Any, *, keys: Collection[str]) -> Any:
        """The same for JSON: of the texts that stand at these keys, and of no others.

        Somebody may be called `winner` or `played`: the words by which a log is read must stay.
        """
        if isinstance(value, dict):
            return {key: self._anonymize_value(key, inner, keys) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.anonymize_json(item, keys=keys) for item in value]
        return value

    def _anonymize_value(self, key: str, value: Any, keys: Collection[str]) -> Any:
        if isinstance(value, str) and key in keys:
            return self.anonymize_text(value)
        return self.anonymize_json(value, keys=keys)

    def anonymize_column(self, rows: QuerySet[Any], column: str, *, keys: Collection[str] = ()) -> None:
        """Remove the names from a column of these rows, a batch at a time: a text, or JSON with names at `keys`."""
        changed: list[Model] = []
        for row in rows.only("pk", column).order_by("pk").iterator(chunk_size=BATCH):
            before = getattr(row, column)
            after = self.anonymize_text(before) if isinstance(before, str) else self.anonymize_json(before, keys=keys)
            if after != before:
                setattr(row, column, after)
                changed.append(row)
        for start in range(0, len(changed), BATCH):
            rows.model._default_manager.bulk_update(changed[start : start + BATCH], [column])
