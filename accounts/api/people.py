"""A person in an answer: his name, and what he is."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.models import User

KINDS = ("member", "guest", "bot", "former")


class PersonSerializer(serializers.Serializer[Any]):
    """Somebody, by the name that his page has."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)


def person_told(user: User | None) -> dict[str, str] | None:
    """Somebody, or None where nobody is. Nothing is fetched."""
    return None if user is None else {"name": user.username, "kind": kind_of(user)}


def kind_of(user: User) -> str:
    """What he is: who has left is `former`, whatever he was."""
    if user.left_at is not None:
        return "former"
    if user.is_bot:
        return "bot"
    return "guest" if user.is_guest else "member"
