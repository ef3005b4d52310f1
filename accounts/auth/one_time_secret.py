"""Secrets that are shown once: stashed in the session by one request, and popped by the page that it redirects to.

If the response to a form showed the secret itself, every reload of that page would ask for a new one. Between the two
requests the secret is in the session, encrypted with the site's key.
"""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase

from accounts.web.encryption import DECRYPTION_ERRORS, site_cipher

STASH_KEY = "shown-once"


def stash(session: SessionBase, *, kind: str, pk: int, secret: str) -> None:
    """Keep the secret of the row `pk` for the next page of this kind; an earlier one is forgotten."""
    session[STASH_KEY] = {"kind": kind, "of": pk, "locked": site_cipher("once").encrypt(secret)}


def pop(session: SessionBase, *, kind: str, pk: int | None = None) -> tuple[int, str] | None:
    """The primary key and secret that were stashed for this kind (and for the row `pk`), this one time."""
    stashed = session.get(STASH_KEY)
    if not isinstance(stashed, dict) or stashed["kind"] != kind or pk not in (None, stashed["of"]):
        return None
    del session[STASH_KEY]
    try:
        return stashed["of"], site_cipher("once").decrypt(stashed["locked"])
    except DECRYPTION_ERRORS:
        return None  # the site's key was changed a moment ago
