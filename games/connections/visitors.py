"""Who opens a socket: the session of its cookie and that session's user.

Channels' own middleware reads them in one thread that all sockets share, one after the other, and also for clients that
have given up meanwhile. After the loss of a host, those who wait would stand behind those who do not.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import parse_cookie

from accounts.auth.session_validity import open_sessions
from accounts.models import User
from games.connections.transport import Application, Scope, buffers_of
from games.event_loop import per_event_loop
from games.group_read import GroupRead, NotWanted

Visitor = tuple[SessionStore, User | None]


_visitors = per_event_loop(lambda: GroupRead[str, Visitor](open_sessions))


class VisitorMiddleware:
    """Adds `cookies`, `session` and `user` to the scope of each socket, as Channels' own middleware does."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        try:
            await _add_visitor(scope)
        except NotWanted:
            return
        await self.application(scope, receive, send)


async def _add_visitor(scope: Scope) -> None:
    session, user = SessionStore(), None
    buffers = buffers_of(scope)
    cookies = _cookies(scope)
    if key := cookies.get(settings.SESSION_COOKIE_NAME):
        session, user = await _visitors().ask(key, lambda: buffers is None or not buffers.gone)
    scope.update(cookies=cookies, session=session, user=user or AnonymousUser())


def _cookies(scope: Scope) -> dict[str, str]:
    headers = (parse_cookie(value.decode("latin-1")) for name, value in scope["headers"] if name == b"cookie")
    return next(headers, {})
