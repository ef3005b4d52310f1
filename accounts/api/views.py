"""The root of every view of the API: who asks, how often, whether he may, and answers that tell what has changed."""

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

from accounts import rates
from accounts.api.access import BOT, MEMBER, PLAYER, STAFF, Access
from accounts.api.errors import Problem
from accounts.models import User
from accounts.programs import Grant

METHODS = ("get", "post", "put", "patch", "delete")
LACKING = {PLAYER: "forbidden", MEMBER: "members_only", BOT: "bots_only", STAFF: "staff_only"}


@method_decorator(conditional_page, name="dispatch")
class ApiView(APIView):
    """A view of the API. Its `access` names each of its methods; one that it does not name is not served.

    Every answer to a GET has an ETag, and a request that shows the same again gets 304: that of `unchanged`, which is
    cheap, or one of the whole answer.
    """

    access: ClassVar[Mapping[str, Access]] = {}
    permission_classes = ()
    throttle_classes = ()
    http_method_names = [*METHODS, "head"]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Raises ImproperlyConfigured for a view with a method that nobody has said anything of."""
        served = {name.upper() for name in METHODS if hasattr(cls, name)}
        if served != set(cls.access):
            raise ImproperlyConfigured(f"{cls.__name__} serves {sorted(served)} and declares {sorted(cls.access)}")
        view: Any = super().as_view(**initkwargs)
        view.access = cls.access
        view.policy = "; ".join(f"{method} {one.policy}" for method, one in cls.access.items())
        return view

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what may not be, in this order: the method, who asks, how often, whether he may, the scope."""
        self.format_kwarg = None
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in self.access:
            raise MethodNotAllowed(method)
        access = self.access[method]
        try:
            request.user  # noqa: B018 - it is asked for here, and may raise
        except AuthenticationFailed:
            self._count(request, rates.LOGIN, address_key(request._request))
            raise
        self._count(request, access.kind, holder(request))
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        if any("\0" in str(value) for value in kwargs.values()):
            raise Problem("nothing_here", status=404)
        allow(access, request)

    def _count(self, request: Request, kind: str, who: str) -> None:
        spent = rates.spend(kind, who)
        if spent is None:
            return
        self.spent = spent
        if spent.over:
            raise Problem("too_often", status=429, params={"seconds": spent.reset}, headers=spent.headers())

    def permission_denied(self, request: Request, message: str | None = None, code: str | None = None) -> NoReturn:
        raise Problem("forbidden", status=403)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Tell the limits, and what the answer depends on."""
        response = super().finalize_response(request, response, *args, **kwargs)
        spent = getattr(self, "spent", None)
        for name, value in spent.headers().items() if spent else ():
            response.setdefault(name, value)
        patch_vary_headers(response, ["Authorization", "Cookie", "Accept-Language"])
        response.setdefault("Cache-Control", "private, no-cache")
        return response


def holder(request: Request) -> str:
    """Whose requests are counted together: those of a token, of a person, or of an address."""
    if isinstance(request.auth, Grant):
        return request.auth.key
    return f"user:{request.user.pk}" if request.user.is_authenticated else address_key(request._request)


def address_key(request: HttpRequest) -> str:
    """A word for the address that asks, which does not tell it. Those whose address nobody knows are counted as one."""
    try:
        address = get_adapter(request).get_client_ip(request) or ""
    except PermissionDenied:  # behind a socket of the system there is none
        address = ""
    return f"address:{hashlib.sha256(address.encode()).hexdigest()[:24]}"


def allow(access: Access, request: Any) -> None:
    """Refuse who may not. Raises NotAuthenticated, and Problem: the policy's or ``scope``."""
    if not access.lets(request.user):
        if not request.user.is_authenticated:
            raise NotAuthenticated
        raise Problem(LACKING[access.policy], status=403)
    if isinstance(request.auth, Grant) and access.scope not in request.auth.scopes:
        raise Problem("scope", status=403, params={"scope": access.scope})


def who(request: Request) -> User:
    """The player behind a request that its policy let in."""
    return cast(User, request.user)


def viewer(request: Request) -> User | None:
    """Who looks: a player, or None for a passer-by."""
    return request.user if request.user.is_authenticated else None


# What has changed


def tag_of(*parts: object) -> str:
    """A weak ETag of what an answer is made of: ids, versions, who looks. Put the language in when texts are told."""
    text = "\x1f".join(str(part) for part in parts)
    return f'W/"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def unchanged(request: Request, tag: str) -> Response | None:
    """The 304 for who has seen it so; None when the answer has to be made, with `tagged`."""
    seen = parse_etags(request.headers.get("If-None-Match", ""))
    same = "*" in seen or tag.removeprefix("W/") in {one.removeprefix("W/") for one in seen}
    return Response(status=304, headers={"ETag": tag}) if same else None


def tagged(body: Any, tag: str) -> Response:
    """An answer with its ETag."""
    return Response(body, headers={"ETag": tag})


def must_match(request: Request, tag: str) -> None:
    """Refuse to change what is no longer as it was seen: 412 when ``If-Match`` names another state than `tag`."""
    said = request.headers.get("If-Match", "")
    seen = {one.removeprefix("W/") for one in parse_etags(said)}
    if said and "*" not in seen and tag.removeprefix("W/") not in seen:
        raise Problem("changed_since", status=412)
