"""The base class of API views: authentication, rate limits, access, and conditional requests."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, cast

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.utils.http import parse_etags
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import AuthenticationFailed, MethodNotAllowed, NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.access import BOT, MEMBER, PLAYER, STAFF, Access
from accounts.api.errors import Problem
from accounts.errors import Refused
from accounts.models import User
from accounts.programs.credentials import Credential
from accounts.web import api_rates
from accounts.web.staff import must_set_up_mfa

METHODS = ("get", "post", "put", "patch", "delete")
REFUSAL_BY_POLICY = {PLAYER: "forbidden", MEMBER: "members_only", BOT: "bots_only", STAFF: "staff_only"}


@method_decorator(conditional_page, name="dispatch")
class ApiView(APIView):
    """A view of the API. Its `access` declares each of its methods; others are not served.

    Every response to a GET has an ETag, and a request with the same in If-None-Match gets 304: by `not_modified`, which
    is cheap, or by a hash of the whole response.
    """

    access: ClassVar[Mapping[str, Access]] = {}
    permission_classes = ()
    throttle_classes = ()
    http_method_names = [*METHODS, "head"]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Raises ImproperlyConfigured for a view with a method that `access` does not declare."""
        served = {name.upper() for name in METHODS if hasattr(cls, name)}
        if served != set(cls.access):
            raise ImproperlyConfigured(f"{cls.__name__} serves {sorted(served)} and declares {sorted(cls.access)}")
        view: Any = super().as_view(**initkwargs)
        view.access = cls.access
        view.policy = "; ".join(f"{method} {access.policy}" for method, access in cls.access.items())
        return view

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check in this order: the method, the authentication, the rate limit, the policy, the scope."""
        self.format_kwarg = None
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in self.access:
            raise MethodNotAllowed(method)
        access = self.access[method]
        try:
            request.user  # noqa: B018 - authenticates, and may raise
        except AuthenticationFailed:
            self._count(request, api_rates.LOGIN, address_rate_key(request._request))
            raise
        self._count(request, access.kind, rate_key(request))
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        if any("\0" in str(value) for value in kwargs.values()):
            raise Problem("nothing_here", status=404)
        check_access(access, request)

    def _count(self, request: Request, kind: str, key: str) -> None:
        rate = api_rates.count_request(kind, key)
        if rate is None:
            return
        self.rate = rate
        if rate.over:
            raise Problem("too_often", status=429, params={"seconds": rate.reset}, headers=rate.headers())

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        raise Problem("forbidden", status=403)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the headers of rate limits and caching."""
        response = super().finalize_response(request, response, *args, **kwargs)
        rate = getattr(self, "rate", None)
        for name, value in rate.headers().items() if rate else ():
            response.setdefault(name, value)
        patch_vary_headers(response, ["Authorization", "Cookie", "Accept-Language"])
        response.setdefault("Cache-Control", "private, no-cache")
        return response


def rate_key(request: Request) -> str:
    """Whose requests are counted together: those of a token, a user, or an IP address."""
    if isinstance(request.auth, Credential):
        return request.auth.key
    return f"user:{request.user.pk}" if request.user.is_authenticated else address_rate_key(request._request)


def address_rate_key(request: HttpRequest) -> str:
    """A digest of the IP address of a request. Requests without a known address are counted together."""
    try:
        address = get_adapter(request).get_client_ip(request) or ""
    except PermissionDenied:  # a request over a unix socket has none
        address = ""
    return f"address:{hashlib.sha256(address.encode()).hexdigest()[:24]}"


def check_access(access: Access, request: Any) -> None:
    """Check the policy and scope.

    Raises NotAuthenticated, Problem: the policy's or ``scope``, and Refused("staff_mfa").
    """
    if not access.permits(request.user):
        if not request.user.is_authenticated:
            raise NotAuthenticated
        if access.policy == STAFF and must_set_up_mfa(request.user):
            raise Refused("staff_mfa")
        raise Problem(REFUSAL_BY_POLICY[access.policy], status=403)
    check_scope(request, access.scope)


def check_scope(request: Any, scope: str) -> None:
    """Check that the token of a request has a scope; a session has all of them. Raises Problem ``scope``."""
    if isinstance(request.auth, Credential) and scope not in request.auth.scopes:
        raise Problem("scope", status=403, params={"scope": scope})


def current_user(request: Request) -> User:
    """The user of a request that its policy admitted."""
    return cast(User, request.user)


def viewer(request: Request) -> User | None:
    """The authenticated user, or None."""
    return request.user if request.user.is_authenticated else None


# Conditional requests


def etag_for(*parts: object) -> str:
    """A weak ETag of what a response depends on: ids, versions, the viewer, and the language if it has texts."""
    text = "\x1f".join(str(part) for part in parts)
    return f'W/"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def not_modified(request: Request, tag: str) -> Response | None:
    """The 304 response if the client has this version; None if the response has to be made, with `with_etag`."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    same = "*" in known or tag.removeprefix("W/") in {etag.removeprefix("W/") for etag in known}
    return Response(status=304, headers={"ETag": tag}) if same else None


def with_etag(body: Any, tag: str) -> Response:
    """A response with its ETag."""
    return Response(body, headers={"ETag": tag})


def check_if_match(request: Request, tag: str) -> None:
    """Refuse a stale change: 412 when ``If-Match`` names another version than `tag`."""
    header = request.headers.get("If-Match", "")
    expected = {etag.removeprefix("W/") for etag in parse_etags(header)}
    if header and "*" not in expected and tag.removeprefix("W/") not in expected:
        raise Problem("changed_since", status=412)
