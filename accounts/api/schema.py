"""Complete the OpenAPI schema: access, security schemes, headers, and the errors that every operation can return."""

from __future__ import annotations

import re
from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from accounts import errors
from accounts.api.access import POLICY_TEXTS, PUBLIC, Access
from accounts.api.schema_examples import add_examples
from accounts.programs.scopes import SCOPES

SESSION, TOKEN, OAUTH = "session", "token", "oauth2"
HEADERS = {
    "RateLimit": {
        "description": "What is left of the window: `r` requests for `t` seconds.",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {"description": "The limit: `q` requests in `w` seconds.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
    "ETag": {"description": "Tells this state from others.", "schema": {"type": "string"}},
}


def security_schemes() -> dict[str, Any]:
    """The security schemes: session, token, and OAuth 2."""
    return {
        SESSION: {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "A session in the browser."},
        TOKEN: {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of your own (`tablero_pat_…`), or of a bot (`tablero_…`).",
        },
        OAUTH: {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": "/identity/o/authorize",
                    "tokenUrl": "/identity/o/api/token",
                    "refreshUrl": "/identity/o/api/token",
                    "scopes": {word: str(says) for word, says in SCOPES.items()},
                }
            },
        },
    }


REFUSAL = {
    "type": "object",
    "description": "Why nothing was changed: `code` is stable, `text` speaks the language that was asked for.",
    "required": ["code", "text", "ruling"],
    "properties": {
        "code": {"$ref": "#/components/schemas/RefusalCode"},
        "text": {"type": "string"},
        "ruling": {"type": "string", "description": "The ruling that it rests on (docs/rulings.md), or nothing."},
        "fields": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
            "description": "For what cannot be read or does not fit: what is said of each field, of all under none.",
        },
    },
}
AS_REFUSAL = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
STATUS_TEXTS = {
    "400": "The request cannot be parsed.",
    "401": "Not authenticated, or the token is invalid.",
    "403": "Not permitted, or the token lacks the scope.",
    "404": "There is none, or none that the user may see.",
    "406": "The API speaks JSON only.",
    "409": "The rules forbid it: `code` says why.",
    "412": "It has changed since it was read.",
    "413": "That is too large.",
    "415": "Send JSON.",
    "429": "Too many requests: wait as many seconds as `Retry-After` says.",
}


ANY, NON_SPACE = "[^\\u0000]*", "[^\\s\\u0000-\\u001f\\u0085]"
"""Patterns: any characters but NUL, and one character that is no white space."""
_pages: dict[type[serializers.Serializer[Any]], type[serializers.Serializer[Any]]] = {}


