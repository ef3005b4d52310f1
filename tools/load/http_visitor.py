"""An HTTP client that behaves like a browser: it keeps cookies, sends the CSRF token, follows redirects."""

from __future__ import annotations

import re
import urllib.parse
import urllib.request
from http.cookiejar import Cookie, CookieJar

from tools.load.html_forms import Form

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Visitor:
    """The session of one user at one site on this machine."""

    def __init__(self, base: str) -> None:
        host = urllib.parse.urlsplit(base).hostname or ""
        if host not in ("127.0.0.1", "localhost", "::1"):
            raise ValueError(f"this machine only, not {host}")
        self.base = base.rstrip("/")
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def get(self, path: str) -> tuple[str, str]:
        """Return (final URL, page)."""
        with self.opener.open(self.base + path, timeout=60) as answer:
            return answer.geturl(), answer.read().decode()

    def post(self, path: str, form: dict[str, str], *, page: str = "/") -> tuple[str, str]:
        """Send a form found on `page`; (final URL, page)."""
        found = TOKEN.search(self.get(page)[1])
        token = found.group(1) if found else ""
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **form}).encode()
        request = urllib.request.Request(self.base + path, body, {"Referer": self.base + page})  # noqa: S310
        with self.opener.open(request, timeout=60) as answer:
            return answer.geturl(), answer.read().decode()

    def send(self, form: Form, path: str, **more: str) -> tuple[str, str]:
        """Send a form of the page at `path`, with `more` filled in; (final URL, page)."""
        body = urllib.parse.urlencode({**form.fields, **more}).encode()
        request = urllib.request.Request(self.base + (form.action or path), body, {"Referer": self.base + path})  # noqa: S310
        with self.opener.open(request, timeout=60) as answer:
            return answer.geturl(), answer.read().decode()

    def use_session(self, session: str) -> None:
        """Use a session that was created beside the site (`tools.load.sessions`)."""
        host = urllib.parse.urlsplit(self.base).hostname or ""
        cookie_scope = (None, False, host if "." in host else f"{host}.local", True, False, "/", True, False)
        self.cookies.set_cookie(Cookie(0, "sessionid", session, *cookie_scope, None, False, None, None, {}))

    def sign_up(self, name: str, password: str = "a-table-of-walnut") -> None:
        """Create an account. Raises RuntimeError with the form's error."""
        url, page = self.post("/accounts/signup/", {"username": name, "password1": password}, page="/accounts/signup/")
        if "/accounts/signup" in url:
            raise RuntimeError(f"sign-up refused: {re.sub('<[^>]+>', ' ', page)[:2000]}")

    def challenge(self, opponent: str, *, length: int, clock: str = "club", rated: bool = True) -> None:
        """Challenge a player by name in the lobby."""
        form = {"opponent": "player", "name": opponent, "variant": "backgammon", "length": "other"}
        form |= {"length_other": str(length), "clock": clock, "cube": "on"} | ({"rated": "on"} if rated else {})
        self.post("/play/seek/", form)

    def accept_first(self) -> str:
        """Accept the first challenge in the lobby; the match's id."""
        found = re.search(r"/match/(\w+)/join/", self.get("/")[1])
        if found is None:
            raise RuntimeError("no challenge in the lobby")
        self.post(f"/match/{found.group(1)}/join/", {})
        return found.group(1)

    @property
    def cookie_header(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
