"""The fields of a game's options in the form of a tournament."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from games import labels as game_labels
from games.engine import Term
from games.forms import HELP, LABELS
from tournaments.presets import TOURNAMENT_OPTIONS


def option_name(key: str) -> str:
    """The name of the field of a game option, prefixed because keys of options may equal names of other fields."""
    return f"option_{key}"


def default_option(key: str, term: Term) -> Any:
    wanted = TOURNAMENT_OPTIONS.get(key, term.default)
    return wanted if wanted in term.choices else term.default


def option_field(key: str, term: Term) -> forms.Field:
    """The field of one option: a switch, or a choice of its values in their own type."""
    label, help_text = LABELS.get(key, key), HELP.get(key, "")
    if set(term.choices) == {True, False}:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    named = [(choice, game_labels.CHOICES.get(choice, choice)) for choice in term.choices]
    kind: Callable[[Any], Any] = type(term.default)
    return forms.TypedChoiceField(
        label=label,
        help_text=help_text,
        required=False,
        choices=named,
        coerce=kind,
        empty_value=default_option(key, term),
    )
