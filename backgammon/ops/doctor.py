"""A look at everything that a site needs, for `manage.py doctor`: one function a part, each with its own patience.

Nothing here changes the site: the tables are written to in a transaction that is taken back.
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

from accounts import box
from backgammon.ops import broker, machine, pulse, rounds
from backgammon.ops.findings import BAD, Finding, bad, ok, warn
from games.database import now
from games.models import Alive, Match

SLOW_DATABASE, SLOW_BROKER = 20.0, 10.0  # milliseconds, the median of some questions
TRIES = 5
OLD = 30.0  # seconds after which a sweep of each second, or the heartbeat, is gone


def look() -> Iterator[Finding]:
    """Every finding, part by part. What breaks while it looks is a finding itself."""
    away: set[str] = set()
    for part, ask in PARTS:
        if missing := sorted(away & NEEDS.get(part, set())):
            yield warn(part, _("not looked at: see %s") % ", ".join(missing))
            continue
        try:
            for finding in ask():
                away |= {part} if finding.state == BAD else set()
                yield finding
        except Exception as error:
            away.add(part)
            yield bad(part, _("the look at it broke: %s") % type(error).__name__, str(error).strip().split("\n")[0])


def database() -> Iterator[Finding]:
    """Engine, version, latency, whether it can be written, size."""
    try:
        connection.ensure_connection()
    except Exception as error:
        advice = _("Is it running, and is DATABASE_URL right? It says: %s")
        yield bad("database", _("no connection"), advice % str(error).strip().split("\n")[0])
        return
    median = _median(lambda: _one("SELECT 1"))
    fact = _("%(engine)s %(version)s, answers in %(ms).1f ms") % {
        "engine": engine(),
        "version": version(),
        "ms": median,
    }
    yield (
        warn("database", fact, _("That is slow: each move asks it several times. Is it far away or busy?"))
        if (median > SLOW_DATABASE)
        else ok("database", fact)
    )
    try:
        with transaction.atomic():
            _one("CREATE TABLE tablero_doctor (n integer)")
            transaction.set_rollback(True)
    except OperationalError as error:
        yield bad(
            "database", _("it cannot be written: %s") % error, _("Look at its disk and at the rights of its files.")
        )
    yield ok("database", _("%s in it") % machine.size(_bytes_of_database()))


def engine() -> str:
    return {"postgresql": "PostgreSQL", "sqlite": "SQLite"}.get(connection.vendor, connection.vendor)


def version() -> str:
    sql = "SELECT sqlite_version()" if connection.vendor == "sqlite" else "SHOW server_version"
    return str(_one(sql)).split(" ")[0]


def migrations() -> Iterator[Finding]:
    """Whether the tables are those of this code."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, back in missing[:3])
        advice = _("Stop the site and run: manage.py prepare")
        yield bad("migrations", _("%(count)s to do: %(names)s") % {"count": len(missing), "names": names}, advice)
    else:
        yield ok("migrations", _("the tables are those of this version"))


def the_broker() -> Iterator[Finding]:
    """Whether it answers, how fast, which one."""
    client = broker.client(settings.REDIS_URL)
    try:
        facts = client.info("server")
        median = _median(client.ping)
    except (RedisError, OSError) as error:
        yield bad("broker", _("no answer"), _("Is it running, and is REDIS_URL right? It says: %s") % error)
        return
    name = "Valkey" if "valkey_version" in facts else "Redis"
    number = facts.get("valkey_version") or facts.get("redis_version")
    fact = _("%(name)s %(version)s, answers in %(ms).1f ms") % {"name": name, "version": number, "ms": median}
    yield (
        warn("broker", fact, _("That is slow: it stands between a move and the rival's screen."))
        if (median > SLOW_BROKER)
        else ok("broker", fact)
    )
    policy = client.config_get("maxmemory-policy") if _may_config(client) else {}
    limit = client.config_get("maxmemory") if policy else {}
    if policy and limit.get("maxmemory") not in ("0", None) and policy["maxmemory-policy"] != "noeviction":
        yield warn("broker", _("it throws things away when its memory is full"), _("Set maxmemory-policy noeviction."))


def layer() -> Iterator[Finding]:
    """A message from one process to another, there and back."""
    took = rounds.message()
    if took is None:
        yield bad(
            "messages", _("a message did not come through the broker"), _("Pages do not follow play. See broker.")
        )
    else:
        yield ok("messages", _("from process to process in %.1f ms") % took)


def web() -> Iterator[Finding]:
    """Whether some web process says that it lives."""
    at = Alive.objects.filter(pk=Alive.THE_ROW).values_list("at", flat=True).first()
    if at is None:
        yield warn("web", _("no web process has ever run on this database"), _("Start the site, and look again."))
        return
    age = (now() - at).total_seconds()
    if age > OLD:
        fact = _("no web process lives; the last heartbeat was %s ago") % machine.span(age)
        yield warn("web", fact, _("Start it, or see its log. Clocks stand meanwhile, and get their time back."))
    else:
        yield ok("web", _("a web process lives (heartbeat %.1f s ago)") % age)


