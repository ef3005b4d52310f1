"""The checks of `manage.py doctor`: database, broker, workers, clocks, settings; each with its own timeout.

Nothing here changes the site: the test of writing to the database is rolled back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core import checks
from django.db import OperationalError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _
from redis import RedisError

from accounts.web import encryption
from backgammon.ops import broker_client, machine_checks, round_trips, task_monitor
from backgammon.ops.checks_report import BAD, Finding, bad, ok, warn
from backgammon.site_files import command
from games.database import now
from games.models import Match, SiteHeartbeat

SLOW_DATABASE, SLOW_BROKER = 20.0, 10.0  # milliseconds, the median of some calls
TRIES = 5
STALE = 30.0  # seconds without a run after which a sweep of every second, or the heartbeat, counts as stopped


def examine() -> Iterator[Finding]:
    """Yield every finding, part by part. A check that fails to run is a finding itself."""
    failed: set[str] = set()
    for part, check in PARTS:
        if missing := sorted(failed & NEEDS.get(part, set())):
            yield warn(part, _("skipped: fix %s first") % ", ".join(missing))
            continue
        try:
            for finding in check():
                failed |= {part} if finding.state == BAD else set()
                yield finding
        except Exception as error:
            failed.add(part)
            yield bad(part, _("the check itself failed: %s") % type(error).__name__, str(error).strip().split("\n")[0])


def check_database() -> Iterator[Finding]:
    """Check the database: engine, version, latency, whether it is writable, size."""
    try:
        connection.ensure_connection()
    except Exception as error:
        advice = _("Is it running, and is DATABASE_URL correct? Error: %s")
        yield bad("database", _("no connection"), advice % str(error).strip().split("\n")[0])
        return
    median = _median(lambda: _query("SELECT 1"))
    fact = _("%(engine)s %(version)s, responds in %(ms).1f ms") % {
        "engine": engine(),
        "version": version(),
        "ms": median,
    }
    yield (
        warn(
            "database",
            fact,
            _("This is slow: every move makes several queries. Is the database far away or overloaded?"),
        )
        if (median > SLOW_DATABASE)
        else ok("database", fact)
    )
    try:
        with transaction.atomic():
            _query("CREATE TABLE tablero_doctor (n integer)")
            transaction.set_rollback(True)
    except OperationalError as error:
        yield bad("database", _("not writable: %s") % error, _("Check its disk space and file permissions."))
    yield ok("database", _("size: %s") % machine_checks.format_bytes(_bytes_of_database()))


def engine() -> str:
    return {"postgresql": "PostgreSQL", "sqlite": "SQLite"}.get(connection.vendor, connection.vendor)


def version() -> str:
    sql = "SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version"
    return str(_query(sql)).split(" ")[0]


def check_migrations() -> Iterator[Finding]:
    """Check that all migrations are applied."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, back in missing[:3])
        advice = _("Stop the site and run: %s") % command("prepare")
        yield bad(
            "migrations",
            _("unapplied migrations: %(count)s (%(names)s)") % {"count": len(missing), "names": names},
            advice,
        )
    else:
        yield ok("migrations", _("the database schema is up to date"))


def check_broker() -> Iterator[Finding]:
    """Check the broker: which one, whether it responds, how fast, its memory policy."""
    client = broker_client.client(settings.REDIS_URL)
    try:
        facts = client.info("server")
        median = _median(client.ping)
    except (RedisError, OSError) as error:
        yield bad("broker", _("no response"), _("Is it running, and is REDIS_URL correct? Error: %s") % error)
        return
    name = "Valkey" if "valkey_version" in facts else "Redis"
    number = facts.get("valkey_version") or facts.get("redis_version")
    fact = _("%(name)s %(version)s, responds in %(ms).1f ms") % {"name": name, "version": number, "ms": median}
    yield (
        warn("broker", fact, _("This is slow: it delays every move on the opponent's screen."))
        if (median > SLOW_BROKER)
        else ok("broker", fact)
    )
    policy = client.config_get("maxmemory-policy") if _may_read_config(client) else {}
    limit = client.config_get("maxmemory") if policy else {}
    if policy and limit.get("maxmemory") not in ("0", None) and policy["maxmemory-policy"] != "noeviction":
        yield warn("broker", _("it discards data when its memory is full"), _("Set maxmemory-policy noeviction."))


