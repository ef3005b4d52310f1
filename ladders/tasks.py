"""Celery tasks of ladders: deadlines that pass without anybody's click."""

from __future__ import annotations

from celery import shared_task

from games.database import now
from games.services import outage
from ladders import services


@shared_task
def sweep_ladders() -> int:
    """Carry out the deadlines of ladders, and count the results that were missed.

    Does nothing while nobody can act: that silence of the sweep is what a ladder gives back afterwards (L9).
    """
    return services.sweep() if outage.site_is_alive(now()) else 0
