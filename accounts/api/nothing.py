"""What the API answers below its root where nothing is."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import public
from accounts.api.errors import Problem
from accounts.api.views import METHODS, ApiView


@extend_schema(exclude=True)
class Nothing(ApiView):
    """Any address that is none: 404 in the one shape, by whatever method."""

    access = {method.upper(): public() for method in METHODS}

    def get(self, request: Request, **_: str) -> Response:
        raise Problem("nothing_here", status=404)

    post = put = patch = delete = get
