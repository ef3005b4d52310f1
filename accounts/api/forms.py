"""Validate bodies by the forms of the pages, so that rules and messages stand in one place.

The form is filled in as a browser would submit it: its initial values, with the values of the body over them.
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


def serializer_field(form: type[forms.BaseForm], name: str, **more: Any) -> Any:
    """The serializer field for a form field, with its bounds, label and help text."""
    of: forms.Field = form.base_fields[name]  # type: ignore[attr-defined] # set by the metaclass of forms
    help_text = format_lazy("{}. {}", of.label, of.help_text) if of.help_text else of.label
    more = {"required": False, "help_text": help_text, **more}
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


def read_serializer(
    name: str, body: type[serializers.Serializer[Any]], about: str, **fields: Any
) -> type[serializers.Serializer[Any]]:
    """The serializer for reading what such a body changes: the same fields, all required, and `fields`."""
    copies: dict[str, Any] = {key: deepcopy(f) for key, f in body._declared_fields.items() if key not in fields}
    for copied in copies.values():
        copied.required = copied._kwargs["required"] = True  # REST framework builds the field again from these
    return type(name, (serializers.Serializer,), {"__doc__": about, **copies, **fields})


def form_data(form: forms.BaseForm, values: Mapping[str, Any]) -> dict[str, Any]:
    """The data that a browser would submit for a form, with `values` in its fields."""
    initial = {bound.html_name: bound.value() for bound in form}
    return initial | {name: form.fields[name].prepare_value(value) for name, value in values.items()}


def validated_form(form: _F, body_name: Callable[[str], str] = str) -> _F:
    """The form, if it is valid. Raises Problem ``unfit`` with its errors; `body_name` renames its fields."""
    if not form.is_valid():
        fields: dict[str, list[str]] = {}
        for name, errors in form.errors.items():
            field_name = "" if name == "__all__" else body_name(name)
            fields.setdefault(field_name, []).extend(str(error) for error in errors)
        raise unfit(fields)
    return form


def unfit(fields: Mapping[str, list[str]]) -> Problem:
    """The problem of values that cannot be accepted; `fields` say why."""
    return Problem("unfit", status=409, fields=fields)
