"""Quick pairing: a button for each usual length and clock, and the terms that a player chose last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from django import forms

from games import labels
from games.clocks import PRESETS
from games.forms.play import DEFAULT_VARIANT
from games.registry import RULES

LENGTHS = (1, 3, 5, 7)
CLOCKS = ("club", "blitz", "none", "days3")
LAST = "last"
SESSION_KEY = "match_terms"


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of an open game: arguments of `services.match_quick`."""

    variant: str
    length: int
    clock: str
    rated: bool
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pair(self) -> str:
        """The value of the button for these terms; `LAST` where the grid has none."""
        usual = {key: term.default for key, term in RULES[self.variant].terms(self.length).items()}
        plain = self.variant == DEFAULT_VARIANT and {**usual, **self.options} == usual
        return f"{self.length}:{self.clock}" if plain and self.length in LENGTHS and self.clock in CLOCKS else LAST

    @property
    def words(self) -> str:
        """The terms as a list shows them: the game, the length, the clock and what is unusual."""
        unusual = labels.terms(self.variant, self.length, self.options)
        usual = (labels.variant(self.variant), labels.length(self.length), labels.clock(self.clock))
        return " · ".join([*usual, *unusual])


def remember(session: Any, terms: Terms) -> None:
    """Keep the terms for the next visit of this browser."""
    session[SESSION_KEY] = asdict(terms)


def remembered(session: Any) -> Terms | None:
    """The terms that were chosen last, if these games and clocks still exist."""
    kept = session.get(SESSION_KEY)
    terms = Terms(**kept) if kept else None
    return terms if terms and terms.variant in RULES and terms.clock in PRESETS else None


class QuickForm(forms.Form):
    """One click of the grid; `terms()` has the arguments of the service."""

    pair = forms.ChoiceField()
    rated = forms.BooleanField(required=False)

    def __init__(self, *args: Any, last: Terms | None, guest: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.last, self.guest = last, guest
        pairs = [f"{length}:{clock}" for clock in CLOCKS for length in LENGTHS]
        choices = [(key, key) for key in (*pairs, *((LAST,) if last else ()))]
        cast(forms.ChoiceField, self.fields["pair"]).choices = choices

    def rows(self) -> Iterator[tuple[str, list[tuple[int, str]]]]:
        """The grid: each clock with its buttons, as (points, value)."""
        for clock in CLOCKS:
            yield clock, [(length, f"{length}:{clock}") for length in LENGTHS]

    @property
    def chosen(self) -> str:
        """The button of the last terms, or none."""
        return self.last.pair if self.last else ""

    @property
    def rates(self) -> bool:
        """Whether the next game is rated, unless its player says otherwise."""
        return not self.guest and (self.last is None or self.last.rated)

    def terms(self) -> Terms:
        """The chosen terms. A guest's game is never rated, nor one without a length or with house rules."""
        rated = self.cleaned_data["rated"] and not self.guest
        if self.cleaned_data["pair"] == LAST and self.last is not None:
            return Terms(**{**asdict(self.last), "rated": self.last.rated and not self.guest})
        length, clock = self.cleaned_data["pair"].split(":")
        return Terms(DEFAULT_VARIANT, int(length), clock, rated)
