"""Measure the pages that grow with a site: `python -m tools.bench.pages` (make bench-pages), after `make seed-large`.

Requests each page as its busiest player does, on the database of TABLERO_VAR or DATABASE_URL. Prints milliseconds (wall
clock, and processor time of this process, which a busy machine does not disturb), queries, size, and with `--plans` the
query plans. The exit status is 1 if a page is too slow or makes too many queries.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from asgiref.sync import async_to_sync

MOST_MS = 100
MOST_QUERIES = 15
LARGE = 1 << 20  # bytes: a download is measured once, and each MiB of it may take as long as a page
Query = tuple[str, Any]


@dataclass
class Figures:
    """What one page cost."""

    name: str
    path: str
    status: int
    wall: list[float]
    own: list[float]
    size: int
    queries: list[Query]

    @property
    def line(self) -> str:
        wrong = "" if self.good else f"  <- {self.status if self.status != 200 else 'too slow or too many'}"
        median, own = statistics.median(self.wall), statistics.median(self.own)
        return (
            f"{self.name[:44]:44} {median:7.0f} {max(self.wall):6.0f} {own:6.0f} {len(self.queries):8} "
            f"{self.size // 1024:5}{wrong}"
        )

    @property
    def good(self) -> bool:
        most_ms = MOST_MS * max(1, self.size / LARGE)
        return self.status == 200 and statistics.median(self.wall) < most_ms and len(self.queries) <= MOST_QUERIES


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--plans", action="store_true", help="the plans of all queries of each page")
    parser.add_argument("--only", default="", help="pages whose name has this")
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "backgammon.settings"
    os.environ["STATICFILES_BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    os.environ["LOG_LEVEL"] = "ERROR"
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection

    # Not the test environment: that one copies the context of each template, which takes longer than most pages.
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    print(f"{connection.vendor}: {sizes()}")
    print(f"{'page':44} {'median':>7} {'most':>6} {'own':>6} {'queries':>8} {'KiB':>5}", flush=True)
    found = []
    for name, path, user in pages():
        if options.only in name:
            found.append(measured(name, path, user, options.times))
            print(found[-1].line, flush=True)
    if options.plans:
        for each in found:
            print(f"\n{each.name}: {each.path}")
            for line in plans(each.queries):
                print(f"  {line}")
    return 0 if all(each.good for each in found) else 1


def sizes() -> str:
    from accounts.models import User
    from games.models import Action, Match

    return f"{Match.objects.count()} matches, {Action.objects.count()} actions, {User.objects.count()} players"


def pages() -> Iterator[tuple[str, str, Any]]:
    """Return name, URL and viewer of each page; those whose URL does not exist are left out."""
    from django.db.models import Count
    from django.urls import NoReverseMatch, reverse

    from accounts.models import User
    from games.models import Match, Seat
    from games.selectors.history import Cursor

    busy = Seat.objects.exclude(user=None).values("user").annotate(n=Count("pk")).order_by("-n")
    player, opponent = (User.objects.get(pk=row["user"]) for row in busy[:2])
    over = Match.objects.filter(status="over")
    newest = over.order_by("-ended_at", "-pk")
    deep = newest.values_list("ended_at", "length", "pk")[max(0, over.count() - 26)]
    own = over.filter(seats__user=player).order_by("-ended_at")
    middle = list(own.values_list("ended_at", "length", "pk")[1500:1501])
    event = over.exclude(from_url="").values_list("from_url", flat=True)[0]
    usual = over.filter(variant="backgammon", length=5).order_by("ended_at")[7]
    longest = over.order_by("-version")[0]
    player_name, opponent_name = player.username, opponent.username

    def page(name: str, route: str, *args: Any, query: str = "", user: Any = player) -> Iterator[tuple[str, str, Any]]:
        try:
            yield name, reverse(route, args=args) + (f"?{query}" if query else ""), user
        except NoReverseMatch:
            return

    yield from page("lobby", "lobby")
    yield from page("lobby of a passer-by", "lobby", user=None)
    filters = (
        *(
            "",
            f"rival={opponent_name}",
            f"rival={opponent_name[:3]}",
            "variant=damas",
            "length=11",
            "longer=7",
            "result=won",
            "result=level",
        ),
        *("event=Cup 7", f"event={event}", "since=2024-03-01&until=2024-03-07", "pace=correspondence", "rated=no"),
        *("ended=flag", "tag=prime", "favourite=on", "noted=on", "sort=oldest", "sort=longest"),
        "variant=damas&ended=flag&length=3&rated=no&tag=prime",
    )
    for query in filters:
        yield from page(f"history {query}", "history", query=query)
    yield from page("history, page 61", "history", query=f"after={Cursor(*middle[0])}" if middle else "")
    for query in (q for q in filters if not re.search("tag=|favourite|noted|rival|result", q)):
        yield from page(f"matches {query}", "matches", query=query, user=None)
    yield from page(
        "matches variant=damas&ended=flag&le", "matches", query="variant=damas&ended=flag&length=2&rated=no"
    )
    yield from page(f"matches player={player_name}", "matches", query=f"player={player_name}")
    yield from page("matches of two", "matches", query=f"player={player_name}&rival={opponent_name}&result=won")
    yield from page("matches, page 4000", "matches", query=f"after={Cursor(*deep)}")
    yield from page("matches, longest, page 4000", "matches", query=f"after={Cursor(*deep)}&sort=longest")
    yield from page("player", "player", player_name)
    yield from page("statistics", "player-statistics", player_name)
    yield from page("head to head", "player-against", player_name, opponent_name)
    yield from page("ratings of a player", "player-rating", player_name, "backgammon", "live")
    yield from page("players", "players")
    yield from page("players, searched", "players", query="q=ana")
    yield from page("ratings", "ratings")
    yield from page("a pool", "ratings-pool", "backgammon", "live")
    yield from page("the log of a pool", "ratings-log", "backgammon", "live")
    yield from page("ladders", "ladders")
    yield from page("tournaments", "tournaments")
    yield from page("match, replay", "match", usual.pk)
    yield from page(f"match, {longest.version} actions", "match", longest.pk)
    yield from page("match, its last game", "match-game", longest.pk, longest.games.count())
    yield from page("match, its dice", "match-dice-numbers", longest.pk)
    yield from page("dice", "dice")
    yield from page("archive", "archive")


async def drained(answer: Any) -> int:
    """Return the bytes of a streaming response."""
    return sum([len(chunk) async for chunk in answer.streaming_content])


def measured(name: str, path: str, user: Any, times: int) -> Figures:
    from django.db import connection
    from django.test import Client

    from accounts.users.services import BACKEND

    client = Client(SERVER_NAME="localhost")
    if user is not None:
        client.force_login(user, backend=BACKEND)

    def ask() -> tuple[int, int]:
        answer = client.get(path)
        if not answer.streaming:
            return answer.status_code, len(answer.content)
        return answer.status_code, async_to_sync(drained)(answer) if answer.is_async else len(answer.getvalue())

    status, size = ask()  # templates are read once
    gc.collect()
    gc.freeze()  # as the web process does: else what other pages left is looked through again and again
    queries: list[Query] = []

    def noted(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
        queries.append((sql, params))
        return execute(sql, params, *rest)

    with connection.execute_wrapper(noted):
        ask()
    wall, own = [], []
    for _ in range(times if size < LARGE else 1):
        started, worked = time.perf_counter(), time.process_time()
        ask()
        wall.append(1000 * (time.perf_counter() - started))
        own.append(1000 * (time.process_time() - worked))
    return Figures(name, path, status, wall, own, size, queries)


def plans(queries: list[Query]) -> Iterator[str]:
    """Return the query plan of each query."""
    from django.db import connection

    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    for sql, params in queries:
        if not sql.startswith("SELECT"):
            continue
        yield re.sub(r'SELECT (DISTINCT )?.*? FROM "', r'SELECT \1... FROM "', sql, count=1)[:400]
        with connection.cursor() as cursor:
            cursor.execute(f"{explain} {sql}", params)
            for row in cursor.fetchall():
                yield f"    {row[-1]}"


if __name__ == "__main__":
    sys.exit(main())
