"""The doctor: what is well, what is not, what to do; in lines or as JSON; exit 1 when something is bad."""

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

from accounts.box import site_box
from accounts.models import User
from backgammon.ops import broker, doctor, machine, pulse, rounds
from backgammon.ops.findings import BAD, OK, WARN, Finding
from games.database import now
from games.models import Alive, Match
from hooks.services import hook_add


def states(look: Callable[[], Iterator[Finding]]) -> list[str]:
    return [finding.state for finding in look()]


@pytest.fixture
def notes(valkey: str, settings: Any) -> Any:
    client = broker.client(settings.REDIS_URL)
    client.delete(pulse.SWEPT, pulse.BEAT, "clocks")
    yield client
    client.delete(pulse.SWEPT, pulse.BEAT, "clocks")


@pytest.mark.django_db
def test_the_database_is_named_and_written_to_without_a_trace() -> None:
    tables = connection.introspection.table_names()
    found = list(doctor.database())
    assert [finding.state for finding in found] == [OK, OK]
    assert found[0].fact.startswith(("SQLite 3.", "PostgreSQL 1"))
    assert connection.introspection.table_names() == tables


@pytest.mark.django_db
def test_tables_of_another_version_are_told_with_the_command() -> None:
    assert states(doctor.migrations) == [OK]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'ops' AND name = '0001_first_owner'")
    (finding,) = doctor.migrations()
    assert (finding.state, finding.fact) == (BAD, "1 to do: ops.0001_first_owner")
    assert "manage.py prepare" in finding.advice


@pytest.mark.django_db
def test_what_no_key_of_the_site_opens_is_counted(settings: Any, ana: User) -> None:
    assert states(doctor.locked) == [OK]
    former = settings.SECRET_KEY
    Authenticator.objects.create(
        user=ana, type=Authenticator.Type.TOTP, data={"secret": site_box("second-step").lock("app")}
    )
    hook_add(user=ana, url="https://hooks.example.net/a")
    assert states(doctor.locked) == [OK]
    settings.SECRET_KEY = "another key"
    hook_add(user=ana, url="https://hooks.example.net/b")
    assert [(finding.state, finding.fact) for finding in doctor.locked()] == [
        (BAD, "second steps: no key of this site opens 1 of 1"),
        (BAD, "secrets of webhooks: no key of this site opens 1 of 2"),
    ]
    settings.SECRET_KEY_FALLBACKS = [former]
    assert states(doctor.locked) == [OK]


def test_the_broker_and_a_message_through_it(valkey: str) -> None:
    assert states(doctor.the_broker) == [OK]
    assert states(doctor.layer) == [OK]


