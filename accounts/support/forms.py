"""The forms of the support; each has a reason."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.support.labels import DURATION_LABELS, PRIVATE_KIND_LABELS
from accounts.support.permissions import MAX_REASON_LENGTH, MIN_REASON_LENGTH, Kind


class ReasonForm(forms.Form):
    """The form of an act that needs nothing but a reason."""

    reason = forms.CharField(
        label=_("Reason"),
        min_length=MIN_REASON_LENGTH,
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It is recorded with your name. The person can read it, but not who wrote it."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name != "reason"] + ["reason"])


class BanForm(ReasonForm):
    span = forms.ChoiceField(label=_("Duration"), choices=list(DURATION_LABELS.items()), widget=forms.RadioSelect)


class RenameForm(ReasonForm):
    name = forms.CharField(label=_("New username"), max_length=24)


class PrivateDataForm(ReasonForm):
    kind = forms.ChoiceField(label=_("Type"), choices=list(PRIVATE_KIND_LABELS.items()), widget=forms.RadioSelect)


class FindByEmailForm(ReasonForm):
    mail = forms.EmailField(label=_("E-mail"))


class MergeForm(ReasonForm):
    """`into` is the primary key of the account that stays; `sure` confirms that the preview was read."""

    into = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    sure = forms.BooleanField(label=_("I have checked what will move, and I understand that this can't be undone."))


class RecordForm(forms.Form):
    """The filters of the activity log."""

    kind = forms.ChoiceField(label=_("Activity"), required=False)
    by = forms.CharField(label=_("Staff member"), required=False, max_length=24)
    about = forms.CharField(label=_("Account"), required=False, max_length=24)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["kind"]).choices = [("", _("All actions")), *Kind.choices]


FORMS: dict[str, type[ReasonForm]] = {Kind.BAN: BanForm, Kind.RENAME: RenameForm, Kind.VIEW: PrivateDataForm}
"""The forms of acts that need more than a reason."""
