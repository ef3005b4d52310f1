"""The options of a match: which ones a variant has at a length, their choices and their defaults (B12-B16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .cube import CAPS, DEFAULT_CAP, NO_CAP
from .house import House, Money
from .variants import Variant


@dataclass(frozen=True, slots=True)
class Term:
    """One option: its `choices`, its `default`, and whether another value can be a house rule, which is never rated.

    The `harmless` values are none: they never make a difference.
    """

    choices: tuple[Any, ...]
    default: Any
    house: bool = False
    harmless: tuple[Any, ...] = ()

    def is_house_rule(self, value: Any) -> bool:
        """Whether a match with this value is played by a house rule."""
        return self.house and value != self.default and value not in self.harmless


_OFF = Term((False, True), False)
_CUBE = {"cube": Term((True, False), True)}
_CRAWFORD = {"crawford": Term((True, False), True, house=True)}
_HOUSE = {name: Term((False, True), False, house=True) for name in House._fields}
_MONEY = dict.fromkeys(Money._fields, _OFF)


def terms_of(variant: Variant, length: int) -> dict[str, Term]:
    """The options of a match to `length` by key; 0 is a money session (B16), and a 1-point match has no cube (B13)."""
    if not variant.cube:
        return {}
    if length == 1:
        return dict(_HOUSE)
    return _CUBE | {"cube_cap": _cap(length)} | (_CRAWFORD if length else _MONEY) | _HOUSE


def _cap(length: int) -> Term:
    """The limit of the cube. A cube of at least the match length is dead, so that limit is never met (B12, B14)."""
    least = min(length or NO_CAP, NO_CAP)
    return Term(CAPS, DEFAULT_CAP, house=True, harmless=tuple(cap for cap in CAPS if cap >= least))


def agreed(variant: Variant, length: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """All options, each with the value chosen or its default. Raises `ValueError` for an unknown option or value."""
    terms = terms_of(variant, length)
    for name, value in options.items():
        term = terms.get(name)
        if term is None:
            raise ValueError(f"{name} is no option of {variant.key} to {length}")
        if type(value) is not type(term.default) or value not in term.choices:
            raise ValueError(f"{name} must be one of {', '.join(map(str, term.choices))}, not {value!r}")
    return {name: term.default for name, term in terms.items()} | dict(options)
