"""Fields of queries and bodies, documented refusals, and lists, shared by the API of all apps above games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import TextChoices
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers


def choice(values: Iterable[str] | type[TextChoices], about: str = "", **more: Any) -> serializers.ChoiceField:
    """A field with one of these values."""
    words = [word for word, _name in values.choices] if isinstance(values, type) else list(values)
    return serializers.ChoiceField(choices=[(word, word) for word in words], help_text=about, **more)


def optional_choice(values: Iterable[str] | type[TextChoices], about: str) -> serializers.ChoiceField:
    """An optional query parameter with one of these values."""
    return choice(values, about, required=False)


def optional_text(about: str, most: int = 80) -> serializers.CharField:
    """An optional text parameter of a query."""
    return serializers.CharField(required=False, max_length=most, help_text=about)


def integer(about: str, least: int = 0, most: int = 2**31 - 1, **more: Any) -> serializers.IntegerField:
    """An integer parameter, optional unless `more` says otherwise."""
    return serializers.IntegerField(min_value=least, max_value=most, help_text=about, **{"required": False, **more})


REFUSAL = {"$ref": "#/components/schemas/Refusal"}


def conflict_response(description: str = "Refused: `code` says why.") -> dict[int, OpenApiResponse]:
    """Document that a method may be refused (409): for reads, or where the default text is not enough."""
    return {409: OpenApiResponse(REFUSAL, description=description)}


def not_found_response(description: str = "Something named in the body does not exist.") -> dict[int, OpenApiResponse]:
    """Document that something named in the body may not exist (404)."""
    return {404: OpenApiResponse(REFUSAL, description=description)}


def serialize_many(serializer: type[serializers.Serializer[Any]], rows: Iterable[Any]) -> list[Any]:
    """Serialize rows."""
    data: list[Any] = list(serializer(rows, many=True).data)
    return data
