"""The forms of the records of a weekend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import set_choices
from tournaments.forms.prizes import AmountField
from tournaments.weekend_records import (
    LONGEST_CURRENCY,
    LONGEST_NAME,
    ConsolationShare,
    Content,
    Lot,
    SidePool,
)


@dataclass(frozen=True, slots=True)
class RecordChoices:
    """The people (by the id of an entry) and the tournaments that a record can name."""

    people: list[tuple[Any, str]]
    tournaments: list[tuple[str, str]]


class RecordForm(forms.Form):
    """A record; `row` is what is to be corrected. The ids of its fields begin with its kind and `prefix_id`."""

    type: ClassVar[type[Content]]
    people_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        *args: Any,
        choices: RecordChoices,
        row: Content | None = None,
        prefix_id: int = 0,
        **kwargs: Any,
    ) -> None:
        initial = {each.name: getattr(row, each.name) for each in fields(row)} if row is not None else {}
        kind = next(kind for kind, form in FORMS.items() if isinstance(self, form))
        super().__init__(*args, **{"initial": initial, "auto_id": f"{kind}-{prefix_id}-%s", **kwargs})
        for name in self.people_fields:
            set_choices(self, name, choices.people)
        if "tournament" in self.fields:
            set_choices(self, "tournament", choices.tournaments)

    def content(self) -> Content:
        """What a valid form records."""
        return self.type(**{name: self.cleaned_data[name] for name in self.fields})


class _PeopleField(forms.TypedMultipleChoiceField):
    """Some people of the weekend, as a tuple of the ids of their entries."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(coerce=int, required=False, widget=forms.CheckboxSelectMultiple, **kwargs)

    def clean(self, value: Any) -> Any:
        return tuple(super().clean(value))


def _percent(label: Any, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=100, **more)


class SidePoolForm(RecordForm):
    """A side pool."""

    type = SidePool
    people_fields = ("people", "winners")

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    stake = AmountField(label=_("Stake"))
    currency = forms.CharField(label=_("Currency"), max_length=LONGEST_CURRENCY, required=False)
    people = _PeopleField(label=_("Participants"))
    winners = _PeopleField(label=_("Winners"))


class LotForm(RecordForm):
    """A lot of an auction."""

    type = Lot
    people_fields = ("player",)

    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    buyer = forms.CharField(label=_("Buyer"), max_length=LONGEST_NAME)
    price = AmountField(label=_("Price"))
    currency = forms.CharField(label=_("Currency"), max_length=LONGEST_CURRENCY, required=False)
    share = _percent(_("Share of the pool (%)"), required=False)

    def clean_share(self) -> int:
        return self.cleaned_data["share"] or 0


class ConsolationForm(RecordForm):
    """A consolation share."""

    type = ConsolationShare

    tournament = forms.ChoiceField(label=_("Tournament"))
    percent = _percent(_("Share of the prize fund (%)"))


FORMS: Mapping[str, type[RecordForm]] = {"pool": SidePoolForm, "lot": LotForm, "consolation": ConsolationForm}
