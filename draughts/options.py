"""The options of a match of draughts: the mode, and whether the largest capture is compulsory (D2, D8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Term:
    """One option: a value out of `choices`; with `house` any value but the default is a house rule and unrated."""

    choices: tuple[Any, ...]
    default: Any
    house: bool

    def is_house_rule(self, value: Any) -> bool:
        """Whether a match with this value is played by a house rule."""
        return self.house and value != self.default


SOPLAR, OBLIGATORIA = MODES = ("soplar", "obligatoria")
TERMS = {
    "mode": Term(MODES, SOPLAR, house=False),
    "ley_cantidad": Term((False, True), False, house=True),
}


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """The options of one match.

    `mode`: ``soplar`` - a piece that did not capture can be huffed; ``obligatoria`` - captures are compulsory (D8).
    `ley_cantidad`: of several captures one that takes the most pieces must be played (D2).
    """

    mode: str = SOPLAR
    ley_cantidad: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Build the options from chosen values and defaults. Raises `ValueError` for an unknown value."""
        values = {key: options.get(key, term.default) for key, term in TERMS.items()}
        for key, value in values.items():
            if not any(
                value is choice or (value == choice and isinstance(value, str)) for choice in TERMS[key].choices
            ):
                raise ValueError(f"{key} must be one of {', '.join(map(str, TERMS[key].choices))}, not {value!r}")
        return cls(**values)
