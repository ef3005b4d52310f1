"""Numbers for Prometheus at `/metrics`: what this web process counted, and what the database and the broker know.

Each web process serves its own: scrape every one of them by its own port. What belongs to the whole site (matches,
queues, flags, sweeps) is read when it is asked for, and is the same from all.
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

from accounts.policy import public
from backgammon.ops import pulse
from games.clocks import pace_of
from games.database import now
from games.doors import registry
from games.models import Action, Alive, Match

REQUESTS = Counter("tablero_requests", "Requests answered by this process.", ["view", "status"])
SECONDS = Histogram(
    "tablero_request_seconds",
    "From a request to its answer, in this process.",
    ["view"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
)


def answered(view: str, status: int, seconds: float) -> None:
    """Count one answer, by the name of its view: addresses have names of people in them."""
    REQUESTS.labels(view, status).inc()
    SECONDS.labels(view).observe(seconds)


@public
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers, for who may read them; for all others there is no such page."""
    if not may_read(request):
        return HttpResponseNotFound("not found\n", content_type="text/plain; charset=utf-8")
    return HttpResponse(text(), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def may_read(request: HttpRequest) -> bool:
    """Whether who asks has the token; without one, whether he is on this machine and no proxy stands before us."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if settings.METRICS_TOKEN:
        return hmac.compare_digest(given, settings.METRICS_TOKEN.encode())
    proxied = settings.TRUST_PROXY or "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return not proxied and _is_loopback(request.META.get("REMOTE_ADDR") or "")


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def text() -> bytes:
    """Everything, as Prometheus reads it."""
    site = CollectorRegistry(auto_describe=False)
    site.register(Site())  # type: ignore[arg-type]
    return generate_latest(REGISTRY) + generate_latest(site)


class Site:
    """What is read when it is asked for. What cannot be read is left out, and `tablero_up` says so."""

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("tablero_up", "Whether the database and the broker answer.", labels=["part"])
        for part, read in (("database", self.database), ("broker", self.broker)):
            try:
                found = list(read())
                up.add_metric([part], 1)
            except Exception:
                found = []
                up.add_metric([part], 0)
                connection.close_if_unusable_or_obsolete()
            yield from found
        yield up
        yield from self.process()

    def process(self) -> Iterable[Metric]:
        sockets = GaugeMetricFamily("tablero_sockets", "Open sockets of this process.", labels=["kind"])
        for kind, count in sorted(registry.open_by_kind().items()):
            sockets.add_metric([kind], count)
        yield sockets
        draining = GaugeMetricFamily("tablero_draining", "Whether this process is about to stop.")
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

        overdue = GaugeMetricFamily("tablero_overdue_seconds", "The age of the oldest deadline not carried out.")
        first = Match.objects.filter(flag_at__lt=moment, status=Match.Status.LIVE).aggregate(Min("flag_at"))
        overdue.add_metric([], _seconds(moment - first["flag_at__min"]) if first["flag_at__min"] else 0.0)
        yield overdue

        acts = CounterMetricFamily("tablero_acts", "Actions that were ever recorded: moves, rolls, offers, flags.")
        acts.add_metric([], Action.objects.aggregate(Max("pk"))["pk__max"] or 0)
        yield acts

        heartbeat = GaugeMetricFamily("tablero_heartbeat_age_seconds", "Since a web process said that it lives.")
        if at := Alive.objects.filter(pk=Alive.THE_ROW).values_list("at", flat=True).first():
            heartbeat.add_metric([], _seconds(moment - at))
        yield heartbeat

    def broker(self) -> Iterable[Metric]:
        queues = GaugeMetricFamily("tablero_queue_length", "Tasks that wait for a worker.", labels=["queue"])
        for queue, length in pulse.queues().items():
            queues.add_metric([queue], length)
        yield queues
        ages = GaugeMetricFamily("tablero_sweep_age_seconds", "Since a sweep last ran to its end.", labels=["sweep"])
        for sweep, age in sorted(pulse.sweep_ages().items()):
            ages.add_metric([sweep], age)
        yield ages
        beat = GaugeMetricFamily("tablero_beat_age_seconds", "Since beat last woke a sweep.")
        if (since := pulse.beat_age()) is not None:
            beat.add_metric([], since)
        yield beat
        buckets, total = pulse.lateness()
        late = HistogramMetricFamily(
            "tablero_flag_late_seconds", "How long after its moment each deadline was carried out."
        )
        late.add_metric([], buckets=buckets, sum_value=total)
        yield late


def _by_pace(rows: Iterable[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    """The counts of (status, clock) by (status, live or correspondence); those in play are always named."""
    counts = {(Match.Status.LIVE.value, "live"): 0, (Match.Status.LIVE.value, "correspondence"): 0}
    for status, preset, count in rows:
        key = (status, pace_of(preset))
        counts[key] = counts.get(key, 0) + count
    return counts


def _seconds(span: timedelta) -> float:
    return round(max(0.0, span.total_seconds()), 3)
