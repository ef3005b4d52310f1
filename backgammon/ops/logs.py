"""Logging: one event a line, with its request and match, and without personal data.

`text` is key=value for a terminal, `json` one object a line for a collector. Neither contains names, IP or e-mail
addresses, tokens or query strings: requests are named by their view (`profile`, not `/players/ana/`), players and
matches by their ids, and `scrub` removes what looks like an address from error texts. The settings import this module,
so it imports none of Django's apps.
"""

from __future__ import annotations

import ipaddress
import logging
import re
from contextvars import ContextVar
from typing import Any

import structlog

Event = dict[str, Any]

MAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
LOGIN = re.compile(r"://[^\s/@'\"]+@")
QUERY = re.compile(r"\?[^\s'\"<>?]*=[^\s'\"<>]*")
URI = re.compile(r"\b(uri|path|client)=\S+")
BEARER = re.compile(r"\b(Bearer|Token|Basic|Bot)\s+[\w.~+/=:-]{8,}")
ROW = re.compile(r"^(DETAIL|CONTEXT):.*$|(?<=Key )\(.*?\)=\(.*?\)", re.MULTILINE)  # PostgreSQL repeats what was written
ADDRESS = re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?![\w.]*\w)")

current_request: ContextVar[Any] = ContextVar("current_request", default=None)
"""The request being served, or None."""


def config(*, level: str, style: str) -> dict[str, Any]:
    """Return Django's LOGGING: everything to standard error, in one style."""
    structlog.configure(
        processors=[*PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    line = json_line if style == "json" else text_line
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": PROCESSORS,
        "processors": [structlog.processors.format_exc_info, remove_personal_data, line],
        "keep_exc_info": False,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "filters": {"warning": {"()": AsWarning}},
        "loggers": {
            "django.security.DisallowedHost": {"filters": ["warning"]},  # internet scanners: no error of the site
            "daphne": {"level": "WARNING"},
            "django": {
                "handlers": [],
                "level": "INFO",
                "propagate": True,
            },  # replaces Django's handlers, which mail errors
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            "django.channels.server": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
        },
    }


class AsWarning(logging.Filter):
    """Turns errors into warnings without a traceback, before any handler or Sentry sees them."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = record.exc_text = None
        return True


def add_context(logger: Any, method: str, event: Event) -> Event:
    """Add the ids of the current request and its match."""
    request = current_request.get()
    if request is not None:
        event.setdefault("request", request_id_of(request))
        if match := match_id_of(request):
            event.setdefault("match", match)
    return event


def request_id_of(request: Any) -> str:
    """Return the id that the middleware gave to a request; empty before that (backgammon.ops.request_middleware)."""
    return getattr(request, "request_id", "")


def match_id_of(request: Any) -> str:
    """Return the match id in a request's URL, or an empty text."""
    resolved = getattr(request, "resolver_match", None)
    return str(resolved.kwargs.get("match_id", "")) if resolved else ""


def view_name(request: Any) -> str:
    """Return the name of a request's view, which is logged in place of its path."""
    resolved = getattr(request, "resolver_match", None)
    return (resolved.view_name or "unnamed") if resolved else "none"


def name_view(logger: Any, method: str, event: Event) -> Event:
    """Replace the path in Django's messages about a request by the name of its view."""
    record: logging.LogRecord | None = event.get("_record")
    request = getattr(record, "request", None)
    if request is not None and (path := getattr(request, "path", "")):
        event["view"] = view_name(request)
        if request_id := request_id_of(request):  # Django logs this after the response
            event["request"] = request_id
        if match := match_id_of(request):
            event["match"] = match
        if getattr(record, "status_code", 500) < 500:
            event.pop("exc_info", None)  # a client error: the traceback of a refusal helps nobody
        event["event"] = str(event["event"]).removesuffix(path).rstrip(": ")
        if len(path) > 1:
            event["event"] = event["event"].replace(path, f"<{event['view']}>")
    return event


def remove_personal_data(logger: Any, method: str, event: Event) -> Event:
    """Remove personal data from every text of an event."""
    event.pop("_record", None)
    event.pop("_from_structlog", None)
    return {key: scrub(value) if isinstance(value, str) else value for key, value in event.items()}


def scrub(text: str) -> str:
    """Remove e-mail and IP addresses, credentials, tokens, query strings and database rows from a text."""
    text = ROW.sub("<row>", text)
    text = BEARER.sub(r"\1 <token>", text)
    text = LOGIN.sub("://<login>@", text)
    text = MAIL.sub("<mail>", text)
    text = URI.sub(r"\1=<hidden>", text)
    text = QUERY.sub("?<hidden>", text)
    return ADDRESS.sub(_hide_address, text)


def _hide_address(match: re.Match[str]) -> str:
    """Hide an IP address; keep loopback addresses, and numbers that only look like an address."""
    try:
        address = ipaddress.ip_address(match.group())
    except ValueError:
        return match.group()
    return match.group() if address.is_loopback or address.is_unspecified else "<address>"


PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    add_context,
    name_view,
]
FIRST_KEYS = ["timestamp", "level", "logger", "event"]
_pairs = structlog.processors.LogfmtRenderer(key_order=FIRST_KEYS, bool_as_flag=False)
_object = structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=False)


def text_line(logger: Any, method: str, event: Event) -> str:
    """Render key=value pairs; a traceback follows below its line."""
    trace = event.pop("exception", "")
    line = str(_pairs(logger, method, event))
    return f"{line}\n{trace}" if trace else line


def json_line(logger: Any, method: str, event: Event) -> str:
    """Render one JSON object, the traceback included."""
    ordered = {key: event[key] for key in FIRST_KEYS if key in event}
    return str(_object(logger, method, ordered | event))
