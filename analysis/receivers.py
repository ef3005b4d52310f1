"""Receivers of analysis: a finished match starts a report. A lost signal costs nothing: a report can be requested."""

from __future__ import annotations

import logging
from typing import Any

from django.dispatch import receiver

from analysis import services
from analysis.services import tallies
from analysis.signals import report_made
from games.signals import match_finished

log = logging.getLogger(__name__)


@receiver(match_finished)
def request_report(sender: object, match_id: str, **more: Any) -> None:
    """Start a report of a finished match for players who want one of every match."""
    try:
        services.report_after_match(match_id=match_id)
    except Exception:  # the player's own act has been committed and is not to fail; the card can be asked for
        log.exception("match analysis of %s", match_id)


@receiver(report_made)
def count_report(sender: object, report_id: int, **more: Any) -> None:
    """A report is ready: it goes into error rates, puzzles and the trainer. A sweep finds what was missed."""
    tallies.report_count(report_id=report_id)
