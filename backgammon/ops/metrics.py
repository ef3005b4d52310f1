"""Prometheus metrics at `/metrics`: counters of this web process, and figures from the database and the broker.

Each web process serves its own: scrape every one of them by its own port. The figures of the whole site (matches,
queues, flags, sweeps) are read on request and are the same from all.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Count, Max, Min
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from accounts.web.policy import public
from backgammon.ops import task_monitor
from games.clocks import pace_of
from games.connections import registry
from games.database import now
from games.models import Action, Match, SiteHeartbeat

REQUESTS = Counter("tablero_requests", "Responses of this process.", ["view", "status"])
SECONDS = Histogram(
    "tablero_request_seconds",
    "Time from a request to its response, in this process.",
    ["view"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
)


def count_response(view: str, status: int, seconds: float) -> None:
    """Count one response by the name of its view, since paths contain names of people."""
    REQUESTS.labels(view, status).inc()
    SECONDS.labels(view).observe(seconds)


@public
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Serve the metrics to those who may read them, 404 to others."""
    if not may_read(request):
        return HttpResponseNotFound("not found\n", content_type="text/plain; charset=utf-8")
    return HttpResponse(text(), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def may_read(request: HttpRequest) -> bool:
    """Whether the request has METRICS_TOKEN; if none is set, whether it comes from this machine and no proxy."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if settings.METRICS_TOKEN:
        return hmac.compare_digest(token, settings.METRICS_TOKEN.encode())
    proxied = settings.TRUST_PROXY or "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return not proxied and _is_loopback(request.META.get("REMOTE_ADDR") or "")


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def text() -> bytes:
    """Return all metrics in Prometheus' text format."""
    site = CollectorRegistry(auto_describe=False)
    site.register(SiteCollector())  # type: ignore[arg-type]
    return generate_latest(REGISTRY) + generate_latest(site)


class SiteCollector:
    """Collect the figures of the whole site. A part that cannot be read is left out, and `tablero_up` is 0 for it."""

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("tablero_up", "Whether the database and the broker respond.", labels=["part"])
        for part, read in (("database", self.database), ("broker", self.broker)):
            try:
                metrics = list(read())
                up.add_metric([part], 1)
            except Exception:
                metrics = []
                up.add_metric([part], 0)
                connection.close_if_unusable_or_obsolete()
            yield from metrics
        yield up
        yield from self.process()

    def process(self) -> Iterable[Metric]:
        sockets = GaugeMetricFamily("tablero_sockets", "Open sockets of this process.", labels=["kind"])
        for kind, count in sorted(registry.open_by_kind().items()):
            sockets.add_metric([kind], count)
        yield sockets
        draining = GaugeMetricFamily("tablero_draining", "Whether this process is draining before it stops.")
        draining.add_metric([], int(registry.is_closing()))
        yield draining

    def database(self) -> Iterable[Metric]:
        moment = now()
        matches = GaugeMetricFamily("tablero_matches", "Matches that are open or in play.", labels=["status", "pace"])
        live = Match.objects.filter(status__in=(Match.Status.OPEN, Match.Status.LIVE))
        found = live.values_list("status", "clock_preset").annotate(Count("pk")).order_by()
        for (status, pace), count in _by_pace(found).items():
            matches.add_metric([status, pace], count)
        yield matches

        overdue = GaugeMetricFamily("tablero_overdue_seconds", "Age of the oldest overdue deadline.")
        first = Match.objects.filter(flag_at__lt=moment, status=Match.Status.LIVE).aggregate(Min("flag_at"))
        overdue.add_metric([], _seconds(moment - first["flag_at__min"]) if first["flag_at__min"] else 0.0)
        yield overdue

        acts = CounterMetricFamily("tablero_acts", "Actions that were ever recorded: moves, rolls, offers, flags.")
        acts.add_metric([], Action.objects.aggregate(Max("pk"))["pk__max"] or 0)
        yield acts

        heartbeat = GaugeMetricFamily(
            "tablero_heartbeat_age_seconds", "Seconds since the last heartbeat of a web process."
        )
        if at := SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW).values_list("at", flat=True).first():
            heartbeat.add_metric([], _seconds(moment - at))
        yield heartbeat

    def broker(self) -> Iterable[Metric]:
        queues = GaugeMetricFamily("tablero_queue_length", "Tasks that wait for a worker.", labels=["queue"])
        for queue, length in task_monitor.queue_lengths().items():
            queues.add_metric([queue], length)
        yield queues
        ages = GaugeMetricFamily("tablero_sweep_age_seconds", "Seconds since a sweep last finished.", labels=["sweep"])
        for sweep, age in sorted(task_monitor.sweep_ages().items()):
            ages.add_metric([sweep], age)
        yield ages
        beat_age = GaugeMetricFamily("tablero_beat_age_seconds", "Seconds since beat last sent a task.")
        if (since := task_monitor.beat_age()) is not None:
            beat_age.add_metric([], since)
        yield beat_age
        buckets, total = task_monitor.flag_delays()
        late = HistogramMetricFamily("tablero_flag_late_seconds", "Delay of each deadline.")
        late.add_metric([], buckets=buckets, sum_value=total)
        yield late


def _by_pace(rows: Iterable[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    """Group counts of (status, clock) by (status, live or correspondence); matches in play are always included."""
    counts = {(Match.Status.LIVE.value, "live"): 0, (Match.Status.LIVE.value, "correspondence"): 0}
    for status, preset, count in rows:
        key = (status, pace_of(preset))
        counts[key] = counts.get(key, 0) + count
    return counts


def _seconds(duration: timedelta) -> float:
    return round(max(0.0, duration.total_seconds()), 3)
