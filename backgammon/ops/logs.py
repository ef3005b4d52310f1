"""The log: one event a line, with the request and the match that it is about, and nothing about people.

`text` is key=value for a terminal, `json` an object a line for a collector. Neither has names, addresses, mail
addresses, tokens or query strings: requests are named by their view (`profile`, not `/players/ana/`), players and
matches by their numbers, and what looks like an address in the text of an error is taken out (`scrubbed`).
Loaded by the settings, so it loads nothing of Django's apps.
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

request_now: ContextVar[Any] = ContextVar("request_now", default=None)
"""The request that this code serves, or None. Its `mark` is the request's id (backgammon.ops.front)."""


def config(*, level: str, style: str) -> dict[str, Any]:
    """Django's LOGGING: everything to standard error, in one style."""
    structlog.configure(
        processors=[*BEFORE, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    line = json_line if style == "json" else text_line
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": BEFORE,
        "processors": [structlog.processors.format_exc_info, without_people, line],
        "keep_exc_info": False,
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "daphne": {"level": "WARNING"},
            "django": {"handlers": [], "level": "INFO", "propagate": True},  # not Django's own: errors by mail
            "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
            "django.channels.server": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
        },
    }


def about(logger: Any, method: str, event: Event) -> Event:
    """Add the request and the match that this happens in."""
    request = request_now.get()
    if request is not None:
        event.setdefault("request", request.mark)
        if match := match_of(request):
            event.setdefault("match", match)
    return event


def match_of(request: Any) -> str:
    """The match that a request is about, by its address."""
    found = getattr(request, "resolver_match", None)
    return str(found.kwargs.get("match_id", "")) if found else ""


def view_of(request: Any) -> str:
    """The view that serves a request: what is said of it instead of its address."""
    found = getattr(request, "resolver_match", None)
    return (found.view_name or "unnamed") if found else "none"


def by_view(logger: Any, method: str, event: Event) -> Event:
    """Django's words about a request name the address: name its view instead."""
    record: logging.LogRecord | None = event.get("_record")
    request = getattr(record, "request", None)
    if request is not None and (path := getattr(request, "path", "")):
        event["view"] = view_of(request)
        if mark := getattr(request, "mark", ""):  # Django says it when the request is answered already
            event["request"] = mark
        if match := match_of(request):
            event["match"] = match
        if getattr(record, "status_code", 500) < 500:
            event.pop("exc_info", None)  # the fault of who asked: where we refused him helps nobody
        event["event"] = str(event["event"]).removesuffix(path).rstrip(": ")
        if len(path) > 1:
            event["event"] = event["event"].replace(path, f"<{event['view']}>")
    return event


def without_people(logger: Any, method: str, event: Event) -> Event:
    """Take out of every text what could tell who it was."""
    event.pop("_record", None)
    event.pop("_from_structlog", None)
    return {key: scrubbed(value) if isinstance(value, str) else value for key, value in event.items()}


def scrubbed(text: str) -> str:
    """The text without mail and network addresses, log-ins, tokens, query strings and rows of the database."""
    text = ROW.sub("<row>", text)
    text = BEARER.sub(r"\1 <token>", text)
    text = LOGIN.sub("://<login>@", text)
    text = MAIL.sub("<mail>", text)
    text = URI.sub(r"\1=<hidden>", text)
    text = QUERY.sub("?<hidden>", text)
    return ADDRESS.sub(_address, text)


def _address(found: re.Match[str]) -> str:
    """Somebody's address is hidden; this machine's own, and what only looks like one, stays."""
    try:
        address = ipaddress.ip_address(found.group())
    except ValueError:
        return found.group()
    return found.group() if address.is_loopback or address.is_unspecified else "<address>"


BEFORE: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    about,
    by_view,
]
FIRST = ["timestamp", "level", "logger", "event"]
_pairs = structlog.processors.LogfmtRenderer(key_order=FIRST, bool_as_flag=False)
_object = structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=False)


def text_line(logger: Any, method: str, event: Event) -> str:
    """key=value pairs; a traceback follows below its line."""
    trace = event.pop("exception", "")
    line = str(_pairs(logger, method, event))
    return f"{line}\n{trace}" if trace else line


def json_line(logger: Any, method: str, event: Event) -> str:
    """One object, the traceback in it."""
    ordered = {key: event[key] for key in FIRST if key in event}
    return str(_object(logger, method, ordered | event))
