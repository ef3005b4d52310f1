"""The options of a game as a body says them, in a form that has a field for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from accounts.api.forms import unfit

OPTION = "option_"


def option_fields(form: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a form with these options. Raises Problem ``unfit`` for one that the game does not have."""
    wrong = {}
    for key, value in options.items():
        if key not in form.options_of:
            wrong[f"options.{key}"[:100]] = [_("There is no such field.")]
        elif value is None or isinstance(value, bool) != isinstance(form.fields[OPTION + key], forms.BooleanField):
            wrong[f"options.{key}"] = [_("This has another type.")]
    if wrong:
        raise unfit(wrong)
    return {OPTION + key: value for key, value in options.items()}
