"""What `talk` tells the support of a person: the cases about him, and what moderators closed."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse
from django.utils import timezone as clock
from django.utils.translation import gettext as _

from accounts.closing import Cause, Closing, closing
from accounts.models import User
from accounts.support.cards import Row, Section, section
from talk import roles
from talk.looking import cases_for
from talk.models import Sanction

MOST = 10


@closing
def closed_by_moderators(user: User) -> Iterable[Closing]:
    """An account that moderators closed stays closed until they open it."""
    for sanction in Sanction.objects.filter(user=user, kind=Sanction.Kind.CLOSED, ended_at=None):
        if sanction.holds(clock.now()):
            yield Closing(Cause.MODERATED, sanction.words, sanction.until)


@section
def cases(about: User, viewer: User) -> Iterable[Section]:
    """The cases about him that the viewer may see, the last first."""
    if not roles.moderates(viewer):
        return
    found = cases_for(viewer).filter(about=about).order_by("-opened_at", "-pk")[:MOST]
    rows = [
        Row(
            _("Case %(number)s") % {"number": case.pk},
            reverse("case", args=[case.pk]),
            str(case.get_outcome_display() if case.closed_at else _("waiting")),
            case.opened_at,
        )
        for case in found
    ]
    yield Section(_("Cases of moderation"), rows)
