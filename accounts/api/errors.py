"""The one shape of all errors of the API: ``{code, text, ruling, fields}``, translated, whatever the status.

400  the request cannot be parsed; `fields` says where      406  only JSON is returned
401  not authenticated, or an invalid token                 409  the rules forbid it: `code` is the refusal's
403  not permitted, or the token lacks the scope            412  it has changed since it was read (If-Match)
404  there is none, or none that the user may see           413  too large      415  not JSON
405  not with this method                                   429  too many requests: wait `Retry-After` seconds
503  the database or the disk cannot be written; nothing was changed
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
from accounts.web.limits import TooOften
from accounts.web.unwritable import is_unwritable

log = logging.getLogger(__name__)

UNWRITABLE_RETRY_AFTER = "10"  # seconds

TEXTS: dict[str, str | Promise] = {
    "invalid": _("Invalid request. See the error for each field."),
    "unknown_field": _("Unknown field: %(names)s."),
    "unfit": _("These values can't be accepted. See the error for each field."),
    "parse": _("The request body is not valid JSON."),
    "bad_cursor": _("Invalid cursor. Start again from the first page."),
    "not_authenticated": _("Authentication required: sign in or send a token."),
    "bad_token": _("Invalid or expired token."),
    "forbidden": _("You don't have permission to do that."),
    "members_only": _("You need an account to do that. Signing up takes a minute and keeps your games."),
    "bots_only": _("Only bots can do that, with their own token."),
    "staff_only": _("Only the site's staff can do that."),
    "https_only": _("This is available over HTTPS only. If you sent a token, replace it with a new one."),
    "scope": _("This token lacks the “%(scope)s” permission."),
    "csrf": _("This page is out of date. Reload it and try again."),
    "nothing_here": _("Not found."),
    "method": _("This method is not allowed here."),
    "not_acceptable": _("The API only returns JSON."),
    "changed_since": _("This has changed since you last loaded it. Reload it and try again."),
    "too_big": _("The request is too large."),
    "media_type": _("Send JSON, with Content-Type: application/json."),
    "too_often": _("Too many requests. Try again in %(seconds)s seconds."),
}
_status_of: dict[str, int] = {
    "no_such_player": 404,
    "no_club": 404,
    "no_token": 404,
    "no_program": 404,
    "bad_cursor": 404,
    "too_often": 429,
    "unwritable": 503,
    "club_not_owner": 403,
    "club_not_director": 403,
    "club_new": 403,
    "staff_mfa": 403,
    "club_members_only": 403,
    "token_member": 403,
}


class Problem(Refused):
    """A refusal of the form of a request, not of the act."""

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


def register_statuses(status_code: int, *codes: str) -> None:
    """Register the HTTP status of refusals: 409 where none is registered."""
    for code in codes:
        _status_of[code] = status_code


def status_of(code: str) -> int:
    """The registered status of a refusal's code."""
    return _status_of.get(code, status.HTTP_409_CONFLICT)


def problem_of(error: Exception) -> Refused | None:
    """An exception as a refusal, or None for a bug."""
    problem: Refused | None = None
    if isinstance(error, Refused):
        problem = error
    elif isinstance(error, exceptions.ValidationError):
        problem = invalid(error)
    elif isinstance(error, exceptions.ParseError):
        problem = Problem("parse", status=400)
    elif isinstance(error, exceptions.NotAuthenticated):
        problem = Problem("not_authenticated", status=401)
    elif isinstance(error, exceptions.AuthenticationFailed):
        problem = Problem("bad_token", status=401)
    elif isinstance(error, exceptions.PermissionDenied | PermissionDenied):
        problem = Problem("csrf" if "CSRF" in str(error) else "forbidden", status=403)
    elif isinstance(error, exceptions.NotFound | Http404):
        problem = Problem("nothing_here", status=404)
    elif isinstance(error, exceptions.MethodNotAllowed):
        problem = Problem("method", status=405)
    elif isinstance(error, exceptions.NotAcceptable):
        problem = Problem("not_acceptable", status=406)
    elif isinstance(error, RequestDataTooBig):
        problem = Problem("too_big", status=413)
    elif isinstance(error, exceptions.UnsupportedMediaType):
        problem = Problem("media_type", status=415)
    elif is_unwritable(error):
        log.error("nothing can be written: %s", error)
        problem = Refused("unwritable")
    return problem


def http_status(error: Refused) -> int:
    """The status with which a refusal is answered."""
    return status_of(error.code) if error.status is None else error.status


def invalid(error: exceptions.ValidationError) -> Problem:
    """The errors of fields, flat: ``{"options.beavers": ["..."]}``; those of the whole body at ``""``."""
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
    elif isinstance(detail, list) and all(isinstance(item, str) for item in detail):
        yield path, [str(item) for item in detail]
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            yield from _flat(f"{path}.{number}".lstrip("."), inner)
    else:
        yield path, [str(detail)]


def _codes(codes: Any) -> Iterable[str]:
    if isinstance(codes, Mapping):
        codes = list(codes.values())
    if isinstance(codes, list):
        for code in codes:
            yield from _codes(code)
    else:
        yield str(codes)


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler; None for a bug, which is logged and answered 500."""
    problem = problem_of(error)
    if problem is None:
        return None
    response = Response(problem.as_json(), status=http_status(problem), headers=_headers(error, problem))
    response.exception = True
    return response


def problem_response(error: Exception) -> JsonResponse | None:
    """The same for views outside REST framework: the response to a refusal; None for a bug."""
    problem = problem_of(error)
    if problem is None:
        return None
    return JsonResponse(problem.as_json(), status=http_status(problem), headers=_headers(error, problem))


def _headers(error: Exception, problem: Refused) -> dict[str, str]:
    headers = dict(getattr(problem, "headers", {}))
    if http_status(problem) == status.HTTP_401_UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooOften):
        headers["Retry-After"] = str(error.wait)
    if problem.code == "unwritable":
        headers["Retry-After"] = UNWRITABLE_RETRY_AFTER
    if problem.code == "scope":
        headers["WWW-Authenticate"] = f'Bearer error="insufficient_scope", scope="{problem.params["scope"]}"'
    return headers
