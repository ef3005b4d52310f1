"""The forms of chat, reports and moderation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.models import CaseEvent, ChatPreferences, Report
from chat.services.moderation import SPANS
from chat.services.reports import LONGEST

SPAN_NAMES = {"hour": _("1 hour"), "day": _("1 day"), "week": _("1 week"), "good": _("permanent")}
ACT_NAMES = {
    CaseEvent.Act.DISMISS: _("No action"),
    CaseEvent.Act.REMOVE: _("Remove message"),
    CaseEvent.Act.WARN: _("Warn"),
    CaseEvent.Act.SILENCE: _("Mute person"),
    CaseEvent.Act.LIFT: _("Unmute person"),
    CaseEvent.Act.CLOSE: _("Close account"),
    CaseEvent.Act.REOPEN: _("Reopen account"),
}


class ChatPreferencesForm(forms.ModelForm):
    """How a person wants to be talked to."""

    level = forms.ChoiceField(
        label=_("During a match"), choices=ChatPreferences.Level.choices, widget=forms.RadioSelect
    )

    class Meta:
        model = ChatPreferences
        fields = ("level", "hide_watchers", "announce")


class ReportForm(forms.Form):
    """What went wrong."""

    reason = forms.ChoiceField(label=_("Reason"), choices=Report.Reason.choices, widget=forms.RadioSelect)
    words = forms.CharField(
        label=_("Details (optional)"), required=False, max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 4})
    )


class CaseForm(forms.Form):
    """What a moderator does in a case, and why. `acts` are those that can be done in it."""

    act = forms.ChoiceField(label=_("Action"), widget=forms.RadioSelect)
    span = forms.ChoiceField(
        label=_("Mute duration"),
        required=False,
        initial="day",
        choices=[(key, SPAN_NAMES[key]) for key in SPANS],
        widget=forms.RadioSelect,
    )
    why = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Kept in the log. If you warn or mute the person, they see it too."),
    )
    message = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, acts: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["act"].choices = [(act, ACT_NAMES[CaseEvent.Act(act)]) for act in acts]  # type: ignore[attr-defined]
