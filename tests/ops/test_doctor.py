"""`manage.py doctor`: its findings, as lines and as JSON, and its exit status."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.management import call_command
from django.db import connection

from accounts.models import User
from accounts.web.encryption import site_cipher
from backgammon.ops import beat_health, broker_client, doctor, machine_checks, round_trips, task_monitor
from backgammon.ops.checks_report import BAD, OK, WARN, Finding
from eventlog.services import webhook_add
from games.database import now
from games.models import Match, SiteHeartbeat


def states(check: Callable[[], Iterator[Finding]]) -> list[str]:
    return [finding.state for finding in check()]


@pytest.fixture
def notes(valkey: str, settings: Any) -> Any:
    client = broker_client.client(settings.REDIS_URL)
    client.delete(task_monitor.SWEEPS_KEY, beat_health.BEAT_KEY, "clocks")
    yield client
    client.delete(task_monitor.SWEEPS_KEY, beat_health.BEAT_KEY, "clocks")


@pytest.mark.django_db
def test_the_database_is_named_and_test_writes_are_rolled_back() -> None:
    tables = connection.introspection.table_names()
    found = list(doctor.check_database())
    assert [finding.state for finding in found] == [OK, OK]
    assert found[0].fact.startswith(("SQLite 3.", "PostgreSQL 1"))
    assert connection.introspection.table_names() == tables


@pytest.mark.django_db
def test_unapplied_migrations_are_reported_with_the_command() -> None:
    assert states(doctor.check_migrations) == [OK]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'ops' AND name = '0001_initial'")
    (finding,) = doctor.check_migrations()
    assert (finding.state, finding.fact) == (BAD, "unapplied migrations: 1 (ops.0001_initial)")
    assert "manage.py prepare" in finding.advice


@pytest.mark.django_db
def test_values_that_cannot_be_decrypted_are_counted(settings: Any, ana: User) -> None:
    assert states(doctor.check_encryption) == [OK]
    former = settings.SECRET_KEY
    Authenticator.objects.create(
        user=ana, type=Authenticator.Type.TOTP, data={"secret": site_cipher("second-step").encrypt("app")}
    )
    webhook_add(user=ana, url="https://hooks.example.net/a")
    assert states(doctor.check_encryption) == [OK]
    settings.SECRET_KEY = "another key"
    webhook_add(user=ana, url="https://hooks.example.net/b")
    assert [(finding.state, finding.fact) for finding in doctor.check_encryption()] == [
        (BAD, "two-factor authentication secrets: 1 of 1 cannot be decrypted with this site's keys"),
        (BAD, "webhook secrets: 1 of 2 cannot be decrypted with this site's keys"),
    ]
    settings.SECRET_KEY_FALLBACKS = [former]
    assert states(doctor.check_encryption) == [OK]


def test_the_broker_and_a_message_through_it_are_ok(valkey: str) -> None:
    assert states(doctor.check_broker) == [OK]
    assert states(doctor.check_channel_layer) == [OK]


def test_an_unreachable_broker_is_bad(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert states(doctor.check_broker) == [BAD]
    broker_client.client.cache_clear()


@pytest.mark.parametrize(("took", "state"), [(1.5, OK), (None, BAD)])
def test_a_lost_message_is_bad(monkeypatch: pytest.MonkeyPatch, took: float | None, state: str) -> None:
    monkeypatch.setattr(round_trips, "message_ms", lambda: took)
    assert states(doctor.check_channel_layer) == [state]


@pytest.mark.parametrize(
    ("elsewhere", "advice"),
    [
        (False, "Boards do not update live. See broker."),
        (True, "Boards do not update live. Is MESSAGES_URL correct, and do its nodes respond?"),
    ],
)
def test_the_advice_names_what_carries_the_messages(settings: Any, elsewhere: bool, advice: str) -> None:
    hosts = {"hosts": ["redis://127.0.0.1:1/0"]}
    settings.CHANNEL_LAYERS = {"default": {**settings.CHANNEL_LAYERS["default"], "CONFIG": hosts}}
    settings.MESSAGES_URL = "redis+cluster://127.0.0.1:1" if elsewhere else settings.REDIS_URL
    (finding,) = doctor.check_channel_layer()
    assert (finding.state, finding.advice) == (BAD, advice)


@pytest.mark.django_db
def test_an_old_heartbeat_is_bad() -> None:
    assert states(doctor.check_web) == [WARN]
    SiteHeartbeat.objects.create(pk=SiteHeartbeat.THE_ROW, at=now(), since=now())
    assert states(doctor.check_web) == [OK]
    SiteHeartbeat.objects.update(at=now() - timedelta(minutes=3))
    (finding,) = doctor.check_web()
    assert (finding.state, finding.fact) == (WARN, "no web process is running; last heartbeat 3 min ago")


def test_late_beat_and_sweeps_are_reported(notes: Any) -> None:
    assert states(doctor.check_sweeps) == [BAD, BAD]
    import time

    notes.set(beat_health.BEAT_KEY, str(time.time()))
    notes.hset(task_monitor.SWEEPS_KEY, "games.tasks.sweep_flags", str(time.time()))
    assert states(doctor.check_sweeps) == [OK, OK]
    notes.hset(task_monitor.SWEEPS_KEY, "notifications.tasks.sweep_mails", str(time.time() - 3600))
    late = [finding for finding in doctor.check_sweeps() if finding.state == WARN]
    assert [finding.fact for finding in late] == ["notifications.tasks.sweep_mails last ran 60 min ago"]
    notes.hset(task_monitor.SWEEPS_KEY, "games.tasks.sweep_flags", str(time.time() - 50))
    assert BAD in states(doctor.check_sweeps)


def test_an_overdue_clock_is_bad(open_table: Callable[..., Match]) -> None:
    match = open_table()
    assert states(doctor.check_flags) == [OK]
    Match.objects.filter(pk=match.pk).update(flag_at=now() - timedelta(minutes=1))
    (finding,) = doctor.check_flags()
    assert (finding.state, finding.fact) == (BAD, "a clock ran out 60 s ago, but the match has not ended")


def test_queues_without_a_worker_are_reported(notes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = set(task_monitor.queue_names())
    monkeypatch.setattr(
        round_trips, "queues_by_worker", lambda: {"one@club": everything - {"bots"}, "two@club": {"clocks"}}
    )
    notes.rpush("clocks", *["task"] * (doctor.LONG_QUEUE + 1))
    found = {finding.fact.split(":")[0]: finding for finding in doctor.check_queues()}
    assert set(found) == everything
    assert found["clocks"].fact == f"clocks: {doctor.LONG_QUEUE + 1} tasks waiting, workers: 2"
    assert (found["clocks"].state, found["bots"].state, found["tablero"].state) == (WARN, WARN, OK)
    monkeypatch.setattr(round_trips, "queues_by_worker", dict)
    assert BAD in states(doctor.check_queues)


def test_the_mail_server_is_tried_without_sending(settings: Any) -> None:
    assert states(machine_checks.check_mail) == [OK]
    settings.HAS_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 2
    (finding,) = machine_checks.check_mail()
    assert (finding.state, finding.fact) == (BAD, "could not connect to the mail server")
    assert mail.outbox == []


@pytest.mark.parametrize(("free", "state"), [(5 * 1024**3, OK), (1024**3, WARN), (1024**2, BAD)])
def test_low_disk_space_is_reported(
    settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, free: int, state: str
) -> None:
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o700)
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=free))
    assert states(machine_checks.check_disk) == [state]
    tmp_path.chmod(0o755)
    assert states(machine_checks.check_disk) == [state, WARN]


def test_the_engine_evaluates_a_position() -> None:
    (finding,) = machine_checks.check_engine()
    assert finding.state in (OK, WARN)


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "5 s"), (119, "119 s"), (600, "10 min"), (10_000, "3 h"), (400_000, "5 d")]
)
def test_durations_have_units(seconds: float, text: str) -> None:
    assert machine_checks.format_seconds(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(7, "7 B"), (4096, "4.1 kB"), (3.2e9, "3.2 GB")])
def test_sizes_have_units(count: float, text: str) -> None:
    assert machine_checks.format_bytes(count) == text


def replace_checks(monkeypatch: pytest.MonkeyPatch, *found: Finding) -> None:
    monkeypatch.setattr(doctor, "PARTS", tuple((each.part, lambda each=each: iter([each])) for each in found))


def test_exit_status_and_both_output_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    replace_checks(monkeypatch, Finding("disk", OK, "2.0 GB free"), Finding("mail", WARN, "slow", "Look at it."))
    out = StringIO()
    call_command("doctor", stdout=out, no_color=True)
    assert out.getvalue().splitlines() == [
        "ok     disk       2.0 GB free",
        "warn   mail       slow",
        "                  -> Look at it.",
        "Passed: 1, warnings: 1, failed: 0",
    ]
    replace_checks(monkeypatch, Finding("disk", BAD, "full", "Make room."))
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json", stdout=out)
    assert ended.value.code == 1
    report = json.loads(out.getvalue())
    assert (report["well"], report["bad"]) == (False, 1)
    assert report["findings"] == [{"part": "disk", "state": "bad", "fact": "full", "advice": "Make room."}]


def test_parts_that_depend_on_a_failed_part_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[Finding]:
        raise OSError("no such thing\nsecond line")
        yield

    monkeypatch.setattr(
        doctor, "PARTS", (("broker", broken), ("messages", doctor.check_channel_layer), ("disk", lambda: iter([])))
    )
    first, second = doctor.examine()
    assert (first.part, first.state, first.advice) == ("broker", BAD, "no such thing")
    assert (second.part, second.state, second.fact) == ("messages", WARN, "skipped: fix broker first")
