"""Calls to the workers of the analysis, and its news, after the commit. A lost call costs nothing: a sweep calls."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction

from analysis import signals

log = logging.getLogger(__name__)

QUEUE = "analysis"
EXPIRES = 3600  # seconds; the sweep has called again long before


def report_requested(report_id: int) -> None:
    """Ask a worker to make a report."""
    task_requested("analysis.tasks.report_make", report_id)


def report_made(report_id: int) -> None:
    """A report is ready."""
    transaction.on_commit(lambda: _announce(report_id))


def task_requested(task: str, about: int) -> None:
    """Ask a worker of the analysis for a task about a row."""
    transaction.on_commit(lambda: _enqueue(task, about))


def _announce(report_id: int) -> None:
    for receiver, error in signals.report_made.send_robust(sender=None, report_id=report_id):
        if isinstance(error, Exception):
            log.error("report %s: receiver %s failed", report_id, receiver, exc_info=error)


def _enqueue(task: str, about: int) -> None:
    try:
        current_app.send_task(task, args=[about], queue=QUEUE, expires=EXPIRES, ignore_result=True)
    except Exception as error:  # a sweep calls again
        log.warning("no broker to call %s for %s: %s", task, about, error)
