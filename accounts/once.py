"""What is shown once: put by for the page that comes next, and gone when that has shown it.

A secret that answered a form itself would be asked for anew by every reload of its page. So the form's answer leads on
to a page, and between the two the secret waits in the session, locked with the site's key.
"""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase

from accounts.box import WRONG_KEY, site_box

KEPT = "shown-once"


def put_by(session: SessionBase, *, kind: str, of: int, secret: str) -> None:
    """Keep the secret of row `of` for the next page of this kind; one that was kept before is forgotten."""
    session[KEPT] = {"kind": kind, "of": of, "locked": site_box("once").lock(secret)}


def taken(session: SessionBase, *, kind: str, of: int | None = None) -> tuple[int, str] | None:
    """The row and its secret that were put by for this kind (and for row `of`), this one time."""
    kept = session.get(KEPT)
    if not isinstance(kept, dict) or kept["kind"] != kind or of not in (None, kept["of"]):
        return None
    del session[KEPT]
    try:
        return kept["of"], site_box("once").open(kept["locked"])
    except WRONG_KEY:
        return None  # the site has another key since a moment ago
