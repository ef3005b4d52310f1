"""Each request gets an id, is counted by its view, and has its line in the log where the site wants one.

Behind a proxy that says `X-Request-ID` its id is taken if it is well formed, so that both logs can be laid side by
side; else one is made. It is in every line that is logged meanwhile, and in the answer. The addresses of whoever
watches the site (`WATCHED`) are answered here: a probe knows neither the name of the site nor https.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from typing import Any

import structlog
from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import resolve

from backgammon.ops import logs, metrics

WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{8,64}")
WATCHED = frozenset({"/health/live", "/health/ready", "/metrics"})

log = structlog.get_logger("tablero.request")


class Front:
    """A middleware for both kinds of handlers."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if self.is_async:
            return self._later(request)
        token, began = self._begin(request)
        try:
            response = watch(request) if request.path_info in WATCHED else self.get_response(request)
            return self._end(request, response, began)
        finally:
            logs.request_now.reset(token)

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        token, began = self._begin(request)
        try:
            if request.path_info in WATCHED:
                response: HttpResponseBase = await sync_to_async(watch)(request)
            else:
                response = await self.get_response(request)
            return self._end(request, response, began)
        finally:
            logs.request_now.reset(token)

    def _begin(self, request: HttpRequest) -> tuple[Any, float]:
        request.mark = mark_of(request.headers.get("X-Request-ID", ""))  # type: ignore[attr-defined]
        return logs.request_now.set(request), time.perf_counter()

    def _end(self, request: HttpRequest, response: HttpResponseBase, began: float) -> HttpResponseBase:
        took = time.perf_counter() - began
        view = logs.view_of(request)
        metrics.answered(view, response.status_code, took)
        response.headers["X-Request-ID"] = request.mark  # type: ignore[attr-defined]
        if settings.LOG_REQUESTS and request.path_info not in WATCHED:
            milliseconds = round(took * 1000, 1)
            log.info("request", method=request.method, view=view, status=response.status_code, ms=milliseconds)
        return response


def mark_of(given: str) -> str:
    """The id that a trusted proxy gave to a request, if it looks like one; else a new one."""
    return given if settings.TRUST_PROXY and WELL_FORMED.fullmatch(given) else secrets.token_hex(8)


def watch(request: HttpRequest) -> HttpResponseBase:
    """The view of a watched address, without anything that stands before the others."""
    request.resolver_match = found = resolve(request.path_info)
    response: HttpResponseBase = found.func(request)
    return response
