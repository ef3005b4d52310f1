"""Error reports to the Sentry that `SENTRY_DSN` names: what failed and where, without personal data."""

from __future__ import annotations

from typing import Any

from backgammon.ops import logs

KEPT_FIELDS = (
    "event_id",
    "timestamp",
    "level",
    "logger",
    "platform",
    "release",
    "environment",
    "server_name",
    "exception",
)
MORE_FIELDS = ("logentry", "message", "transaction", "fingerprint", "sdk", "modules", "type")


def install(dsn: str, *, release: str) -> None:
    """Start sending errors and exceptions. Raises BadDsn for an invalid DSN."""
    import sentry_sdk
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=dsn,
        release=release,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=None,
        auto_session_tracking=False,
        before_send=scrub_event,
        integrations=[LoggingIntegration(level=None)],
    )


def scrub_event(event: Any, hint: Any) -> Any:
    """Return an event with nothing but what failed, where, and in which view and match."""
    scrubbed = {name: event[name] for name in (*KEPT_FIELDS, *MORE_FIELDS) if name in event}
    if (request := logs.current_request.get()) is not None:
        scrubbed["transaction"] = logs.view_name(request)
        scrubbed["tags"] = {"request": logs.request_id_of(request), "match": logs.match_id_of(request)}
    elif "transaction" in scrubbed and scrubbed["transaction"].startswith("/"):
        scrubbed["transaction"] = "-"
    return _scrub_texts(scrubbed)


def _scrub_texts(value: Any) -> Any:
    """Scrub every text of a nested value."""
    if isinstance(value, str):
        return logs.scrub(value)
    if isinstance(value, dict):
        return {key: _scrub_texts(item) for key, item in value.items() if key != "vars"}
    if isinstance(value, list | tuple):
        return [_scrub_texts(item) for item in value]
    return value
