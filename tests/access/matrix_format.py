"""The format of the matrix: a row for each action at a URL, a letter for each actor.

    V  opens (a page view; nothing is written)       D  done (rows were written)
    R  refused with a reason; nothing is written     H  hidden: a 404; nothing is written
    L  redirected to sign in, or a 401               S  redirected to sign up
    M  no such method here                           P  must reauthenticate, or set up two-factor authentication
    N  no change: it was so already, or writes no rows
    B  a bad request (400) for every actor

Blanks in the letters are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tests.access.world import ACTORS

LETTERS = "VDRHLSMPNB"
LETS_IN = "VDN"


class Row(NamedTuple):
    """An action: the name of its route, the method and the URL arguments (`GET {cup}`), what each actor gets.

    Words in braces are those of the world. `form` is sent as a form, `body` as JSON; `query` is the query
    string, and `writes` says why a page view may write.
    """

    route: str
    request: str
    gets: str
    form: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    query: str = ""
    writes: str = ""
    csrf: bool = True
    headers: Mapping[str, str] | None = None

    @property
    def method(self) -> str:
        return self.request.split()[0]

    @property
    def args(self) -> Sequence[str]:
        return self.request.split()[1:]

    @property
    def letters(self) -> str:
        return self.gets.replace(" ", "")

    def __str__(self) -> str:
        data = self.form or self.body or {}
        about = " ".join(f"{key}={value}" for key, value in data.items())
        return (
            f"{self.route} {self.request}{' ?' + self.query if self.query else ''}{'  ' + about[:60] if about else ''}"
        )


class Area(NamedTuple):
    """Some rows, and their actors."""

    name: str
    rows: Sequence[Row]
    actors: Sequence[str] = ACTORS


def page(route: str, args: str, gets: str, **more: Any) -> Row:
    """A page view."""
    return Row(route, f"GET {args}".strip(), gets, **more)


def form(route: str, args: str, gets: str, /, **data: Any) -> Row:
    """A form submission."""
    return Row(route, f"POST {args}".strip(), gets, form=data)


def put(route: str, args: str, gets: str, /, **data: Any) -> Row:
    """A PUT request."""
    return Row(route, f"PUT {args}".strip(), gets, body=data)


def patch(route: str, args: str, gets: str, /, **data: Any) -> Row:
    """A PATCH request."""
    return Row(route, f"PATCH {args}".strip(), gets, body=data)


def delete(route: str, args: str, gets: str) -> Row:
    """A DELETE request."""
    return Row(route, f"DELETE {args}".strip(), gets, body={})


def call(route: str, args: str, gets: str, /, **data: Any) -> Row:
    """A JSON request of a script."""
    return Row(route, f"POST {args}".strip(), gets, body=data)
