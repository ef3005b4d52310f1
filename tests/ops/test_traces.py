"""Traces of acts: their spans from the frame to the fan-out, without personal data, and nothing when they are off."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from celery import current_app
from django.test import Client
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from accounts.programs.services import token_create
from backgammon.ops import traces as recording
from backgammon.ops.settings_checks import check_settings
from games import message_delivery, notify, traces
from games.errors import Refused
from tests.games.match_sockets import TableCase
from tools.services.environment import ROOT, clean_environment

ATTRIBUTES = {
    *("tablero.match", "tablero.action", "tablero.version", "tablero.refusal", "tablero.state"),
    *("tablero.batch", "tablero.alone"),
}
"""All that a span may say."""


RANDOM_ID = re.compile(r"0x[0-9a-f]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Of a trace, a span or this process: in 1 of 200 runs one of them spells "bea"."""


class Recorded:
    """The spans of a test."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self.exporter.get_finished_spans()

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name]

    def tree(self) -> set[tuple[str, ...]]:
        """The names from the root to each span."""
        by_id = {span.context.span_id: span for span in self.spans if span.context is not None}

        def path(span: ReadableSpan) -> tuple[str, ...]:
            return (*(path(by_id[span.parent.span_id]) if span.parent else ()), span.name)

        return {path(span) for span in self.spans}


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    found = Recorded()
    recording.install(lambda: found.provider)
    yield found
    recording.uninstall()


class TracedTable(TableCase):
    """A match whose acts are traced."""

    def setUp(self) -> None:
        super().setUp()
        self.recorded = Recorded()
        recording.install(lambda: self.recorded.provider)
        self.addCleanup(recording.uninstall)

    async def delivered(self) -> None:
        """Wait for what is sent in the background."""
        for delivery in tuple(message_delivery._under_way):
            await delivery

    async def test_an_act_is_traced_from_its_frame_to_its_fan_out(self) -> None:
        ana, bea, carlos = await self.opened()
        await self.delivered()
        self.recorded.exporter.clear()
        await self.act(ana, "8/5 6/5", 3)
        for socket in (ana, bea, carlos):
            await self.receive(socket, "event")
        await self.delivered()
        act = ("frame", "act")
        steps = {(*act, "commit"), (*act, "send to sockets here"), (*act, "publish to the broker")}
        assert self.recorded.tree() == {("frame",), act, *steps}
        [span] = self.recorded.named("act")
        assert span.attributes == {"tablero.match": self.match.pk, "tablero.action": "move", "tablero.version": 4}
        [commit] = self.recorded.named("commit")
        assert commit.attributes == {"tablero.batch": 1, "tablero.alone": False}
        [frame] = self.recorded.named("frame")
        assert frame.start_time <= span.start_time <= commit.start_time <= commit.end_time <= span.end_time  # type: ignore[operator]
        assert span.end_time <= frame.end_time  # type: ignore[operator]
        await self.leave(ana, bea, carlos)

    async def test_an_act_that_is_carried_out_alone_has_two_commits(self) -> None:
        ana, bea, carlos = await self.opened()
        await self.delivered()
        self.recorded.exporter.clear()
        await self.act(ana, "resign 1", 3)
        await self.receive(ana, "ack")
        await self.act(bea, "accept", 4)
        for socket in (ana, bea, carlos):
            while (await self.receive(socket, "event"))["version"] < 5:
                pass
        await self.delivered()
        alone = [commit.attributes["tablero.alone"] for commit in self.recorded.named("commit") if commit.attributes]
        assert alone == [False, False, True]
        assert ("frame", "act", "send to sockets and broker") in self.recorded.tree()
        assert [span.attributes["tablero.action"] for span in self.recorded.named("act")] == ["resign", "accept"]  # type: ignore[index]
        await self.leave(ana, bea, carlos)

    async def test_a_refusal_is_named_by_its_code_and_is_no_error(self) -> None:
        ana, bea, carlos = await self.opened()
        self.recorded.exporter.clear()
        await self.act(carlos, "ana@club.example", 3)
        await self.receive(carlos, "refused")
        await self.delivered()
        [span] = self.recorded.named("act")
        expected = {"tablero.match": self.match.pk, "tablero.action": "move", "tablero.refusal": "not_seated"}
        assert span.attributes == expected
        assert {each.status.status_code for each in self.recorded.spans} == {StatusCode.UNSET}
        await self.leave(ana, bea, carlos)

    async def test_acts_of_a_batch_have_a_commit_each(self) -> None:
        assert traces.active is not None
        with recording_of("one") as one, recording_of("two") as two, traces.active.step("commit", [one, None, two]):
            pass
        commits = self.recorded.named("commit")
        acts = self.recorded.named("act")
        assert {span.parent.span_id for span in commits if span.parent} == {
            span.context.span_id for span in acts if span.context
        }

    async def test_a_request_of_the_api_is_traced(self) -> None:
        def post() -> int:
            token = token_create(user=self.ana, name="my program", scopes=("play",))[1]
            client = Client(headers={"Authorization": f"Bearer {token}"})
            body = {"id": "bot-0", "after": 0, "action": "roll"}
            path = f"/api/v1/matches/{self.match.pk}/act/"
            return client.post(path, body, content_type="application/json").status_code

        assert await sync_to_async(post)() == 200
        assert {("request",), ("request", "act")} <= self.recorded.tree()
        [span] = self.recorded.named("act")
        assert span.attributes == {"tablero.match": self.match.pk, "tablero.action": "roll", "tablero.version": 1}

    async def test_spans_have_no_personal_data(self) -> None:
        ana, bea, carlos = await self.opened()
        await self.act(ana, "8/5 6/5", 3)
        await self.receive(carlos, "event")
        await self.act(carlos, "roll", 4)
        await self.receive(carlos, "refused")
        await self.delivered()
        assert len(self.recorded.spans) > 15
        for span in self.recorded.spans:
            assert set(span.attributes or {}) <= ATTRIBUTES
            assert (span.events, span.status.description) == ((), None)
            text = RANDOM_ID.sub("", span.to_json()).replace(self.match.pk, "")
            assert not any(user.username in text for user in (self.ana, self.bea, self.carlos))
        await self.leave(ana, bea, carlos)


def recording_of(match_id: str) -> Any:
    assert traces.active is not None
    return traces.active.act(match_id, "roll", source="frame", received_at=0.0)


def test_an_error_is_named_by_its_kind_alone(recorded: Recorded) -> None:
    with pytest.raises(ValueError), recording_of("k3Yp") as trace, traces.active.step("commit", [trace]):  # type: ignore[union-attr]
        raise ValueError("no room for ana@club.example")
    assert {span.name: span.status.description for span in recorded.spans} == {
        "commit": "ValueError",
        "act": "ValueError",
        "frame": None,
    }


def test_a_refusal_in_a_step_is_no_error(recorded: Recorded) -> None:
    with pytest.raises(Refused), recording_of("k3Yp") as trace, traces.active.step("commit", [trace]):  # type: ignore[union-attr]
        raise Refused("not_seated")
    assert {span.status.status_code for span in recorded.spans} == {StatusCode.UNSET}


def test_the_call_of_a_bot_carries_the_trace_of_the_act(recorded: Recorded, valkey: str) -> None:
    with recording_of("k3Yp") as trace:
        pass
    with current_app.connection_for_read() as connection:
        queue = connection.SimpleQueue("bots")
        queue.clear()
        traces.within(trace, notify.ask_bot)("k3Yp")
        notify.ask_bot("k3Yp")
        first, second = (queue.get(timeout=60).headers for _ in range(2))
    [act] = recorded.named("act")
    assert act.context is not None
    assert first["traceparent"].split("-")[1:3] == [f"{act.context.trace_id:032x}", f"{act.context.span_id:016x}"]
    assert "traceparent" not in second


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("roll", "roll"),
        ("dice 31", "dice"),
        ("resign 2", "resign"),
        ("8/5 6/5*", "move"),
        ("ana", "move"),
        ("", "move"),
    ],
)
def test_an_action_is_named_by_its_kind(action: str, kind: str) -> None:
    assert traces.kind_of(action) == kind


@pytest.mark.parametrize(
    ("env", "loaded"),
    [
        ({}, "False False False"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "TABLERO_TRACES": "0"}, "False False False"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}, "True True True"),
        ({"TABLERO_TRACES": "1"}, "True True True"),
    ],
    ids=["unset", "off", "endpoint", "on"],
)
@pytest.mark.processes
def test_traces_are_off_unless_set_and_then_the_sdk_is_not_loaded(
    env: dict[str, str], loaded: str, tmp_path: Path
) -> None:
    code = (
        "import sys; from django.conf import settings; from games import traces; "
        "print(settings.TRACES, traces.active is not None, 'opentelemetry.sdk.trace' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v0", "-c", code],
        cwd=ROOT,
        env=clean_environment(TABLERO_VAR=str(tmp_path), **env),
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert (done.returncode, done.stdout.strip()) == (0, loaded), done.stderr


def test_missing_packages_are_reported_in_plain_words(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TRACES = True
    assert [message.id for message in check_settings() if message.id == "tablero.W008"] == []
    monkeypatch.setattr(recording, "PACKAGES", ("opentelemetry.sdk", "no_such_package.anywhere"))
    [message] = [message for message in check_settings() if message.id == "tablero.W008"]
    assert message.msg == "Traces are on, but the packages of OpenTelemetry are not installed, so nothing is traced."
    assert "requirements/traces.txt" in (message.hint or "")
    recording.install()
    assert traces.active is None
    settings.TRACES = False
    assert [message.id for message in check_settings() if message.id == "tablero.W008"] == []
