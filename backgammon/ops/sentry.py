"""Errors to a Sentry of the club's choice, if `SENTRY_DSN` names one: what broke and where, nothing about people."""

from __future__ import annotations

from typing import Any

from backgammon.ops import logs

KEPT = ("event_id", "timestamp", "level", "logger", "platform", "release", "environment", "server_name", "exception")
KEPT_ALSO = ("logentry", "message", "transaction", "fingerprint", "sdk", "modules", "type")


def install(dsn: str, *, release: str) -> None:
    """Send what is logged as an error, and what breaks, from now on. Raises BadDsn for what is no address of one."""
    import sentry_sdk
    from sentry_sdk.integrations.logging import LoggingIntegration, ignore_logger

    ignore_logger("django.security.DisallowedHost")  # whoever scans the internet
    sentry_sdk.init(
        dsn=dsn,
        release=release,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=None,
        auto_session_tracking=False,
        before_send=scrubbed,
        integrations=[LoggingIntegration(level=None)],
    )


def scrubbed(event: Any, hint: Any) -> Any:
    """The event with nothing in it but what broke, where, and in which view and match."""
    kept = {name: event[name] for name in (*KEPT, *KEPT_ALSO) if name in event}
    if (request := logs.request_now.get()) is not None:
        kept["transaction"] = logs.view_of(request)
        kept["tags"] = {"request": request.mark, "match": logs.match_of(request)}
    elif "transaction" in kept and kept["transaction"].startswith("/"):
        kept["transaction"] = "-"
    return _texts(kept)


def _texts(value: Any) -> Any:
    """Every text of a tree without addresses, tokens and rows."""
    if isinstance(value, str):
        return logs.scrubbed(value)
    if isinstance(value, dict):
        return {key: _texts(each) for key, each in value.items() if key != "vars"}
    if isinstance(value, list | tuple):
        return [_texts(each) for each in value]
    return value
