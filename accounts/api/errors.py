"""The one shape of everything that the API refuses: ``{code, text, ruling, fields}``, translated, whatever the status.

400  what was sent cannot be read; `fields` says where      406  only JSON is spoken
401  the request does not say who asks, or its token is bad 409  it cannot be: `code` is the refusal's
403  he may not, or the token lacks the scope               412  it has changed since it was seen (If-Match)
404  there is none, or none that he may see                 413  too large      415  not JSON
405  not by this method                                     429  too many requests: wait `Retry-After` seconds
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, status
from rest_framework.response import Response

from accounts.errors import Refused
from accounts.limits import TooOften

log = logging.getLogger(__name__)

TEXTS: dict[str, str | Promise] = {
    "invalid": _("That cannot be read. See what is said of its fields."),
    "unknown_field": _("There is no such field: %(names)s."),
    "unfit": _("That does not fit. See what is said of its fields."),
    "parse": _("The body of the request is not JSON."),
    "bad_cursor": _("This cursor is not one of ours, or of another list. Begin at the first page."),
    "not_authenticated": _("Say who you are: log in, or send a token."),
    "bad_token": _("This token is not good (any more)."),
    "forbidden": _("You may not do that."),
    "members_only": _("That is for members. Signing up takes a minute and keeps your games."),
    "bots_only": _("That is for bots with their token."),
    "staff_only": _("That is for the staff of this site."),
    "https_only": _("That is answered over https only. If a token was sent with it, make a new one."),
    "scope": _("This token may not do that: it lacks “%(scope)s”."),
    "csrf": _("The page that sent this is out of date. Load it again."),
    "nothing_here": _("There is nothing here."),
    "method": _("This address does not know that method."),
    "not_acceptable": _("The API speaks JSON only."),
    "changed_since": _("This has changed since you saw it. Look again."),
    "too_big": _("That is too large."),
    "media_type": _("Send JSON, and say so in Content-Type."),
    "too_often": _("Too many requests. Wait %(seconds)s seconds."),
}
_status_of: dict[str, int] = {
    "no_such_player": 404,
    "no_club": 404,
    "no_token": 404,
    "no_program": 404,
    "bad_cursor": 404,
    "too_often": 429,
    "club_not_owner": 403,
    "club_not_director": 403,
    "club_new": 403,
    "club_members_only": 403,
    "token_member": 403,
}


class Problem(Refused):
    """What a request of the API lacks: a refusal of its form, not of the act."""

    texts = TEXTS

    def __init__(
        self,
        code: str,
        *,
        status: int,
        params: dict[str, Any] | None = None,
        fields: Mapping[str, list[str]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code, params=params)
        self.status = status
        self.fields = dict(fields or {})
        self.headers = dict(headers or {})

    def as_json(self) -> dict[str, Any]:
        return {**super().as_json(), **({"fields": self.fields} if self.fields else {})}


def refused_with(status_code: int, *codes: str) -> None:
    """Say of refusals which status they are answered with: 409 where nothing is said."""
    for code in codes:
        _status_of[code] = status_code


def status_of(code: str) -> int:
    """The status of a refusal's code."""
    return _status_of.get(code, status.HTTP_409_CONFLICT)


def problem_of(error: Exception) -> Refused | None:
    """An exception as a refusal, or None for a bug."""
    found: Refused | None = None
    if isinstance(error, Refused):
        found = error
    elif isinstance(error, exceptions.ValidationError):
        found = invalid(error)
    elif isinstance(error, exceptions.ParseError):
        found = Problem("parse", status=400)
    elif isinstance(error, exceptions.NotAuthenticated):
        found = Problem("not_authenticated", status=401)
    elif isinstance(error, exceptions.AuthenticationFailed):
        found = Problem("bad_token", status=401)
    elif isinstance(error, exceptions.PermissionDenied | PermissionDenied):
        found = Problem("csrf" if "CSRF" in str(error) else "forbidden", status=403)
    elif isinstance(error, exceptions.NotFound | Http404):
        found = Problem("nothing_here", status=404)
    elif isinstance(error, exceptions.MethodNotAllowed):
        found = Problem("method", status=405)
    elif isinstance(error, exceptions.NotAcceptable):
        found = Problem("not_acceptable", status=406)
    elif isinstance(error, RequestDataTooBig):
        found = Problem("too_big", status=413)
    elif isinstance(error, exceptions.UnsupportedMediaType):
        found = Problem("media_type", status=415)
    return found


def answered_with(error: Refused) -> int:
    """The status with which a refusal is answered."""
    return status_of(error.code) if error.status is None else error.status


def invalid(error: exceptions.ValidationError) -> Problem:
    """The faults of fields, flat: ``{"options.beavers": ["..."]}``; what is said of the whole stands under ``""``."""
    fields = dict(_flat("", error.detail))
    codes = set(_codes(error.get_codes()))
    if codes == {"unknown_field"}:
        return Problem("unknown_field", status=400, params={"names": ", ".join(sorted(fields))}, fields=fields)
    return Problem("invalid", status=400, fields=fields)


def _flat(path: str, detail: Any) -> Iterable[tuple[str, list[str]]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            name = "" if name == "non_field_errors" else str(name)
            yield from _flat(".".join(part for part in (path, name) if part), inner)
    elif isinstance(detail, list) and all(isinstance(one, str) for one in detail):
        yield path, [str(one) for one in detail]
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            yield from _flat(f"{path}.{number}".lstrip("."), inner)
    else:
        yield path, [str(detail)]


def _codes(codes: Any) -> Iterable[str]:
    if isinstance(codes, Mapping):
        codes = list(codes.values())
    if isinstance(codes, list):
        for one in codes:
            yield from _codes(one)
    else:
        yield str(codes)


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """What REST framework asks about every exception of a view; None for a bug, which is logged and answered 500."""
    problem = problem_of(error)
    if problem is None:
        return None
    answer = Response(problem.as_json(), status=answered_with(problem), headers=_headers(error, problem))
    answer.exception = True
    return answer


def answer_of(error: Exception) -> JsonResponse | None:
    """The same for views that are none of REST framework's: the answer to a refusal; None for a bug."""
    problem = problem_of(error)
    if problem is None:
        return None
    return JsonResponse(problem.as_json(), status=answered_with(problem), headers=_headers(error, problem))


def _headers(error: Exception, problem: Refused) -> dict[str, str]:
    headers = dict(getattr(problem, "headers", {}))
    if answered_with(problem) == status.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooOften):
        headers["Retry-After"] = str(error.wait)
    if problem.code == "scope":
        headers["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{problem.params["scope"]}"'
    return headers
