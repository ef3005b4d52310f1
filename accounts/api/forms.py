"""A body that goes through a form of the site: the API knows no rule that the form knows, and says what the form says.

The form is filled in as a browser would send it back: what it shows, with what was said written into it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, TypeVar

from django import forms
from django.utils.text import format_lazy
from rest_framework import serializers

from accounts.api.errors import Problem

_F = TypeVar("_F", bound=forms.BaseForm)


def field_of(form: type[forms.BaseForm], name: str, **more: Any) -> Any:
    """The field of a body that takes what a field of a form takes: its bounds, and its words for the schema."""
    of: forms.Field = form.base_fields[name]  # type: ignore[attr-defined] # what its metaclass gives it
    words = format_lazy("{}. {}", of.label, of.help_text) if of.help_text else of.label
    more = {"required": False, "help_text": words, **more}
    if isinstance(of, forms.ChoiceField) and "choices" not in more:
        choices: Any = of.choices
        more["choices"] = [key for key, _name in choices]
    if "choices" in more:
        return serializers.ChoiceField(**{**more, "choices": [(key, key) for key in more["choices"]]})
    if isinstance(of, forms.IntegerField) and not isinstance(of, forms.DecimalField):
        bounds: Any = {"min_value": of.min_value, "max_value": of.max_value}
        return serializers.IntegerField(**bounds, **more)
    if isinstance(of, forms.BooleanField):
        return serializers.BooleanField(**more)
    if isinstance(of, forms.DateField):
        return serializers.DateField(**more)
    if isinstance(of, forms.TimeField):
        return serializers.TimeField(**more)
    if isinstance(of, forms.CharField):
        return serializers.CharField(max_length=of.max_length, allow_blank=not of.required, **more)
    raise TypeError(f"{form.__name__}.{name}")


def shown_as(
    name: str, body: type[serializers.Serializer[Any]], about: str, **fields: Any
) -> type[serializers.Serializer[Any]]:
    """What is told of something that such a body changes: the same fields, all of them there, and `fields`."""
    told: dict[str, Any] = {key: deepcopy(one) for key, one in body._declared_fields.items() if key not in fields}
    for one in told.values():
        one.required = one._kwargs["required"] = True  # what a field is made of again, for each serializer
    return type(name, (serializers.Serializer,), {"__doc__": about, **told, **fields})


def filled(form: forms.BaseForm, said: Mapping[str, Any]) -> dict[str, Any]:
    """What a browser sends of a form as it is shown, once `said` was written into its fields."""
    shown = {bound.html_name: bound.value() for bound in form}
    return shown | {name: form.fields[name].prepare_value(value) for name, value in said.items()}


def valid(form: _F, called: Callable[[str], str] = str) -> _F:
    """The form, when all of it fits. Raises Problem ``unfit`` with what it says of each field, which the body calls
    `called` of its name.
    """
    if not form.is_valid():
        fields: dict[str, list[str]] = {}
        for name, errors in form.errors.items():
            where = "" if name == "__all__" else called(name)
            fields.setdefault(where, []).extend(str(one) for one in errors)
        raise unfit(fields)
    return form


def unfit(fields: Mapping[str, list[str]]) -> Problem:
    """Well said, and it does not fit; `fields` say why."""
    return Problem("unfit", status=409, fields=fields)
