"""Measure the page of a big tournament: `python -m tools.bench.tournament_page --players 128 --format double`.

Creates a half-played tournament in an in-memory database, and requests its page as one of its players. Prints the
queries, the milliseconds of the server and the size of the page.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=128)
    parser.add_argument("--format", default="double")
    parser.add_argument("--played", type=float, default=0.5, help="the share of the pairings that have a result")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--profile", action="store_true", help="where the time of one page goes")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import setup_test_environment

    from accounts.users import services as people
    from tests.tournaments.staging import staged

    setup_test_environment(debug=False)
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    connection.creation.create_test_db(verbosity=0)
    tournament = staged(options.format, options.players, played=options.played)
    client = Client()
    client.force_login(tournament.entrants.exclude(user=None)[0].user, backend=people.BACKEND)
    url = f"/tournaments/{tournament.pk}/"
    client.get(url)
    queries: list[str] = []

    def counted(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        queries.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(counted):
        page = client.get(url)
    times, own = [], []
    for _ in range(options.times):
        started, worked = time.perf_counter(), time.process_time()
        assert client.get(url).status_code == 200
        times.append(1000 * (time.perf_counter() - started))
        own.append(1000 * (time.process_time() - worked))
    print(
        f"{options.format}, {options.players} players: {len(queries)} queries, {len(page.content) // 1024} KiB, "
        f"median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms, "
        f"of the processor {statistics.median(own):.0f} ms"
    )
    if options.profile:
        import cProfile
        import pstats

        with cProfile.Profile() as profile:
            client.get(url)
        pstats.Stats(profile).sort_stats("cumulative").print_stats("tournaments|selectors|fold", 30)
    return 0


if __name__ == "__main__":
    sys.exit(main())
