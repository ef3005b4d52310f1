"""Users in answers of the API: name and kind."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.models import User

KINDS = ("member", "guest", "bot", "former")


class PersonSerializer(serializers.Serializer[Any]):
    """A user, by the name of their profile."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)


def serialize_person(user: User | None) -> dict[str, str] | None:
    """The answer for a user, None for None. No query."""
    return None if user is None else {"name": user.username, "kind": kind_of(user)}


def kind_of(user: User) -> str:
    """The kind of a user; a deleted account is `former`, whatever it was."""
    if user.left_at is not None:
        return "former"
    if user.is_bot:
        return "bot"
    return "guest" if user.is_guest else "member"
