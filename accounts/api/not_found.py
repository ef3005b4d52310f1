"""The 404 answer of the API to unknown URLs."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import public
from accounts.api.errors import Problem
from accounts.api.views import METHODS, ApiView


@extend_schema(exclude=True)
class NotFound(ApiView):
    """Any unknown URL: 404 in the shape of all errors, by whatever method."""

    access = {method.upper(): public() for method in METHODS}

    def get(self, request: Request, **_: str) -> Response:
        raise Problem("nothing_here", status=404)

    post = put = patch = delete = get
