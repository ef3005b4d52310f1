"""The form of the prize sheet."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import NumbersField
from tournaments.prizes import MOST_CENTS, MOST_PLACES, MOST_POOLS, MOST_WEIGHT, Pool, Purse
from tournaments.services.prizes import LONGEST_CURRENCY, LONGEST_NAME

HUNDRED = Decimal(100)


class AmountField(forms.DecimalField):
    """An amount of money, in hundredths once it is read."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=0, max_value=MOST_CENTS // 100, decimal_places=2, required=False, **kwargs)
        self.widget.attrs.update(inputmode="decimal", autocomplete="off")

    def clean(self, value: Any) -> Any:
        return int((super().clean(value) or Decimal(0)) * HUNDRED)

    def prepare_value(self, value: Any) -> Any:
        return Decimal(value) / HUNDRED if isinstance(value, int) else value


class PurseForm(forms.Form):
    """The prize sheet: fee, shares, side pools (one more than there are), the weight for master points."""

    fee = AmountField(label=_("Entry fee"))
    currency = forms.CharField(label=_("Currency"), max_length=LONGEST_CURRENCY, required=False)
    added = AmountField(label=_("Added by the club"))
    shares = NumbersField(
        label=_("Percentage for each place"),
        most=MOST_PLACES,
        required=False,
        help_text=_("Starting with first place: 50 30 20. The rest stays with the club."),
    )
    shown = forms.BooleanField(label=_("Show prizes on the tournament page"), required=False)
    weight = forms.IntegerField(
        label=_("Master point weight (in percent)"),
        min_value=0,
        max_value=MOST_WEIGHT,
        help_text=_("100: main event. 0: no master points."),
    )

    def __init__(self, *args: Any, purse: Purse, names: Mapping[int, str], **kwargs: Any) -> None:
        columns = ("fee", "currency", "added", "shares", "shown", "weight")
        kwargs["initial"] = {name: getattr(purse, name) for name in columns}
        super().__init__(*args, **kwargs)
        self.pools = range(min(len(purse.pools) + 1, MOST_POOLS))
        for index in self.pools:
            pool = purse.pools[index] if index < len(purse.pools) else Pool("", 0)
            self.fields[f"pool_{index}_name"] = forms.CharField(
                label=_("Name"), max_length=LONGEST_NAME, required=False, initial=pool.name
            )
            self.fields[f"pool_{index}_stake"] = AmountField(label=_("Stake"), initial=pool.stake)
            self.fields[f"pool_{index}_who"] = forms.TypedMultipleChoiceField(
                label=_("Participants"),
                coerce=int,
                choices=list(names.items()),
                required=False,
                initial=list(pool.entrants),
                widget=forms.CheckboxSelectMultiple,
            )

    @property
    def pool_fields(self) -> list[tuple[Any, Any, Any]]:
        """The three fields of each side pool."""
        return [
            (self[f"pool_{index}_name"], self[f"pool_{index}_stake"], self[f"pool_{index}_who"]) for index in self.pools
        ]

    def purse(self) -> Purse:
        """The purse of a valid form. A side pool without a name is left out."""
        data = self.cleaned_data
        pools = [
            Pool(data[f"pool_{index}_name"], data[f"pool_{index}_stake"], tuple(data[f"pool_{index}_who"]))
            for index in self.pools
            if data[f"pool_{index}_name"]
        ]
        return Purse(
            fee=data["fee"],
            added=data["added"],
            shares=data["shares"],
            currency=data["currency"],
            shown=data["shown"],
            weight=data["weight"],
            pools=tuple(pools),
        )
