"""Middleware that gives each request an id, counts it by its view, and logs it if LOG_REQUESTS is on.

A well-formed `X-Request-ID` of a trusted proxy is used, so that both logs can be compared; otherwise a new id is made.
It is in every line logged during the request, and in the response. Health and metrics URLs (`PROBES`) are answered
here: monitoring knows neither the site's host name nor HTTPS.
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
PROBES = frozenset({"/health/live", "/health/ready", "/metrics"})

log = structlog.get_logger("tablero.request")


class RequestMiddleware:
    """Middleware for synchronous and asynchronous handlers."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if self.is_async:
            return self._call_async(request)
        token, began = self._begin(request)
        try:
            response = answer_probe(request) if request.path_info in PROBES else self.get_response(request)
            return self._end(request, response, began)
        finally:
            logs.current_request.reset(token)

    async def _call_async(self, request: HttpRequest) -> HttpResponseBase:
        token, began = self._begin(request)
        try:
            if request.path_info in PROBES:
                response: HttpResponseBase = await sync_to_async(answer_probe)(request)
            else:
                response = await self.get_response(request)
            return self._end(request, response, began)
        finally:
            logs.current_request.reset(token)

    def _begin(self, request: HttpRequest) -> tuple[Any, float]:
        request.request_id = request_id(request.headers.get("X-Request-ID", ""))  # type: ignore[attr-defined]
        return logs.current_request.set(request), time.perf_counter()

    def _end(self, request: HttpRequest, response: HttpResponseBase, began: float) -> HttpResponseBase:
        took = time.perf_counter() - began
        view = logs.view_name(request)
        metrics.count_response(view, response.status_code, took)
        response.headers["X-Request-ID"] = logs.request_id_of(request)
        if settings.LOG_REQUESTS and request.path_info not in PROBES:
            milliseconds = round(took * 1000, 1)
            log.info("request", method=request.method, view=view, status=response.status_code, ms=milliseconds)
        return response


def request_id(proxy_id: str) -> str:
    """Return the id that a trusted proxy gave to a request if it is well formed, else a new one."""
    return proxy_id if settings.TRUST_PROXY and WELL_FORMED.fullmatch(proxy_id) else secrets.token_hex(8)


def answer_probe(request: HttpRequest) -> HttpResponseBase:
    """Call the view of a probe URL without the other middleware."""
    request.resolver_match = match = resolve(request.path_info)
    response: HttpResponseBase = match.func(request)
    return response
