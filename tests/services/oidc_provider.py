"""An OpenID Connect provider on this machine, written from the standard: discovery, the code flow with PKCE, RS256.

It signs in one person, without a page. What it says can be made wrong in single points.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

CLIENT_ID, CLIENT_SECRET = "tablero", "a secret of both"
FAR_FUTURE = 4_102_444_800
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class OIDCProvider:
    """The running provider. `person` are the claims about who signs in; the rest makes its answers wrong.

    `config`, `claims` and `info` replace parts of the discovery document, the ID token and the user info; `raw`
    replaces the whole body of a path; `failing` are paths that answer 500, `pauses` seconds before others answer.
    """

    url: str
    person: dict[str, Any]
    config: dict[str, Any] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    failing: set[str] = field(default_factory=set)
    pauses: dict[str, float] = field(default_factory=dict)
    key: Any = KEY
    algorithm: str = "RS256"
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def discovery(self) -> dict[str, Any]:
        paths = {
            "authorization_endpoint": "/authorize",
            "token_endpoint": "/token",
            "userinfo_endpoint": "/userinfo",
            "jwks_uri": "/keys",
        }
        return {"issuer": self.url, **{name: self.url + path for name, path in paths.items()}, **self.config}

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser goes back to, with a code for the person."""
        assert (query["client_id"], query["response_type"], query["code_challenge_method"]) == (
            CLIENT_ID,
            "code",
            "S256",
        )
        assert {"openid", "email", "profile"} == set(query["scope"].split())
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return query["redirect_uri"] + "?" + urlencode({"code": code, "state": query["state"]})

    def token(self, form: dict[str, str], authorization: str) -> dict[str, Any]:
        """The tokens for a code, once: to the client that has the secret and the verifier."""
        asked = self.codes.pop(form["code"])
        given = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode()
        assert authorization == f"Basic {given}"
        assert challenge.rstrip("=") == asked["code_challenge"]
        assert form["redirect_uri"] == asked["redirect_uri"]
        claims = {"iss": self.url, "aud": CLIENT_ID, "sub": self.person["sub"], "nonce": asked["nonce"]}
        claims |= {"exp": FAR_FUTURE, "iat": 1_700_000_000, **self.claims}
        key = "" if self.algorithm == "none" else "shared" * 8 if self.algorithm == "HS256" else self.key
        token = jwt.encode(claims, key, algorithm=self.algorithm, headers={"kid": "one"})
        return {"access_token": "for the user info", "token_type": "Bearer", "id_token": token}

    def answer(self, path: str) -> dict[str, Any]:
        if path == "/keys":
            key = json.loads(RSAAlgorithm.to_jwk(KEY.public_key()))
            return {"keys": [{**key, "kid": "one", "alg": "RS256", "use": "sig"}]}
        if path == "/userinfo":
            return {**self.person, **self.info}
        return self.discovery()


class _Handler(BaseHTTPRequestHandler):
    provider: OIDCProvider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/authorize":
            self.send_response(302)
            self.send_header("Location", self.provider.authorize(_fields(parts.query)))
            self.end_headers()
        else:
            self._send(parts.path, lambda: self.provider.answer(parts.path))

    def do_POST(self) -> None:
        form = _fields(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self._send(self.path, lambda: self.provider.token(form, self.headers["Authorization"]))

    def _send(self, path: str, make: Any) -> None:
        self.provider.asked.append(path)
        time.sleep(self.provider.pauses.get(path, 0))
        body = (self.provider.raw.get(path) or json.dumps(make())).encode()
        self.send_response(500 if path in self.provider.failing else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Tests say by themselves what they saw."""


def _fields(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text).items()}


def back_from(target: str) -> str:
    """Go to the provider like a browser, and return where it sends the browser back to."""
    parts = urlsplit(target)
    connection = HTTPConnection(parts.netloc, timeout=60)
    connection.request("GET", f"{parts.path}?{parts.query}")
    response = connection.getresponse()
    connection.close()
    assert response.status == 302
    return response.headers["Location"]


@contextmanager
def running(**person: Any) -> Iterator[OIDCProvider]:
    """The provider for as long as the block."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    provider = OIDCProvider(f"http://127.0.0.1:{server.server_address[1]}", person)
    handler.provider = provider
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
