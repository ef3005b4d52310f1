"""Name the browser and the system of a user agent. Pure."""

from __future__ import annotations

import re

BROWSERS = (
    *(("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox")),
    *(("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari")),
)
"""What a user agent says, and our name for it; the first match counts."""
SYSTEMS = (
    *(("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows")),
    *(("CrOS", "ChromeOS"), ("Macintosh", "Mac"), ("Mac OS X", "Mac"), ("Linux", "Linux")),
)


def parse_user_agent(user_agent: str) -> tuple[str, str]:
    """The names of the browser and the system; empty where it names none that we know.

    >>> parse_user_agent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    ('Firefox', 'Linux')
    """
    browser = next((name for token, name in BROWSERS if re.search(rf"\b{token}\w*/", user_agent)), "")
    system = next((name for token, name in SYSTEMS if token in user_agent), "")
    return browser, system
