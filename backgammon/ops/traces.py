"""OpenTelemetry traces of acts, off unless `TABLERO_TRACES` or `OTEL_EXPORTER_OTLP_ENDPOINT` is set (docs/adr/0038).

The SDK reads its own variables (`OTEL_*`). Without its packages nothing is traced, and `manage.py check` says so.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from celery import signals

from accounts.errors import Refused
from backgammon import __version__
from games import traces

log = logging.getLogger(__name__)

PACKAGES = ("opentelemetry.sdk.trace.export", "opentelemetry.exporter.otlp.proto.http.trace_exporter")
TIMEOUT = 2.0  # seconds that a collector has to answer: a process that stops waits for its last spans
TIMEOUTS = {"OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT"}
CARRIED = "traceparent"  # the header of a task that carries a trace on, as W3C Trace Context names it


def is_installed() -> bool:
    """Whether the packages of OpenTelemetry are here."""
    try:
        return all(find_spec(name) is not None for name in PACKAGES)
    except ModuleNotFoundError:  # a package above it is missing
        return False


def install(make_provider: Callable[[], Any] | None = None) -> None:
    """Start recording the acts of this process, and the tasks that follow from them."""
    if not is_installed():
        log.warning("acts are not traced: the packages of OpenTelemetry are missing")
        return
    for name in PACKAGES:
        import_module(name)  # now, and not while the first act waits
    recorder = SpanRecorder(make_provider or exporting_provider)
    traces.active = recorder
    signals.before_task_publish.connect(recorder.on_task_sent, weak=False, dispatch_uid="tablero-traces")
    signals.task_prerun.connect(recorder.on_task_start, weak=False, dispatch_uid="tablero-traces")
    signals.task_postrun.connect(recorder.on_task_end, weak=False, dispatch_uid="tablero-traces")


def uninstall() -> None:
    """Stop recording."""
    traces.active = None
    for signal in (signals.before_task_publish, signals.task_prerun, signals.task_postrun):
        signal.disconnect(dispatch_uid="tablero-traces")


def exporting_provider() -> Any:
    """Return a provider of tracers that sends spans to the collector, from a thread of its own."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = os.environ.get("OTEL_SERVICE_NAME") or "tablero"
    provider = TracerProvider(resource=Resource.create({SERVICE_NAME: name, SERVICE_VERSION: __version__}))
    timeout = None if TIMEOUTS & os.environ.keys() else TIMEOUT
    logging.getLogger(OTLPSpanExporter.__module__).setLevel(logging.ERROR)  # one line a batch, not one for each attempt
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=timeout)))
    return provider


@dataclass(frozen=True)
class SpanTrace:
    """The span of an act, or of a task that follows from one."""

    span: Any

    def answered(self, version: int) -> None:
        self.span.set_attribute("tablero.version", version)

    @cached_property
    def context(self) -> Any:
        """What its children are started with."""
        from opentelemetry.trace import set_span_in_context

        return set_span_in_context(self.span)


class SpanRecorder:
    """Records traces as spans. The provider is made with the first span, because processes are forked before it."""

    def __init__(self, make_provider: Callable[[], Any]) -> None:
        self._make_provider = make_provider
        self._tasks: dict[str, tuple[SpanTrace, Any]] = {}

    @cached_property
    def _tracer(self) -> Any:
        return self._make_provider().get_tracer("tablero", __version__)

    @contextmanager
    def act(self, match_id: str, action: str, *, source: str, received_at: float) -> Iterator[SpanTrace]:
        """Record a frame (or a request) from when it was received, and in it the act."""
        from opentelemetry.trace import SpanKind

        received = time.time_ns() - int((time.monotonic() - received_at) * 1e9)
        match = {"tablero.match": match_id}
        outer = SpanTrace(self._tracer.start_span(source, start_time=received, kind=SpanKind.SERVER, attributes=match))
        about = match | {"tablero.action": traces.kind_of(action)}
        trace = SpanTrace(self._tracer.start_span("act", outer.context, attributes=about))
        try:
            with traces.belonging(trace):
                yield trace
        except Refused as refusal:
            trace.span.set_attribute("tablero.refusal", refusal.code)
            raise
        except Exception as error:
            _set_failed(trace, error)
            raise
        finally:
            trace.span.end()
            outer.span.end()

    @contextmanager
    def step(self, name: str, parents: Iterable[traces.Trace | None], **attributes: str | int | bool) -> Iterator[None]:
        """Record a step as a child of each of these traces: an act has its batch's whole commit."""
        of = [parent for parent in parents if isinstance(parent, SpanTrace)]
        began = time.time_ns()
        failed: Exception | None = None
        try:
            yield
        except Exception as error:
            failed = error
            raise
        finally:
            ended = time.time_ns()
            named = {f"tablero.{key}": value for key, value in attributes.items()}
            for parent in of:
                child = SpanTrace(self._tracer.start_span(name, parent.context, start_time=began, attributes=named))
                if failed is not None and not isinstance(failed, Refused):
                    _set_failed(child, failed)
                child.span.end(ended)

    # Celery

    def on_task_sent(self, headers: dict[str, Any] | None = None, **others: Any) -> None:
        """Give a task the trace that it follows from."""
        if headers is not None and isinstance(trace := traces.current.get(), SpanTrace):
            _propagator().inject(headers, trace.context)

    def on_task_start(self, task_id: str = "", task: Any = None, **others: Any) -> None:
        """Record a task that follows from an act. Sweeps and other tasks are not recorded."""
        from opentelemetry.trace import SpanKind

        carried = getattr(task.request, CARRIED, None)
        if not carried or task.request.is_eager:
            return
        before = _propagator().extract({CARRIED: carried})
        trace = SpanTrace(self._tracer.start_span(f"task {task.name}", before, kind=SpanKind.CONSUMER))
        self._tasks[task_id] = trace, traces.current.set(trace)

    def on_task_end(self, task_id: str = "", state: str | None = None, **others: Any) -> None:
        """End the span of a task."""
        if (recorded := self._tasks.pop(task_id, None)) is not None:
            trace, token = recorded
            trace.span.set_attribute("tablero.state", state or "")
            trace.span.end()
            traces.current.reset(token)


def _set_failed(trace: SpanTrace, error: Exception) -> None:
    """Mark a span as failed by the kind of its error: the text of an error may name somebody."""
    from opentelemetry.trace import Status, StatusCode

    trace.span.set_status(Status(StatusCode.ERROR, type(error).__name__))


def _propagator() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()
