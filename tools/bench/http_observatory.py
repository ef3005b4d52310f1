"""Grade a site by the published tests of the HTTP Observatory: `python -m tools.bench.http_observatory URL`.

`--local` starts a site of its own behind nginx, with HTTPS by a temporary certificate, and scores that. The tests and
their points are those of https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring; whether a site is in
the preload list of browsers is not checked (no point is given for it).
"""

from __future__ import annotations

import argparse
import datetime
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from tools.services.site import running

GRADES = (
    *((100, "A+"), (90, "A"), (85, "A-"), (80, "B+"), (70, "B"), (65, "B-"), (60, "C+"), (50, "C"), (45, "C-")),
    *((40, "D+"), (30, "D"), (25, "D-"), (0, "F")),
)
SIX_MONTHS = 15_768_000
UNSAFE = ("'unsafe-inline'", "'unsafe-eval'", "data:", "http:", "https:", "*")
PRIVATE = {"no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin"}


@dataclass(frozen=True)
class Fetched:
    """The response to `GET /`, after redirects."""

    url: str
    status: int
    headers: Message
    page: str


@dataclass(frozen=True)
class Scored:
    """A test, its finding, and its points."""

    test: str
    found: str
    points: int


def grade(scores: list[Scored]) -> tuple[int, str]:
    """Return the grade: penalties first; extra points count only from 90 on."""
    total = 100 + sum(scored.points for scored in scores if scored.points < 0)
    if total >= 90:
        total += sum(scored.points for scored in scores if scored.points > 0)
    total = max(0, total)
    return total, next(name for least, name in GRADES if total >= least)


def csp(page: Fetched) -> Scored:
    text = page.headers.get("Content-Security-Policy")
    if text is None:
        return Scored("content-security-policy", "not implemented", -25)
    rules: dict[str, list[str]] = {}
    for part in text.split(";"):
        name, _, rest = part.strip().partition(" ")
        if name:
            rules.setdefault(name.lower(), rest.split())
    script = rules.get("script-src", rules.get("default-src", ["*"]))
    objects = rules.get("object-src", rules.get("default-src", ["*"]))
    style = rules.get("style-src", rules.get("default-src", ["*"]))
    if set(UNSAFE) & {*script, *objects}:
        return Scored("content-security-policy", "unsafe scripts or objects", -20)
    if any(source.startswith("http://") for sources in rules.values() for source in sources):
        return Scored("content-security-policy", "allows plain http", -20)
    if set(UNSAFE) & set(style):
        return Scored("content-security-policy", "unsafe styles", 0)
    closed = rules.get("default-src") == ["'none'"]
    own_forms = set(rules.get("form-action", ["*"])) <= {"'none'", "'self'"}
    if closed and own_forms and rules.get("base-uri") in (["'none'"], ["'self'"]):
        return Scored("content-security-policy", "default-src 'none', no unsafe, form-action 'self'", 10)
    return Scored("content-security-policy", "no unsafe", 5)


def cookies(page: Fetched) -> Scored:
    found = SimpleCookie()
    for line in page.headers.get_all("Set-Cookie") or []:
        found.load(line)
    if not found:
        return Scored("cookies", "none", 0)
    for name, morsel in found.items():
        session = "sess" in name.lower()
        if not morsel["secure"]:
            return Scored("cookies", f"{name} without Secure", -40 if session else -20)
        if session and not morsel["httponly"]:
            return Scored("cookies", f"{name} without HttpOnly", -30)
        if "csrf" in name.lower() and not morsel["samesite"]:
            return Scored("cookies", f"{name} without SameSite", -20)
        if morsel["samesite"] and morsel["samesite"].lower() not in ("lax", "strict"):
            return Scored("cookies", f"{name} with SameSite {morsel['samesite']}", -20)
    everywhere = all(morsel["samesite"] for morsel in found.values())
    return Scored(
        "cookies", f"{', '.join(found)}: Secure" + (", SameSite" if everywhere else ""), 5 if everywhere else 0
    )


def cors(page: Fetched) -> Scored:
    allowed, secret = (page.headers.get(f"Access-Control-Allow-{name}") for name in ("Origin", "Credentials"))
    if allowed == "*" and secret == "true":
        return Scored("cross-origin-resource-sharing", "universal, with credentials", -50)
    return Scored("cross-origin-resource-sharing", allowed or "not implemented", 0)


def referrer(page: Fetched) -> Scored:
    text = page.headers.get("Referrer-Policy")
    if text is None:
        return Scored("referrer-policy", "not implemented", 0)
    last = text.split(",")[-1].strip().lower()
    return Scored("referrer-policy", last, 5 if last in PRIVATE else -5)


def hsts(page: Fetched) -> Scored:
    if not page.url.startswith("https:"):
        return Scored("strict-transport-security", "no https", -20)
    found = re.search(r"max-age=(\d+)", page.headers.get("Strict-Transport-Security", ""))
    if found is None:
        return Scored("strict-transport-security", "not implemented", -20)
    return Scored(
        "strict-transport-security", f"{int(found[1]) // 86400} days", 0 if int(found[1]) >= SIX_MONTHS else -10
    )


class Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        if tag == "script" and about.get("src"):
            self.found.append((about["src"] or "", bool(about.get("integrity"))))


def integrity(page: Fetched) -> Scored:
    scripts = Scripts()
    scripts.feed(page.page)
    host = urlsplit(page.url).netloc
    foreign = [script for script in scripts.found if urlsplit(urljoin(page.url, script[0])).netloc != host]
    if not scripts.found:
        return Scored("subresource-integrity", "no scripts", 0)
    if not foreign:
        sealed = all(seal for _, seal in scripts.found)
        return Scored("subresource-integrity", f"{len(scripts.found)} scripts, all of this host", 5 if sealed else 0)
    return Scored("subresource-integrity", "scripts of other hosts", 5 if all(seal for _, seal in foreign) else -5)