def check_channel_layer() -> Iterator[Finding]:
    """Check that a message gets from one process to another."""
    took = round_trips.message_ms()
    if took is None:
        advice = (
            _("Boards do not update live. See broker.")
            if settings.MESSAGES_URL == settings.REDIS_URL
            else _("Boards do not update live. Is MESSAGES_URL correct, and do its nodes respond?")
        )
        yield bad("messages", _("a test message did not get through the broker"), advice)
    else:
        yield ok("messages", _("test message delivered in %.1f ms") % took)


def check_web() -> Iterator[Finding]:
    """Check that a web process writes its heartbeat."""
    at = SiteHeartbeat.objects.filter(pk=SiteHeartbeat.THE_ROW).values_list("at", flat=True).first()
    if at is None:
        yield warn(
            "web", _("no web process has ever used this database"), _("Start the site and run this check again.")
        )
        return
    age = (now() - at).total_seconds()
    if age > STALE:
        fact = _("no web process is running; last heartbeat %s ago") % machine_checks.format_seconds(age)
        yield warn(
            "web", fact, _("Start it, or check its log. Match clocks are stopped until then, and nobody loses time.")
        )
    else:
        yield ok("web", _("a web process is running (heartbeat %.1f s ago)") % age)


def check_sweeps() -> Iterator[Finding]:
    """Check that beat schedules the sweeps, and that workers run them."""
    age = task_monitor.beat_age()
    if age is None or age > STALE:
        fact = (
            _("no signal from beat")
            if age is None
            else _("last signal from beat %s ago") % machine_checks.format_seconds(age)
        )
        yield bad(
            "beat",
            fact,
            _("Start exactly one beat process: without it, nobody loses on time. systemctl status tablero-beat"),
        )
    else:
        yield ok("beat", _("scheduled a task %.1f s ago") % age)
    ages = task_monitor.sweep_ages()
    for sweep, period in task_monitor.sweep_periods().items():
        late = ages.get(sweep)
        if sweep == "games.tasks.sweep_flags":
            if late is None or late > max(STALE, 3 * period):
                fact = (
                    _("match clocks have never been checked")
                    if late is None
                    else _("match clocks were last checked %s ago") % machine_checks.format_seconds(late)
                )
                yield bad("sweeps", fact, _("The worker for the clocks queue is down or too slow. Start another one."))
        elif late is not None and late > max(2 * STALE, 3 * period):
            fact = _("%(sweep)s last ran %(ago)s ago") % {"sweep": sweep, "ago": machine_checks.format_seconds(late)}
            yield warn("sweeps", fact, _("Check the log of the worker for its queue."))
    if (late := ages.get("games.tasks.sweep_flags")) is not None and late <= STALE:
        yield ok("sweeps", _("match clocks were checked %.1f s ago") % late)


def check_flags() -> Iterator[Finding]:
    """Check that no match clock has run out without its match ending."""
    overdue = Match.objects.filter(status=Match.Status.LIVE, flag_at__lt=now()).order_by("flag_at")
    first = overdue.values_list("flag_at", flat=True).first()
    late = (now() - first).total_seconds() if first else 0.0
    if late > STALE:
        yield bad(
            "flags",
            _("a clock ran out %s ago, but the match has not ended") % machine_checks.format_seconds(late),
            _("See beat, sweeps and queues."),
        )
    else:
        yield ok("flags", _("no overdue clocks"))


