"""What two players agree on before a match of draughts: the mode, and whether the most must be taken (D2, D8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Term:
    """One option: a value out of `choices`; `house` says that another than the default is a house rule, unrated."""

    choices: tuple[Any, ...]
    default: Any
    house: bool


SOPLAR, OBLIGATORIA = MODES = ("soplar", "obligatoria")
TERMS = {
    "mode": Term(MODES, SOPLAR, house=False),
    "ley_cantidad": Term((False, True), False, house=True),
}


@dataclass(frozen=True, slots=True)
class Law:
    """The options of one match.

    `mode`: ``soplar`` - who does not take can be huffed; ``obligatoria`` - taking is compulsory (D8).
    `ley_cantidad`: of several captures one that takes the most must be played (D2).
    """

    mode: str = SOPLAR
    ley_cantidad: bool = False

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The law that these options choose, defaults for the rest. Raises `ValueError` for a value that is none."""
        chosen = {key: options.get(key, term.default) for key, term in TERMS.items()}
        for key, value in chosen.items():
            if not any(
                value is choice or (value == choice and isinstance(value, str)) for choice in TERMS[key].choices
            ):
                raise ValueError(f"{key} must be one of {', '.join(map(str, TERMS[key].choices))}, not {value!r}")
        return cls(**chosen)
