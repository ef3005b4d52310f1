"""Reads of the dice: the proofs of recorded rolls, and the transcript of a match."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from games.dice import hands, record
from games.engine import Json
from games.errors import NotFound
from games.models import Action, Match

FIELDS = ("game_number", "actor", "text", "element")


def prove(match: Match, actions: Sequence[Action]) -> None:
    """Fill in the proof of each roll among `actions`, consecutive ones of this match."""
    if match.dice is None or not any(action.actor == "chance" for action in actions):
        return
    before = Action.objects.filter(match=match, n__lt=actions[0].n)
    rolled = before.filter(actor="chance").aggregate(count=Count("n"), last=Max("n"))
    reader = record.Reader(rolled["count"])
    # An opening may have begun before these actions.
    for row in before.filter(n__gt=rolled["last"] or 0).order_by("n").values_list(*FIELDS):
        reader.after(*row)
    for action in actions:
        action.proof = reader.after(action.game_number, action.actor, action.text, action.element)


def transcript_of(match: Match) -> Json:
    """The transcript of the dice rolled so far, or what stands in its place where they have no proof.

    Raises NotFound for a match that has not begun.
    """
    if not match.snapshot:
        raise NotFound
    if match.dice is None:
        return record.no_transcript(match.pk, _("The dice of this match have no proof."))
    rows = Action.objects.filter(match=match).order_by("n").values_list(*FIELDS)
    return record.transcript(match.pk, hands.restore(match.dice), rows)
