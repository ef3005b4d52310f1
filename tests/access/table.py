"""How the table is written: a row for each act at an address, a letter for each who comes.

    V  it opens (a look; nothing is written)         D  it is done (rows were written)
    R  refused, in words; nothing is written         H  hidden: it is not there for him (404); nothing is written
    L  sent to the log-in, or told to (401)          S  sent to the sign-up
    M  no such method here                           P  first to prove again who he is, or to set up a second step
    N  answered without a change: it was so already, or has nothing to do with rows
    B  not understood (400): whoever it is, that is no such form

A blank in the letters is only for the eye.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.access.world import WHO

LETTERS = "VDRHLSMPNB"
LETS_IN = "VDN"


class Row(NamedTuple):
    """An act: the name of its route, the method and the words of the address (`GET {cup}`), what each of `who` gets.

    Words in braces are those of the world. `form` is sent as a form, `body` as JSON; `more` goes to the address after
    a question mark, and `writes` says why a mere look may write.
    """

    route: str
    how: str
    gets: str
    form: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    query: str = ""
    writes: str = ""
    csrf: bool = True
    headers: Mapping[str, str] | None = None

    @property
    def method(self) -> str:
        return self.how.split()[0]

    @property
    def args(self) -> Sequence[str]:
        return self.how.split()[1:]

    @property
    def letters(self) -> str:
        return self.gets.replace(" ", "")

    def __str__(self) -> str:
        said = self.form or self.body or {}
        about = " ".join(f"{key}={value}" for key, value in said.items())
        return f"{self.route} {self.how}{' ?' + self.query if self.query else ''}{'  ' + about[:60] if about else ''}"


class Area(NamedTuple):
    """Some rows, and who comes to them."""

    name: str
    rows: Sequence[Row]
    who: Sequence[str] = WHO


def page(route: str, how: str, gets: str, **more: Any) -> Row:
    """A page that is looked at."""
    return Row(route, f"GET {how}".strip(), gets, **more)


def form(route: str, how: str, gets: str, /, **said: Any) -> Row:
    """A form that is sent."""
    return Row(route, f"POST {how}".strip(), gets, form=said)


def put(route: str, how: str, gets: str, /, **said: Any) -> Row:
    """A call that puts something in its place."""
    return Row(route, f"PUT {how}".strip(), gets, body=said)


def patch(route: str, how: str, gets: str, /, **said: Any) -> Row:
    """A call that changes a part."""
    return Row(route, f"PATCH {how}".strip(), gets, body=said)


def delete(route: str, how: str, gets: str) -> Row:
    """A call that takes something away."""
    return Row(route, f"DELETE {how}".strip(), gets, body={})


def call(route: str, how: str, gets: str, /, **said: Any) -> Row:
    """A script's call, with JSON."""
    return Row(route, f"POST {how}".strip(), gets, body=said)
