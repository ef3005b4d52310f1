"""Who opens a socket: the session of its cookie and that session's user, read in the threads of play.

After the loss of a host, or of the database for a while, all players connect at once, and some of them a second time
because the first took too long. Channels' middleware reads sessions in one thread that all sockets share, and also for
clients that have given up: those who wait would stand behind those who do not.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from channels.sessions import CookieMiddleware
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase

from accounts.auth.session_validity import session_user
from accounts.models import User
from games.connections.transport import Application, Scope, buffers_of
from games.database import in_db


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class VisitorMiddleware:
    """Adds `cookies`, `session` and `user` to the scope of each socket, as Channels' own middleware does."""

    def __init__(self, application: Application) -> None:
        self._with_visitor = CookieMiddleware(self._call)
        self.application = application

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        await self._with_visitor(scope, receive, send)

    async def _call(self, scope: Scope, receive: Any, send: Any) -> None:
        session: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(
            scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        )
        user: User | None = None
        if session.session_key is not None:
            buffers = buffers_of(scope)
            try:
                user = await in_db(_user_of, session, lambda: buffers is not None and buffers.gone)
            except ClientGone:
                return
        await self.application({**scope, "session": session, "user": user or AnonymousUser()}, receive, send)


def _user_of(session: SessionBase, gone: Callable[[], bool]) -> User | None:
    """Load a session and return its user; None for an anonymous visitor. Raises ClientGone."""
    if gone():
        raise ClientGone
    return session_user(session)