def sweeps() -> Iterator[Finding]:
    """Whether beat wakes the sweeps, and workers carry them out."""
    age = pulse.beat_age()
    if age is None or age > OLD:
        fact = (
            _("beat has not been heard of") if age is None else _("beat was last heard of %s ago") % machine.span(age)
        )
        yield bad("beat", fact, _("Start exactly one: it wakes what makes flags fall. systemctl status tablero-beat"))
    else:
        yield ok("beat", _("woke a sweep %.1f s ago") % age)
    ages = pulse.sweep_ages()
    for sweep, period in pulse.expected().items():
        late = ages.get(sweep)
        if sweep == "games.tasks.sweep_flags":
            if late is None or late > max(OLD, 3 * period):
                fact = (
                    _("flags were never looked for")
                    if late is None
                    else _("flags were last looked for %s ago") % machine.span(late)
                )
                yield bad("sweeps", fact, _("The worker of the queue clocks is gone or too slow: start another one."))
        elif late is not None and late > max(2 * OLD, 3 * period):
            fact = _("%(sweep)s last ran %(ago)s ago") % {"sweep": sweep, "ago": machine.span(late)}
            yield warn("sweeps", fact, _("Look at the log of the worker of its queue."))
    if (late := ages.get("games.tasks.sweep_flags")) is not None and late <= OLD:
        yield ok("sweeps", _("flags were looked for %.1f s ago") % late)


def flags() -> Iterator[Finding]:
    """Whether a deadline has passed that nobody carried out."""
    overdue = Match.objects.filter(status=Match.Status.LIVE, flag_at__lt=now()).order_by("flag_at")
    first = overdue.values_list("flag_at", flat=True).first()
    late = (now() - first).total_seconds() if first else 0.0
    if late > OLD:
        yield bad(
            "flags",
            _("the oldest passed deadline waits for %s") % machine.span(late),
            _("See beat, sweeps and workers."),
        )
    else:
        yield ok("flags", _("no deadline waits"))


def queues() -> Iterator[Finding]:
    """How many tasks wait, and whether each queue has a worker."""
    lengths = pulse.queues()
    served = rounds.workers()
    for queue, length in lengths.items():
        names = sorted(name for name, its in served.items() if queue in its)
        fact = _("%(queue)s: %(length)s wait, %(workers)s workers") % {
            "queue": queue,
            "length": length,
            "workers": len(names),
        }
        if not names:
            advice = _("Start a worker with -Q %s; one that computes for long may not have answered.") % queue
            yield bad("queues", fact, advice) if queue == "clocks" else warn("queues", fact, advice)
        elif length > MANY:
            yield warn("queues", fact, _("Start another worker for it, and look at its log."))
        else:
            yield ok("queues", fact)


MANY = 100


def locked() -> Iterator[Finding]:
    """Whether what is locked in the database opens: a site that came back with another SECRET_KEY looks well else."""
    lost = [(called, number, closed) for called, number, closed in box.lockers() if closed]
    for called, number, closed in lost:
        said = {"what": called, "closed": closed, "number": number}
        fact = _("%(what)s: no key of this site opens %(closed)s of %(number)s") % said
        advice = _("Put the former SECRET_KEY into SECRET_KEY_FALLBACKS. docs/keeping.md says what to do without it.")
        yield bad("keys", fact, advice)
    if not lost:
        yield ok("keys", _("what is locked in the database opens"))


def the_settings() -> Iterator[Finding]:
    """Django's checks, those for a site on the internet too where it is on it."""
    found = checks.run_checks(include_deployment_checks=settings.HTTPS)
    for message in found:
        text = str(message.msg).split("\n")[0]
        if message.level >= checks.ERROR:
            yield bad("settings", f"{message.id}: {text}", message.hint or "")
        elif message.level >= checks.WARNING and not message.is_silenced():
            yield warn("settings", f"{message.id}: {text}", message.hint or "")
    if not found:
        yield ok("settings", _("they go together"))
    if not settings.HTTPS:
        yield warn("settings", _("https is off"), _("Good for this machine and a club's own network only."))


def _may_config(client: Any) -> bool:
    try:
        client.config_get("maxmemory-policy")
    except RedisError:
        return False
    return True


def _one(sql: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()[0] if cursor.description else None


def _median(ask: Callable[[], object]) -> float:
    """The median of some calls, in milliseconds."""
    times = []
    for _each in range(TRIES):
        began = time.perf_counter()
        ask()
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)[TRIES // 2]


def _bytes_of_database() -> int:
    if connection.vendor == "postgresql":
        return int(str(_one("SELECT pg_database_size(current_database())")))
    return int(str(_one("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")))


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
"""Without what a part is not looked at: one trouble is said once."""
Look = Callable[[], Iterator[Finding]]
PARTS: tuple[tuple[str, Look], ...] = (
    ("settings", the_settings),
    ("database", database),
    ("migrations", migrations),
    ("keys", locked),
    ("clock", machine.clock),
    ("broker", the_broker),
    ("messages", layer),
    ("web", web),
    ("sweeps", sweeps),
    ("flags", flags),
    ("queues", queues),
    ("mail", machine.mail),
    ("disk", machine.disk),
    ("static", machine.static),
    ("engine", machine.engine),
)
