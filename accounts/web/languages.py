"""The language of whoever asks without a page that has one: a socket."""

from __future__ import annotations

from contextlib import suppress

from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from backgammon.languages import DEFAULT


def preferred_language(*, account: str, cookie: str, accept: str) -> str:
    """Return the first language of ours that is chosen in the account or the cookie, else asked for by the browser.

    `accept` is an Accept-Language header. It is what `LanguageMiddleware` chooses for pages.
    """
    for tag in (account, cookie, *(tag for tag, _quality in parse_accept_lang_header(accept.lower()))):
        with suppress(LookupError):
            return str(get_supported_language_variant(tag))
    return DEFAULT
