"""The labels of the kinds of events."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KINDS: dict[str, str | Promise] = {
    "match.created": _("A match of yours is offered or arranged"),
    "match.started": _("A match starts"),
    "match.acted": _("A player moves, rolls or doubles"),
    "match.finished": _("A match ends"),
    "match.cancelled": _("A match is cancelled"),
    "challenge": _("Someone challenges you"),
    "tournament.opened": _("A tournament is announced"),
    "tournament.started": _("A tournament starts"),
    "tournament.round": _("A round starts"),
    "tournament.result": _("A tournament result is recorded"),
    "tournament.finished": _("A tournament ends"),
    "tournament.cancelled": _("A tournament is cancelled"),
    "tournament.changed": _("Any other change to a tournament"),
    "desk.entry": _("Director's desk: a player enters, checks in or withdraws"),
    "desk.report": _("Director's desk: a result is reported or disputed"),
    "desk.alert": _("Director's desk: a director is needed"),
    "ladder.challenge": _("A ladder challenge is made, answered or decided"),
    "ladder.changed": _("Any change on a ladder"),
    "notice": _("You get a notification"),
}