def test_a_broker_that_is_away(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert states(doctor.the_broker) == [BAD]
    broker.client.cache_clear()


@pytest.mark.parametrize(("took", "state"), [(1.5, OK), (None, BAD)])
def test_a_message_that_does_not_come(monkeypatch: pytest.MonkeyPatch, took: float | None, state: str) -> None:
    monkeypatch.setattr(rounds, "message", lambda: took)
    assert states(doctor.layer) == [state]


@pytest.mark.django_db
def test_the_heartbeat_of_the_web() -> None:
    assert states(doctor.web) == [WARN]
    Alive.objects.create(pk=Alive.THE_ROW, at=now(), since=now())
    assert states(doctor.web) == [OK]
    Alive.objects.update(at=now() - timedelta(minutes=3))
    (finding,) = doctor.web()
    assert (finding.state, finding.fact) == (WARN, "no web process lives; the last heartbeat was 3 min ago")


def test_beat_and_sweeps(notes: Any) -> None:
    assert states(doctor.sweeps) == [BAD, BAD]
    import time

    notes.set(pulse.BEAT, str(time.time()))
    notes.hset(pulse.SWEPT, "games.tasks.sweep_flags", str(time.time()))
    assert states(doctor.sweeps) == [OK, OK]
    notes.hset(pulse.SWEPT, "notices.tasks.sweep_mails", str(time.time() - 3600))
    late = [finding for finding in doctor.sweeps() if finding.state == WARN]
    assert [finding.fact for finding in late] == ["notices.tasks.sweep_mails last ran 60 min ago"]
    notes.hset(pulse.SWEPT, "games.tasks.sweep_flags", str(time.time() - 50))
    assert BAD in states(doctor.sweeps)


def test_a_deadline_that_nobody_carries_out(open_table: Callable[..., Match]) -> None:
    match = open_table()
    assert states(doctor.flags) == [OK]
    Match.objects.filter(pk=match.pk).update(flag_at=now() - timedelta(minutes=1))
    (finding,) = doctor.flags()
    assert (finding.state, finding.fact) == (BAD, "the oldest passed deadline waits for 60 s")


def test_queues_and_those_who_serve_them(notes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = set(pulse.queue_names())
    monkeypatch.setattr(rounds, "workers", lambda: {"one@club": everything - {"bots"}, "two@club": {"clocks"}})
    notes.rpush("clocks", *["task"] * (doctor.MANY + 1))
    found = {finding.fact.split(":")[0]: finding for finding in doctor.queues()}
    assert set(found) == everything
    assert found["clocks"].fact == f"clocks: {doctor.MANY + 1} wait, 2 workers"
    assert (found["clocks"].state, found["bots"].state, found["tablero"].state) == (WARN, WARN, OK)
    monkeypatch.setattr(rounds, "workers", dict)
    assert BAD in states(doctor.queues)


def test_mail_is_tried_and_not_sent(settings: Any) -> None:
    assert states(machine.mail) == [OK]
    settings.HAS_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 2
    (finding,) = machine.mail()
    assert (finding.state, finding.fact) == (BAD, "the server does not let us in")
    assert mail.outbox == []


@pytest.mark.parametrize(("free", "state"), [(5 * 1024**3, OK), (1024**3, WARN), (1024**2, BAD)])
def test_the_disk(settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, free: int, state: str) -> None:
    settings.VAR_DIR = tmp_path
    tmp_path.chmod(0o700)
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=free))
    assert states(machine.disk) == [state]
    tmp_path.chmod(0o755)
    assert states(machine.disk) == [state, WARN]


def test_the_engine_judges() -> None:
    (finding,) = machine.engine()
    assert finding.state in (OK, WARN)


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "5 s"), (119, "119 s"), (600, "10 min"), (10_000, "3 h"), (400_000, "5 d")]
)
def test_spans(seconds: float, text: str) -> None:
    assert machine.span(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(7, "7 B"), (4096, "4.1 kB"), (3.2e9, "3.2 GB")])
def test_sizes(count: float, text: str) -> None:
    assert machine.size(count) == text


def told(monkeypatch: pytest.MonkeyPatch, *found: Finding) -> None:
    monkeypatch.setattr(doctor, "PARTS", tuple((each.part, lambda each=each: iter([each])) for each in found))


def test_exit_codes_and_both_ways_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    told(monkeypatch, Finding("disk", OK, "2.0 GB free"), Finding("mail", WARN, "slow", "Look at it."))
    out = StringIO()
    call_command("doctor", stdout=out, no_color=True)
    assert out.getvalue().splitlines() == [
        "ok     disk       2.0 GB free",
        "look   mail       slow",
        "                  -> Look at it.",
        "1 ok, 1 to look at, 0 bad",
    ]
    told(monkeypatch, Finding("disk", BAD, "full", "Make room."))
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json", stdout=out)
    assert ended.value.code == 1
    report = json.loads(out.getvalue())
    assert (report["well"], report["bad"]) == (False, 1)
    assert report["findings"] == [{"part": "disk", "state": "bad", "fact": "full", "advice": "Make room."}]


def test_what_hangs_on_a_bad_part_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Iterator[Finding]:
        raise OSError("no such thing\nsecond line")
        yield

    monkeypatch.setattr(doctor, "PARTS", (("broker", broken), ("messages", doctor.layer), ("disk", lambda: iter([]))))
    first, second = doctor.look()
    assert (first.part, first.state, first.advice) == ("broker", BAD, "no such thing")
    assert (second.part, second.state, second.fact) == ("messages", WARN, "not looked at: see broker")
