"""Reads of verifiable dice: the proofs of recorded rolls, and the transcript of a match."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from games.dice import match_dice, transcript
from games.engine import Json
from games.errors import NotFound
from games.models import Action, Match

FIELDS = ("game_number", "actor", "text", "element")


def add_proofs(match: Match, actions: Sequence[Action]) -> None:
    """Fill in the proof of each roll among `actions`, consecutive ones of this match."""
    if match.dice is None or not any(action.actor == "chance" for action in actions):
        return
    before = Action.objects.filter(match=match, n__lt=actions[0].n)
    rolled = before.filter(actor="chance").aggregate(count=Count("n"), last=Max("n"))
    reader = transcript.ProofReader(rolled["count"])
    # An opening roll may have started before these actions.
    for row in before.filter(n__gt=rolled["last"] or 0).order_by("n").values_list(*FIELDS):
        reader.after(*row)
    for action in actions:
        action.proof = reader.after(action.game_number, action.actor, action.text, action.element)


def transcript_of(match: Match) -> Json:
    """The transcript of the dice rolled so far, or a substitute where they have no proof.

    Raises NotFound for a match that has not started.
    """
    if not match.snapshot:
        raise NotFound
    if match.dice is None:
        return transcript.no_transcript(match.pk, _("The dice of this match can't be verified."))
    rows = match.actions.order_by("n").values_list(*FIELDS)
    return transcript.transcript(match.pk, match_dice.restore(match.dice), rows)
