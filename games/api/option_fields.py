"""Convert the options of a request body into the fields of a form that has one field for each option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from accounts.api.forms import unfit

OPTION = "option_"


def option_fields(form: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The form fields of these options. Raises Problem ``unfit`` for an option that the game does not have."""
    errors = {}
    for key, value in options.items():
        if key not in form.options_of:
            errors[f"options.{key}"[:100]] = [_("Unknown field.")]
        elif value is None or isinstance(value, bool) != isinstance(form.fields[OPTION + key], forms.BooleanField):
            errors[f"options.{key}"] = [_("Wrong type.")]
    if errors:
        raise unfit(errors)
    return {OPTION + key: value for key, value in options.items()}
