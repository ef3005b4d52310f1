"""Traces of a whole site: an act against the computer, from its frame to the worker of the bots, at a collector."""

from __future__ import annotations

import asyncio
import gzip
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tools.load.http_visitor import Visitor
from tools.load.socket_player import SocketPlayer
from tools.services import site as sites

pytestmark = [pytest.mark.processes, pytest.mark.looks]

PATIENCE = 120
Span = tuple[str, str, str, str]  # trace, span, parent, name


class Collector:
    """A collector of traces: what it received, and its address."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.services: set[str] = set()
        self.url = ""

    def take(self, body: bytes) -> None:
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.services |= {
                each.value.string_value for each in resource.resource.attributes if each.key == "service.name"
            }
            for scope in resource.scope_spans:
                for span in scope.spans:
                    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
                    self.spans.append((*ids, span.name))


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector()

    class Post(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.take(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Post) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found.url = f"http://127.0.0.1:{server.server_port}"
        yield found
        server.shutdown()


async def play_until(collector: Collector, name: str, player: SocketPlayer) -> None:
    """Play until the collector has received a span with this name."""
    await player.sit()
    async with asyncio.timeout(PATIENCE):
        while name not in {found for *_, found in collector.spans}:
            if (action := player.next_action()) is not None:
                await player.act(action)
            await asyncio.sleep(0.1)
    await player.leave()


def test_a_collector_receives_an_act_and_the_task_of_the_bot_in_one_trace(collector: Collector, tmp_path: Path) -> None:
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "200", "no_proxy": "*"}
    with sites.running(tmp_path / "site", "--without-accounts", **env) as site:
        visitor = Visitor(site.url)
        url, _ = visitor.post("/guest/", {"go": "bot"})
        match_id = url.rstrip("/").rsplit("/", 1)[1]
        player = SocketPlayer(site.url, match_id, visitor.cookie_header)
        asyncio.run(play_until(collector, "task games.tasks.bot_act", player))
    by_id = {span: (parent, name) for _, span, parent, name in collector.spans}

    def path(span: str) -> tuple[str, ...]:
        parent, name = by_id[span]
        return (*(path(parent) if parent in by_id else ()), name)

    paths = {path(span) for span in by_id}
    assert {("frame", "act", "commit"), ("frame", "act", "task games.tasks.bot_act")} <= paths
    assert collector.services == {"tablero"}
