"""What kinds of events are called where somebody chooses among them."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KINDS: dict[str, str | Promise] = {
    "match.created": _("A match of mine is offered or arranged"),
    "match.started": _("A match begins"),
    "match.acted": _("Somebody has moved, rolled or doubled"),
    "match.finished": _("A match is over"),
    "match.cancelled": _("A match does not come about"),
    "challenge": _("Somebody challenges me"),
    "tournament.opened": _("A tournament is announced"),
    "tournament.started": _("A tournament begins"),
    "tournament.round": _("A round opens"),
    "tournament.result": _("A result in a tournament"),
    "tournament.finished": _("A tournament is over"),
    "tournament.cancelled": _("A tournament does not take place"),
    "tournament.changed": _("Anything else about a tournament"),
    "desk.entry": _("At a desk: somebody enters, comes or leaves"),
    "desk.report": _("At a desk: a result is reported or disputed"),
    "desk.alert": _("At a desk: a director is needed"),
    "ladder.challenge": _("Somebody is called on a ladder, and what becomes of it"),
    "ladder.changed": _("Anything that changes on a ladder"),
    "notice": _("I get a notice"),
}
