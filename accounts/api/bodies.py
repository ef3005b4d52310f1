"""Parse bodies and queries strictly: exact types, and no unknown fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.fields import empty
from rest_framework.request import Request

from accounts.api.errors import Problem

JSON_TYPES: tuple[tuple[type[serializers.Field], tuple[type, ...]], ...] = (
    (serializers.BooleanField, (bool,)),
    (serializers.IntegerField, (int,)),
    (serializers.FloatField, (int, float)),
    (serializers.CharField, (str,)),
    (serializers.ChoiceField, (str, int, list)),
    (serializers.DateTimeField, (str,)),
    (serializers.DateField, (str,)),
    (serializers.TimeField, (str,)),
    (serializers.ListField, (list,)),
    (serializers.ListSerializer, (list,)),
)
"""The JSON types of a field: REST framework would accept "7" as a number, and 7 as a text."""


def _wrong_type(field: Any, value: object) -> bool:
    for kind, types in JSON_TYPES:
        if isinstance(field, kind):
            if isinstance(value, float) and kind is serializers.IntegerField:
                return not value.is_integer()  # 7.0 is the whole number 7 in JSON
            if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
                return True
            if isinstance(field, serializers.ListField) and isinstance(value, list):
                return any(item is not None and _wrong_type(field.child, item) for item in value)
            return False
    return False


def _unknown(names: Any) -> ValidationError:
    detail = ErrorDetail(str(_("Unknown field.")), code="unknown_field")
    return ValidationError({str(name)[:100]: [detail] for name in names})


class Body(serializers.Serializer[Any]):
    """A JSON body. Values must have the type of their field; unknown fields are refused."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise ValidationError({"": [ErrorDetail(str(_("Send a JSON object.")), code="invalid")]})
        if unknown := data.keys() - self.fields.keys():
            raise _unknown(sorted(map(str, unknown))[:20])
        wrong = {}
        for name, field in self.fields.items():
            value = data.get(name, empty)
            if value is not empty and value is not None and _wrong_type(field, value):
                wrong[name] = [ErrorDetail(str(_("Wrong type.")), code="invalid")]
        if wrong:
            raise ValidationError(wrong)
        return super().to_internal_value(data)


class Query(serializers.Serializer[Any]):
    """A query string: each parameter once, none that is unknown, and values as JSON would write them."""

    def to_internal_value(self, data: Any) -> Any:
        if unknown := data.keys() - self.fields.keys():
            raise _unknown(sorted(unknown)[:20])
        wrong = {}
        for name, values in data.lists():
            if len(values) > 1:
                wrong[name] = [ErrorDetail(str(_("Send this only once.")), code="invalid")]
            elif _is_misread(self.fields[name], values[0]):
                wrong[name] = [ErrorDetail(str(_("Wrong type.")), code="invalid")]
        if wrong:
            raise ValidationError(wrong)
        return super().to_internal_value(data.dict())


WHOLE = re.compile(r"-?[0-9]{1,30}", re.ASCII)


def _is_misread(field: Any, text: str) -> bool:
    """Whether REST framework would accept a text that is no JSON value: `yes`, ` 7.0`."""
    if isinstance(field, serializers.BooleanField):
        return text not in ("true", "false")
    return isinstance(field, serializers.IntegerField) and not WHOLE.fullmatch(text)


class Paged(Query):
    """The parameters of every list: the cursor and the size of a page."""

    cursor = serializers.CharField(required=False, max_length=500, help_text="`next` of the page before.")
    size = serializers.IntegerField(
        required=False, default=50, min_value=1, max_value=200, help_text="How many rows at most."
    )


def body_of(form: type[Body], request: Request) -> dict[str, Any]:
    """The body, parsed by `form`. Raises ValidationError, which is answered 400."""
    serializer = form(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def query_of(form: type[Query], request: Request) -> dict[str, Any]:
    """The query, parsed by `form`. Raises ValidationError, which is answered 400."""
    serializer = form(data=request.query_params)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def valid_pk(number: int) -> int:
    """A primary key in a URL that a row can have. Raises Problem ``nothing_here`` (404) for a greater number."""
    if not 0 < number < 2**63:
        raise Problem("nothing_here", status=404)
    return number
