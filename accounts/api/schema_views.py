"""The OpenAPI schema, and the reference page made from it."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import public
from accounts.api.reference import tag_sections
from accounts.api.views import ApiView, not_modified, with_etag
from accounts.programs.scopes import SCOPES
from accounts.web import api_rates
from accounts.web.policy import public as public_page
from backgammon.languages import LANGUAGES, first_supported


@lru_cache(maxsize=len(LANGUAGES))
def schema_in(language: str) -> tuple[dict[str, Any], str]:
    """The whole schema in a language, and its ETag; cached, as URLs do not change while the process runs."""
    with override(language):
        made = json.loads(
            json.dumps(SchemaGenerator(api_version="1").get_schema(request=None, public=True), default=str)
        )
    digest = hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()
    return made, f'W/"{digest[:32]}"'


@extend_schema(exclude=True)
class Schema(ApiView):
    """OpenAPI of everything under /api/v1/."""

    access = {"GET": public(kind=api_rates.SEARCH)}

    def get(self, request: Request) -> Response:
        made, tag = schema_in(first_supported(get_language()))
        return not_modified(request, tag) or with_etag(made, tag)


@public_page
@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The reference page, without any script."""
    made, _tag = schema_in(first_supported(get_language()))
    return render(request, "api/reference.html", {"tag_sections": tag_sections(made), "scopes": SCOPES})