def page_serializer(row: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The serializer of a list: a page of such rows, and the cursor of the next."""
    if row not in _pages:
        name = row.__name__.removesuffix("Serializer") + "Page"
        fields = {
            "__doc__": "A page of a list.",
            "results": row(many=True),
            "next": serializers.CharField(allow_null=True, help_text="Ask again with it as `cursor`; null at the end."),
        }
        _pages[row] = type(name, (serializers.Serializer,), fields)
    return _pages[row]


class ApiSchema(AutoSchema):
    """Adds to the schema of a view its access, and the responses that every view can return."""

    @property
    def access(self) -> Access | None:
        declared: dict[str, Access] = getattr(self.view, "access", {})
        return declared.get(self.method)

    def get_auth(self) -> list[dict[str, list[str]]]:
        access = self.access
        if access is None:
            return []
        known: list[dict[str, list[str]]] = [{SESSION: []}, {TOKEN: []}, {OAUTH: [access.scope]}]
        return [*known, {}] if access.policy == PUBLIC else known

    def get_summary(self) -> str | None:
        """The first sentence of what is said of the operation."""
        said = " ".join((super().get_description() or "").split("\n\n")[0].split())
        return super().get_summary() or re.split(r"(?<=[.:;]) ", said)[0].rstrip(":;.") or None

    def get_description(self) -> str:  # type: ignore[override] # spectacular declares it so
        access, own = self.access, super().get_description() or ""
        if access is None:
            return own
        description = (
            f"{own}\n\n{POLICY_TEXTS[access.policy]} A token needs `{access.scope}`; counted as `{access.kind}`."
        )
        return description.strip()

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        """Add patterns to texts in requests: no NUL, and not only white space unless blank is allowed."""
        schema = super()._map_serializer_field(field, direction, bypass_extensions)
        plain = isinstance(field, serializers.CharField) and not schema.keys() & {"pattern", "format", "enum", "$ref"}
        plain = plain and not any(isinstance(validator, RegexValidator) for validator in field.validators)
        if direction == "request" and plain and schema.get("type") in ("string", ["string", "null"]):
            letters = 0 if field.allow_blank else (field.min_length or 1) if field.trim_whitespace else 0
            schema["pattern"] = f"^{ANY}{(NON_SPACE + ANY) * min(letters, 2)}$"
        if direction == "request" and isinstance(field, serializers.FileField) and not field.allow_empty_file:
            schema["minLength"] = 1
        return schema

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*args, **kwargs)
        if operation is None or self.access is None:
            return operation
        answers: dict[str, Any] = operation["responses"]
        for status in self._refused(operation):
            answers.setdefault(status, {"$ref": f"#/components/responses/{_response_name(status)}"})
        if self.method == "GET":
            answers.setdefault("304", {"$ref": "#/components/responses/Unchanged"})
        for status, response in answers.items():
            if "$ref" not in response:
                response.setdefault("headers", {}).update(_headers(status, self.method))
        operation["responses"] = dict(sorted(answers.items()))
        return operation

    def _refused(self, operation: dict[str, Any]) -> list[str]:
        """The statuses of errors besides the responses that the view declares."""
        found = ["400", "401", "403", "406", "409", "429"]  # 403: also a token without the scope
        if any(
            parameter["in"] == "path" or parameter["name"] == "cursor" for parameter in operation.get("parameters", [])
        ):
            found.append("404")
        if self.method != "GET":
            found += ["413", "415"]
        return found


def _response_name(status: str) -> str:
    return f"Refused{status}"


def _headers(status: str, method: str = "") -> dict[str, Any]:
    names = ["RateLimit", "RateLimit-Policy"]
    if status == "429":
        names.append("Retry-After")
    if method == "GET" and status in ("200", "304"):
        names.append("ETag")
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _shared_responses() -> dict[str, Any]:
    """The responses that operations share."""
    refused = {
        _response_name(status): {"description": says, "content": AS_REFUSAL, "headers": _headers(status)}
        for status, says in STATUS_TEXTS.items()
    }
    description = "Nothing has changed since the ETag in `If-None-Match`."
    return {**refused, "Unchanged": {"description": description, "headers": _headers("304", "GET")}}


def _forbid_unknown(part: Any, schemas: dict[str, Any]) -> None:
    """Forbid additional properties in everything that a body consists of (`accounts.api.bodies.Body`)."""
    if isinstance(part, list):
        for child in part:
            _forbid_unknown(child, schemas)
    elif isinstance(part, dict):
        name = str(part.get("$ref", "")).rpartition("/")[2]
        resolved = schemas.get(name, part) if name else part
        if "properties" in resolved and "additionalProperties" not in resolved:
            resolved["additionalProperties"] = False
        for child in [*part.values(), *(resolved.get("properties", {}).values() if name else ())]:
            _forbid_unknown(child, schemas)


BLANK = {"type": "string", "maxLength": 0}


def _simplify_blank(part: Any) -> None:
    """Replace a choice between a text and a blank by the text where it may be blank: `oneOf` refuses what fits both."""
    for child in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _simplify_blank(child)
    if isinstance(part, dict) and len(choices := part.get("oneOf", ())) == 2 and choices[1] == BLANK:
        text = choices[0]
        if "pattern" in text and re.search(text["pattern"], "") and not text.get("minLength"):
            del part["oneOf"]
            part.update({**text, **part})


def finalize_schema(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The postprocessing hook: the shape and codes of refusals, shared responses, headers and security schemes."""
    parts = result.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    schemas["RefusalCode"] = {
        "type": "string",
        "enum": sorted(errors.refusal_texts()),
        "description": "Every refusal of the site. New ones may come.",
    }
    schemas["Refusal"] = REFUSAL
    for methods in result.get("paths", {}).values():
        for operation in methods.values():
            _forbid_unknown(operation.get("requestBody", {}), schemas)
    parts["schemas"] = dict(sorted(schemas.items()))
    _simplify_blank(result)
    add_examples(result)
    parts["responses"] = _shared_responses()
    parts["headers"] = HEADERS
    parts["securitySchemes"] = security_schemes()
    return result
