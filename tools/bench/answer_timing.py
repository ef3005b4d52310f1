"""Measure whether response times reveal if an account exists: `python -m tools.bench.answer_timing --samples 300`.

A site of its own, with a mail server that never responds, gets requests for known and unknown accounts in random order
at each form, over loopback and from different addresses, so that no limit responds instead of the form. Welch's t-test
compares the two; a p below the threshold is a leak.
"""

from __future__ import annotations

import argparse
import http.client
import math
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tools.services.site import Site, running

WANTED = 0.01
"""With three forms, a p below this by chance once in thirty runs; a leak of a millisecond is far below it."""
PASSWORD = "a long and quiet word"
PEOPLE = """
from allauth.account.models import EmailAddress
from accounts.models import User
for number in range({count}):
    user = User.objects.create_user(f"known{{number}}", f"known{{number}}@club.example", {password!r})
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
answer = User.objects.count()
"""


@dataclass(frozen=True)
class Answer:
    seconds: float
    status: int
    place: str
    page: str


class Visitor:
    """A browser at a form: its token and cookie, and a connection that stays open."""

    def __init__(self, site: Site, path: str) -> None:
        self.path, parts = path, urlsplit(site.url)
        self.connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self.address = ".".join(str(random.randrange(1, 255)) for _ in range(4))
        self.connection.request("GET", path, headers={"X-Forwarded-For": self.address})
        answer = self.connection.getresponse()
        found = re.search(r'csrfmiddlewaretoken" value="(\w+)"', answer.read().decode())
        assert found, path
        self.token = found[1]
        self.cookie = "; ".join(header.split(";")[0] for header in answer.headers.get_all("Set-Cookie") or [])

    def post(self, **fields: str) -> Answer:
        body = urlencode({"csrfmiddlewaretoken": self.token, **fields})
        headers = {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"}
        headers["X-Forwarded-For"] = self.address
        began = time.perf_counter()
        self.connection.request("POST", self.path, body, headers)
        answer = self.connection.getresponse()
        page = answer.read().decode()
        took = time.perf_counter() - began
        return Answer(took, answer.status, answer.headers.get("Location", ""), page)


def log_in(site: Site, known: bool, number: int, count: int) -> Answer:
    name = f"known{number % count}" if known else f"nobody{number}"
    return Visitor(site, "/accounts/login/").post(login=f"{name}@club.example", password="wrong")


def reset(site: Site, known: bool, number: int, count: int) -> Answer:
    name = f"known{number % count}" if known else f"nobody{number}"
    return Visitor(site, "/accounts/password/reset/").post(email=f"{name}@club.example")


def sign_up(site: Site, known: bool, number: int, count: int) -> Answer:
    name = f"known{number % count}" if known else f"nobody{number}x"
    facts = {"username": f"new{'ab'[known]}{number}", "password1": PASSWORD, "email": f"{name}@club.example"}
    return Visitor(site, "/accounts/signup/").post(**facts)


FORMS: dict[str, Callable[[Site, bool, int, int], Answer]] = {"log-in": log_in, "reset": reset, "sign-up": sign_up}


def welch(a: list[float], b: list[float]) -> tuple[float, float]:
    """Return Welch's t and the two-sided p (Student's distribution by its incomplete beta function)."""
    va, vb = statistics.variance(a) / len(a), statistics.variance(b) / len(b)
    t = (statistics.fmean(a) - statistics.fmean(b)) / math.sqrt(va + vb)
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    return t, _beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def _beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function by its continued fraction (Numerical Recipes 6.4)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            total *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return front * total / a


def same_words(known: Answer, unknown: Answer) -> bool:
    """Whether status, URL and page are the same except for the input and what each page generates anew."""

    def plain(page: str) -> str:
        page = re.sub(r'value="\w{64}"', "", page)
        return re.sub(r"(known|nobody)\d+x?@club\.example", "TYPED", page)

    return (known.status, known.place, plain(known.page)) == (unknown.status, unknown.place, plain(unknown.page))


def measure(site: Site, form: str, samples: int, count: int) -> tuple[float, bool]:
    """Return the p of a form, and whether its responses are the same."""
    times: dict[bool, list[float]] = {True: [], False: []}
    last: dict[bool, Answer] = {}
    for number in range(-3, samples):
        pair = [True, False]
        random.shuffle(pair)
        for known in pair:
            last[known] = FORMS[form](site, known, number + 3, count)
            if number >= 0:  # the first requests warm the site up
                times[known].append(last[known].seconds)
    t, p = welch(times[True], times[False])
    means = {known: 1000 * statistics.fmean(found) for known, found in times.items()}
    spread = {known: 1000 * statistics.stdev(found) for known, found in times.items()}
    same = same_words(last[True], last[False])
    print(
        f"{form:8} known {means[True]:7.2f} ms (sd {spread[True]:5.2f})  unknown {means[False]:7.2f} ms"
        f" (sd {spread[False]:5.2f})  t {t:6.2f}  p {p:.3f}  status {last[True].status}"
        f"  {'the same words' if same else 'OTHER WORDS'}",
        flush=True,
    )
    return p, same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--forms", nargs="*", choices=FORMS, default=list(FORMS))
    options = parser.parse_args()
    count = options.samples + 10
    with tempfile.TemporaryDirectory(prefix="tablero-timing-") as folder:
        # a mail server that does not exist: e-mails wait, and no response may
        env = {"EMAIL_URL": "smtp://127.0.0.1:1", "TRUST_PROXY": "1"}
        with running(Path(folder), "--without-accounts", timeout=900, **env) as site:
            site.ask(PEOPLE.format(count=count, password=PASSWORD))
            found = [measure(site, form, options.samples, count) for form in options.forms]
    leaks = [form for form, (p, same) in zip(options.forms, found, strict=True) if p < WANTED or not same]
    print("no form reveals who has an account" if not leaks else f"leaks: {', '.join(leaks)}")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
