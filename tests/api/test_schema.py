"""The OpenAPI schema: complete, consistent, and usable for generating clients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from jsonschema import Draft202012Validator

from accounts.api.schema_views import schema_in
from accounts.errors import refusal_texts
from accounts.programs.scopes import SCOPES

METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return schema_in("en")[0]


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                yield path, method, methods[method]


def api_patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from api_patterns(pattern, path)
        elif path.startswith("api/v1/"):
            yield path, pattern


def test_every_served_method_is_described(schema: dict[str, Any]) -> None:
    """Except the schema itself, its page, the streams, which are no API views, and the 404 catch-all."""
    served = sum(
        len(pattern.callback.access)
        for _path, pattern in api_patterns(get_resolver())
        if hasattr(pattern.callback, "access") and pattern.callback.cls.__name__ not in ("Schema", "NotFound")
    )
    described = [operation for _path, _method, operation in operations(schema) if operation.get("security")]
    assert len(described) >= served


def test_operations_have_unique_ids_and_descriptions(schema: dict[str, Any]) -> None:
    found = [operation["operationId"] for _path, _method, operation in operations(schema)]
    assert sorted(set(found)) == sorted(found)
    assert [operation["operationId"] for *_, operation in operations(schema) if not operation.get("description")] == []
    assert [operation["operationId"] for *_, operation in operations(schema) if not operation.get("tags")] == []


def test_operations_have_short_summaries(schema: dict[str, Any]) -> None:
    found = {operation["operationId"]: operation.get("summary", "") for *_, operation in operations(schema)}
    assert {name: text for name, text in found.items() if not 3 < len(text) < 121 or "\n" in text} == {}


def test_every_body_and_answer_has_an_example_that_fits(schema: dict[str, Any]) -> None:
    wrong, count = [], 0
    for path, method, operation in operations(schema):
        successes = [part for status, part in operation["responses"].items() if status.startswith("2")]
        for part in (operation.get("requestBody", {}), *successes):
            media = part.get("content", {}).get("application/json")
            if media is None or "examples" in media:
                continue
            count += 1
            whole = {**media["schema"], "components": schema["components"]}
            errors = Draft202012Validator(whole).iter_errors(media["example"])
            wrong += [(method, path, error.json_path, error.message[:80]) for error in errors]
    assert wrong == []
    assert count > 200


def test_the_schema_names_this_site_and_its_webhooks(schema: dict[str, Any]) -> None:
    assert [server["url"] for server in schema["servers"]] == [settings.SITE_URL]
    sent = schema["webhooks"]["event"]["post"]
    body = sent["requestBody"]["content"]["application/json"]["schema"]
    assert body["properties"]["data"] == {"$ref": "#/components/schemas/Event"}
    assert all(f"`webhook-{name}`" in sent["description"] for name in ("id", "timestamp", "signature"))


def test_every_operation_documents_its_permissions_and_errors(schema: dict[str, Any]) -> None:
    for path, method, operation in operations(schema):
        assert operation["security"], (path, method)
        assert {"400", "401", "403", "406", "429"} <= operation["responses"].keys(), (path, method)
        scopes = [scheme["oauth2"] for scheme in operation["security"] if "oauth2" in scheme]
        assert scopes == [] or set(scopes[0]) <= set(SCOPES), (path, method)


def test_all_references_resolve(schema: dict[str, Any]) -> None:
    def refs(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for key, value in part.items():
                if key == "$ref":
                    yield value
                else:
                    yield from refs(value)
        elif isinstance(part, list):
            for child in part:
                yield from refs(child)

    for ref in set(refs(schema)):
        target: Any = schema
        for step in ref.removeprefix("#/").split("/"):
            target = target[step]


def test_every_error_code_is_in_the_schema(schema: dict[str, Any]) -> None:
    assert schema["components"]["schemas"]["RefusalCode"]["enum"] == sorted(refusal_texts())


def test_every_response_has_a_closed_schema(schema: dict[str, Any]) -> None:
    """An object of the schema has properties, or declares its values."""

    def open_objects(part: Any, path: str) -> Iterator[str]:
        if isinstance(part, dict):
            bare = part.get("type") == "object" and not part.keys() & {"properties", "additionalProperties"}
            if bare or part.get("additionalProperties") == {}:
                yield path
            for key, value in part.items():
                yield from open_objects(value, f"{path}/{key}")
        elif isinstance(part, list):
            for number, child in enumerate(part):
                yield from open_objects(child, f"{path}/{number}")

    assert sorted(open_objects(schema["components"]["schemas"], "")) == ["/Event/properties/data"]  # each kind differs


@pytest.mark.django_db
def test_the_schema_and_its_page_are_public_and_need_no_javascript() -> None:
    client = Client()
    answer = client.get("/api/v1/schema/")
    assert answer.json()["openapi"].startswith("3.1")
    assert client.get("/api/v1/schema/", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    page = client.get("/api/v1/docs/").content.decode()
    assert 'id="match_act"' in page
    assert " style=" not in page
    assert "swagger" not in page
