"""The forms of the talk."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from talk.models import CaseEvent, Report, Wishes
from talk.services.moderation import SPANS
from talk.services.reports import LONGEST

SPAN_NAMES = {"hour": _("1 hour"), "day": _("1 day"), "week": _("1 week"), "good": _("for good")}
ACT_NAMES = {
    CaseEvent.Act.DISMISS: _("Nothing to do"),
    CaseEvent.Act.REMOVE: _("Remove the message"),
    CaseEvent.Act.WARN: _("Warn"),
    CaseEvent.Act.SILENCE: _("Silence"),
    CaseEvent.Act.LIFT: _("End the silence"),
    CaseEvent.Act.CLOSE: _("Close the account"),
    CaseEvent.Act.REOPEN: _("Open the account again"),
}


class WishesForm(forms.ModelForm):
    """How a person wants to be talked to."""

    level = forms.ChoiceField(label=_("At the table"), choices=Wishes.Level.choices, widget=forms.RadioSelect)

    class Meta:
        model = Wishes
        fields = ("level", "hide_watchers", "announce")


class ReportForm(forms.Form):
    """What went wrong."""

    reason = forms.ChoiceField(label=_("What is it?"), choices=Report.Reason.choices, widget=forms.RadioSelect)
    words = forms.CharField(
        label=_("In your words"), required=False, max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 4})
    )


class CaseForm(forms.Form):
    """What a moderator does in a case, and why. `acts` are those that can be done in it."""

    act = forms.ChoiceField(label=_("What to do"), widget=forms.RadioSelect)
    span = forms.ChoiceField(
        label=_("Silence for how long"),
        required=False,
        initial="day",
        choices=[(key, SPAN_NAMES[key]) for key in SPANS],
        widget=forms.RadioSelect,
    )
    why = forms.CharField(
        label=_("Why"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It is kept in the log. With a warning or a silence the person reads it too."),
    )
    message = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, acts: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["act"].choices = [(act, ACT_NAMES[CaseEvent.Act(act)]) for act in acts]  # type: ignore[attr-defined]
