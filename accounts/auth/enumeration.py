"""Protection against account enumeration: sign-in, sign-up and reset answer alike whether an address is known or not.

The same words, the same status, the same time. Usernames are public here: every player has a page. Private is which
e-mail address belongs to whom, whether it belongs to anybody, and how near a wrong password came. See docs/security.md;
the forms are in accounts.auth.forms.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from threading import Event
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


def constant_time(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer a POST no sooner than `settings.ANSWER_AFTER` seconds later; a successful sign-in at once.

    The differences behind two answers (one row more, another e-mail) take milliseconds: they end before that moment.
    """

    @wraps(view)
    def delayed(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        began = time.monotonic()
        response = view(request, *args, **kwargs)
        if request.method == "POST" and not getattr(request, "signed_in", False):
            Event().wait(max(0.0, began + settings.ANSWER_AFTER - time.monotonic()))
        return response

    return delayed