def nosniff(page: Fetched) -> Scored:
    good = page.headers.get("X-Content-Type-Options", "").lower() == "nosniff"
    return Scored("x-content-type-options", "nosniff" if good else "not implemented", 0 if good else -5)


def frames(page: Fetched) -> Scored:
    if "frame-ancestors" in page.headers.get("Content-Security-Policy", ""):
        return Scored("x-frame-options", "by frame-ancestors", 5)
    good = page.headers.get("X-Frame-Options", "").upper() in ("DENY", "SAMEORIGIN")
    return Scored("x-frame-options", "by its own header" if good else "not implemented", 0 if good else -20)


def resource(page: Fetched) -> Scored:
    text = page.headers.get("Cross-Origin-Resource-Policy")
    points = {"same-origin": 10, "same-site": 10, "cross-origin": 0, None: 0}.get(text, -5)
    return Scored("cross-origin-resource-policy", text or "not implemented", points)


TESTS = (csp, cookies, cors, referrer, hsts, integrity, nosniff, frames, resource)


def get(url: str, context: ssl.SSLContext) -> tuple[int, Message, str]:
    parts = urlsplit(url)
    made: http.client.HTTPConnection
    if parts.scheme == "https":
        made = http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=30, context=context)
    else:
        made = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=30)
    made.request("GET", parts.path or "/", headers={"User-Agent": "observatory", "Accept": "text/html"})
    answer = made.getresponse()
    body = answer.read().decode(errors="replace")
    made.close()
    return answer.status, answer.headers, body


def redirection(plain: str | None, context: ssl.SSLContext) -> Scored:
    """Check plain HTTP: it has to redirect to HTTPS on the same host at once."""
    if plain is None:
        return Scored("redirection", "not asked", 0)
    try:
        status, headers, _ = get(plain, context)
    except OSError:
        return Scored("redirection", "no plain http at all", 0)
    place = urlsplit(urljoin(plain, headers.get("Location", "")))
    if status not in (301, 302, 303, 307, 308):
        return Scored("redirection", "missing", -20)
    if place.scheme != "https":
        return Scored("redirection", "not to https", -10)
    if place.hostname != urlsplit(plain).hostname:
        return Scored("redirection", "to another host", -5)
    return Scored("redirection", "to https on the same host", 0)


def score(url: str, plain: str | None, context: ssl.SSLContext) -> list[Scored]:
    status, headers, body = get(url, context)
    page = Fetched(url, status, headers, body)
    return [*(test(page) for test in TESTS), redirection(plain, context)]


def print_scores(url: str, scores: list[Scored]) -> str:
    total, letter = grade(scores)
    for scored in scores:
        print(f"  {scored.points:+4d}  {scored.test:32} {scored.found}")
    print(f"{letter} ({total}) {url}")
    return letter


NGINX = """
pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; server_tokens off;
  server {{ listen 127.0.0.1:{plain}; return 301 https://localhost:{secure}$request_uri; }}
  server {{
    listen 127.0.0.1:{secure} ssl; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
    location / {{
      proxy_pass {site}; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;
    }}
  }}
}}
"""


def certificate(folder: Path) -> None:
    """Create a certificate for localhost that is valid for a day and trusted only by this run."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    (folder / "key.pem").write_bytes(key.private_bytes(*form))


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def local() -> Iterator[tuple[str, str, ssl.SSLContext]]:
    """Run a site with HTTPS on this machine: its URL, its plain URL, and its certificate."""
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.access(nginx, os.X_OK):
        sys.exit("nginx is missing: apt install nginx")
    with tempfile.TemporaryDirectory(prefix="tablero-https-") as name:
        folder = Path(name)
        certificate(folder)
        secure, plain = free_port(), free_port()
        env = {"HTTPS": "1", "TRUST_PROXY": "1", "ALLOWED_HOSTS": "localhost,127.0.0.1"}
        env["CSRF_TRUSTED_ORIGINS"] = f"https://localhost:{secure}"
        with running(folder / "var", timeout=900, **env) as site:
            conf = folder / "nginx.conf"
            conf.write_text(NGINX.format(folder=folder, site=site.url.rstrip("/"), secure=secure, plain=plain))
            process = subprocess.Popen([nginx, "-c", str(conf), "-g", "daemon off;"], stderr=subprocess.DEVNULL)
            try:
                time.sleep(1)
                trust = ssl.create_default_context(cafile=str(folder / "cert.pem"))
                yield f"https://localhost:{secure}", f"http://localhost:{plain}/", trust
            finally:
                process.terminate()
                process.wait(20)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="*")
    parser.add_argument("--http", help="the address without https, to look at its redirection")
    parser.add_argument("--ca", help="a certificate to trust")
    parser.add_argument("--local", action="store_true", help="a site of its own behind nginx")
    options = parser.parse_args()
    letters = []
    if options.local:
        with local() as (base, plain, trust):
            for path in ("/", "/accounts/login/", "/accounts/signup/", "/matches/", "/no-such-page/"):
                letters.append(print_scores(base + path, score(base + path, plain, trust)))
    for url in options.url:
        letters.append(print_scores(url, score(url, options.http, ssl.create_default_context(cafile=options.ca))))
    return 0 if letters and all(letter == "A+" for letter in letters) else 1


if __name__ == "__main__":
    sys.exit(main())
