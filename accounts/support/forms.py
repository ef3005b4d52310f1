"""The forms of the support. Each has a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.support.acts import LONGEST_WHY, SHORTEST_WHY, Kind
from accounts.support.words import LOOKS, SPANS


class WhyForm(forms.Form):
    """An act that needs nothing but its reason."""

    why = forms.CharField(
        label=_("Reason"),
        min_length=SHORTEST_WHY,
        max_length=LONGEST_WHY,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It is written down with your name. The person can read it, and not who wrote it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "why"] + ["why"])


class BanForm(WhyForm):
    span = forms.ChoiceField(label=_("For how long"), choices=list(SPANS.items()), widget=forms.RadioSelect)


class RenameForm(WhyForm):
    name = forms.CharField(label=_("New name"), max_length=24)


class LookForm(WhyForm):
    what = forms.ChoiceField(label=_("What"), choices=list(LOOKS.items()), widget=forms.RadioSelect)


class FindForm(WhyForm):
    mail = forms.EmailField(label=_("E-mail"))


class MergeForm(WhyForm):
    """`into` is the number of the account that stays; `sure` that its preview was read."""

    into = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    sure = forms.BooleanField(label=_("I have read what moves, and know that it cannot be taken back."))


class RecordForm(forms.Form):
    """What to choose of the record; what is none of these is no choice."""

    kind = forms.ChoiceField(label=_("What was done"), required=False)
    by = forms.CharField(label=_("By whom"), required=False, max_length=24)
    about = forms.CharField(label=_("To whom"), required=False, max_length=24)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = [("", _("Everything")), *Kind.choices]  # type: ignore[attr-defined]


FORMS: dict[str, type[WhyForm]] = {Kind.BAN: BanForm, Kind.RENAME: RenameForm, Kind.LOOK: LookForm}
"""Those that ask for more than a reason."""
