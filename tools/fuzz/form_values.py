"""Unexpected values of form fields, and damaged forms."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tools.fuzz.files import upload
from tools.fuzz.frames_grammar import HOSTILE
from tools.services.environment import ROOT

APPS = ("accounts", "games", "tournaments", "analysis", "chat", "notifications", "eventlog", "backgammon")
READS = re.compile(r"""(?:GET|POST|query_params)(?:\.get|\.getlist)?[\[(]["'](\w+)["']""")
LIBRARIES = (
    *("next", "login", "password", "code", "client_id", "redirect_uri", "response_type", "scope", "state", "nonce"),
    *("prompt", "resource", "code_challenge", "code_challenge_method", "response_mode", "grant_type", "code_verifier"),
    *("refresh_token", "token", "token_type_hint", "device_code", "post_logout_redirect_uri", "id_token_hint"),
)
"""What allauth and oauthlib read."""
TEXTS: Sequence[str] = (
    *("", " ", "0", "-1", "1", "2147483648", "9223372036854775808", "9" * 400, "1e999", "NaN", "inf", "0x10", "1_0"),
    *("٣", "½", "１２", "\0", "a\0b", "\r\nX-Evil: 1", "\u202e\u2066evil\u2069", "e\u0301" * 50, "\ud800"),
    *("a" * 25, "a" * 5_000, "🎲" * 300, "﷽" * 100, "<script>alert(1)</script>", "{{ 7*7 }}", "{0.__class__}", "%s%n"),
    *("' OR 1=1 --", '"; DROP TABLE x; --', "=1+1", "@SUM(A1)", "../../etc/passwd", "//evil.example/", "javascript:1"),
    *(
        "http://[::1",
        "https://evil.example",
        "\\\\evil",
        "/\\evil",
        "null",
        "None",
        "true",
        "on",
        "undefined",
        "[]",
        "{}",
    ),
    *("0000-00-00", "0001-01-01", "9999-12-31", "2026-02-30", "99999-01-01", "2026-01-01T99:99", "24:00", "-1:00"),
    *("XGID=", "XGID=" + "-" * 26 + ":0:0:1:31:0:0:0:3:10", "8/5 6/5", "resign 1", "a,b," * 300, "UTC", "Mars/Phobos"),
)
WORDS_OF_PATHS: Sequence[str] = (
    *("0", "1", "-1", "999999999", "2147483648", "9223372036854775808", "9" * 40, "nobody", "a" * 200, "A", "_", "-"),
    *("%00", "a%00b", "%ff", "%E2%80%AE", "%ED%A0%80", "..", "%2e%2e", "%0d%0a", "٣", "🎲", "ana%20", "ANA", "'"),
)
TYPES = ("application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "")
BODIES: Sequence[bytes] = (
    *(b"", b"null", b"[]", b"{", b"\xff\xfe", b'{"id":' * 500, b"a=1&a=2&%=%&=&&&", b"a=%ff%fe&b=%00", b"&" * 3000),
    *(b"--x\r\n", b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', b'{"a":1,"a":2}', b"[" * 5_000, b"NaN"),
    *(b'--x\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n\xff\r\n--x--\r\n', b"1" * 5_000),
    b"&".join(b"f%d=1" % n for n in range(1_200)),
)


@cache
def names() -> tuple[str, ...]:
    """Return every name in a form or URL that the code or a library reads."""
    found = set(LIBRARIES)
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            found.update(READS.findall(path.read_text()))
    return tuple(sorted(found))


def damaged(dice: random.Random, fields: Mapping[str, Any], *, json: bool) -> dict[str, Any]:
    """Return the fields of a form with some of them wrong, missing, doubled, or strange."""
    form = dict(fields)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        luck = dice.random()
        name = dice.choice(list(form)) if form and luck < 0.8 else dice.choice(names())
        if luck < 0.1:
            form.pop(name, None)
        elif json:
            form[name] = dice.choice(HOSTILE) if dice.random() < 0.6 else dice.choice(TEXTS)
        elif luck < 0.2:
            form[name] = [dice.choice(TEXTS), dice.choice(TEXTS)]
        elif luck < 0.25 or name == "file":
            form[name] = upload(dice)
        else:
            form[name] = dice.choice(TEXTS)
    return form
