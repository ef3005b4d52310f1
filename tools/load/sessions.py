"""Django code that runs beside a site (`Site.ask`): members with a session, without the sign-up form."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from accounts.models import User

MEMBERS = "from tools.load.sessions import members; answer = members({names!r})"  # for `Site.ask`


def members(names: list[str]) -> dict[str, str]:
    """Create members, and a session for each; the session keys by name."""
    return {name: session_of(User.objects.create_user(name)) for name in names}


def session_of(user: User) -> str:
    """Create a session for a user and return its key, the value of the session cookie."""
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)
