"""How a worker takes the loss of its broker: it comes back to it, whatever it had in hand."""

from __future__ import annotations

import logging

from celery.worker.consumer import Consumer

log = logging.getLogger(__name__)


class Patient(Consumer):  # type: ignore[misc]
    """Celery's, which ends the worker where messages that no task has begun yet cannot be given back (kombu 5.7).

    Nothing is lost with them: the rows say what is to do, and the sweeps ask again.
    """

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        try:
            super().on_connection_error_after_connected(exc)
        except Exception as error:
            log.warning("what the broker had given was not given back: %s", error)
