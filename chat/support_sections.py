"""What `chat` adds to a person's support page: their moderation cases, and accounts closed by moderators."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils import timezone as clock
from django.utils.translation import gettext as _

from accounts.closures.registry import Cause, Closure, closure_reason
from accounts.models import User
from accounts.support.person_sections import Row, Section, section
from chat import moderators
from chat.case_access import visible_cases
from chat.models import Sanction

MOST = 10


@closure_reason
def closed_by_moderators(user: User) -> Iterable[Closure]:
    """An account that moderators closed stays closed until they open it."""
    for sanction in Sanction.objects.filter(user=user, kind=Sanction.Kind.CLOSED, ended_at=None):
        if sanction.holds(clock.now()):
            yield Closure(Cause.MODERATED, sanction.words, sanction.until)


@section
def cases(about: User, viewer: User) -> Iterable[Section]:
    """The cases about a person that the viewer may see, latest first."""
    if not moderators.is_moderator(viewer):
        return
    found = visible_cases(viewer).filter(about=about).order_by("-opened_at", "-pk")[:MOST]
    rows = [
        Row(
            _("Case %(number)s") % {"number": case.pk},
            reverse("case", args=[case.pk]),
            str(case.get_outcome_display() if case.closed_at else _("waiting")),
            case.opened_at,
        )
        for case in found
    ]
    yield Section(_("Moderation cases"), rows)
