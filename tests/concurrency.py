"""Calls that start at the same moment, each in a thread with a connection of its own (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection

from accounts.errors import Refused


def at_once(*jobs: Callable[[], Any], refused: type[Refused] | tuple[()] = ()) -> list[Any]:
    """Return the results in the order of the jobs, or the codes of refusals. Raises any other error."""
    gate = Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        gate.wait(timeout=60)
        try:
            return job()
        except refused as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))
