"""What the views of this API share with those of the apps above: lists by the address, and the fields of queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import TextChoices
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers


def choice(values: Iterable[str] | type[TextChoices], about: str = "", **more: Any) -> serializers.ChoiceField:
    """One of these words."""
    words = [word for word, _name in values.choices] if isinstance(values, type) else list(values)
    return serializers.ChoiceField(choices=[(word, word) for word in words], help_text=about, **more)


def asked(values: Iterable[str] | type[TextChoices], about: str) -> serializers.ChoiceField:
    """One of these words, or nothing, in a query."""
    return choice(values, about, required=False)


def text(about: str, most: int = 80) -> serializers.CharField:
    """Some text of a query."""
    return serializers.CharField(required=False, max_length=most, help_text=about)


def whole(about: str, least: int = 0, most: int = 2**31 - 1, **more: Any) -> serializers.IntegerField:
    """A whole number of a query."""
    return serializers.IntegerField(min_value=least, max_value=most, help_text=about, **{"required": False, **more})


REFUSAL = {"$ref": "#/components/schemas/Refusal"}


def cannot(description: str = "It cannot be: `code` says why.") -> dict[int, OpenApiResponse]:
    """Says of a method that it can be refused: for one that reads, or where more has to be said."""
    return {409: OpenApiResponse(REFUSAL, description=description)}


def none_such(description: str = "What the body names is not there.") -> dict[int, OpenApiResponse]:
    """Says of a method that its body names things: there may be none."""
    return {404: OpenApiResponse(REFUSAL, description=description)}


def shown(shape: type[serializers.Serializer[Any]], rows: Iterable[Any]) -> list[Any]:
    """Rows as a serializer tells them."""
    told: list[Any] = list(shape(rows, many=True).data)
    return told