def check_queues() -> Iterator[Finding]:
    """Check the length of each queue, and that it has a worker."""
    lengths = task_monitor.queue_lengths()
    served = round_trips.queues_by_worker()
    for queue, length in lengths.items():
        names = sorted(name for name, its in served.items() if queue in its)
        fact = _("%(queue)s: %(length)s tasks waiting, workers: %(workers)s") % {
            "queue": queue,
            "length": length,
            "workers": len(names),
        }
        if not names:
            advice = _("Start a worker with -Q %s. If one is running, it may be too busy to respond.") % queue
            yield bad("queues", fact, advice) if queue == "clocks" else warn("queues", fact, advice)
        elif length > LONG_QUEUE:
            yield warn("queues", fact, _("Start another worker for this queue and check its log."))
        else:
            yield ok("queues", fact)


LONG_QUEUE = 100


def check_encryption() -> Iterator[Finding]:
    """Check that encrypted columns can be decrypted: a site restored with another SECRET_KEY looks fine otherwise."""
    lost = [
        (label, total, undecryptable) for label, total, undecryptable in encryption.encryption_status() if undecryptable
    ]
    for label, total, undecryptable in lost:
        params = {"label": label, "closed": undecryptable, "number": total}
        fact = _("%(label)s: %(closed)s of %(number)s cannot be decrypted with this site's keys") % params
        advice = _("Add the previous SECRET_KEY to SECRET_KEY_FALLBACKS. If you no longer have it, see docs/backup.md.")
        yield bad("keys", fact, advice)
    if not lost:
        yield ok("keys", _("all encrypted data can be decrypted"))


def check_settings() -> Iterator[Finding]:
    """Run Django's system checks; with HTTPS also those for deployment."""
    found = checks.run_checks(include_deployment_checks=settings.HTTPS)
    for message in found:
        text = str(message.msg).split("\n")[0]
        if message.level >= checks.ERROR:
            yield bad("settings", f"{message.id}: {text}", message.hint or "")
        elif message.level >= checks.WARNING and not message.is_silenced():
            yield warn("settings", f"{message.id}: {text}", message.hint or "")
    if not found:
        yield ok("settings", _("no problems found"))
    if not settings.HTTPS:
        yield warn(
            "settings", _("HTTPS is off"), _("Use it without HTTPS only on this computer or on a private network.")
        )


def _may_read_config(client: Any) -> bool:
    try:
        client.config_get("maxmemory-policy")
    except RedisError:
        return False
    return True


def _query(sql: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0] if cursor.description else None


def _median(call: Callable[[], object]) -> float:
    """Return the median time of some calls, in milliseconds."""
    times = []
    for _try in range(TRIES):
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)[TRIES // 2]


def _bytes_of_database() -> int:
    if connection.vendor == "postgresql":
        return int(str(_query("SELECT pg_database_size(current_database())")))
    return int(str(_query("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")))


NEEDS = {
    "migrations": {"database"},
    "clock": {"database"},
    "messages": {"broker"},
    "web": {"database", "migrations"},
    "sweeps": {"broker"},
    "flags": {"database", "migrations"},
    "keys": {"database", "migrations"},
    "queues": {"broker"},
}
"""The parts that a part depends on: if one of them fails, it is skipped, so that one problem is reported once."""
Check = Callable[[], Iterator[Finding]]
PARTS: tuple[tuple[str, Check], ...] = (
    ("settings", check_settings),
    ("database", check_database),
    ("migrations", check_migrations),
    ("keys", check_encryption),
    ("clock", machine_checks.check_clock),
    ("broker", check_broker),
    ("messages", check_channel_layer),
    ("web", check_web),
    ("sweeps", check_sweeps),
    ("flags", check_flags),
    ("queues", check_queues),
    ("mail", machine_checks.check_mail),
    ("sign-on", machine_checks.check_single_sign_on),
    ("disk", machine_checks.check_disk),
    ("static", machine_checks.check_static_files),
    ("engine", machine_checks.check_engine),
)
