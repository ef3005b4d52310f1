"""What the schema says of every view without being told again: who may ask, and all the refusals that can come."""

from __future__ import annotations

import re
from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from accounts import errors
from accounts.api.access import PUBLIC, SAYS, Access
from accounts.scopes import SCOPES

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
    """How one says who one is."""
    return {
        SESSION: {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "A log-in in the browser."},
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
SAID = {
    "400": "What was sent cannot be read.",
    "401": "The request does not say who asks, or its token is no good.",
    "403": "He may not do that, or the token lacks the scope.",
    "404": "There is none, or none that he may see.",
    "406": "The API speaks JSON only.",
    "409": "It cannot be: `code` says why.",
    "412": "It has changed since it was seen.",
    "413": "That is too large.",
    "415": "Send JSON.",
    "429": "Too many requests: wait as many seconds as `Retry-After` says.",
}


ANY, SOME = "[^\\u0000]*", "[^\\s\\u0000-\\u001f\\u0085]"
"""As patterns: any letters but NUL, and one that is no white space."""
_pages: dict[type[serializers.Serializer[Any]], type[serializers.Serializer[Any]]] = {}


def page_answer(row: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The answer of a list: a page of such rows, and the cursor of the next."""
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
    """Adds to what a view says of its answers everything that every view can answer."""

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

    def get_description(self) -> str:  # type: ignore[override] # as spectacular has it
        access, said = self.access, super().get_description() or ""
        if access is None:
            return said
        return f"{said}\n\n{SAYS[access.policy]} A token needs `{access.scope}`; counted as `{access.kind}`.".strip()

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        """Of a text that is asked for: no NUL, and where it may not be blank something beside white space; no file is
        empty.
        """
        told = super()._map_serializer_field(field, direction, bypass_extensions)
        plain = isinstance(field, serializers.CharField) and not told.keys() & {"pattern", "format", "enum", "$ref"}
        plain = plain and not any(isinstance(one, RegexValidator) for one in field.validators)
        if direction == "request" and plain and told.get("type") in ("string", ["string", "null"]):
            letters = 0 if field.allow_blank else (field.min_length or 1) if field.trim_whitespace else 0
            told["pattern"] = f"^{ANY}{(SOME + ANY) * min(letters, 2)}$"
        if direction == "request" and isinstance(field, serializers.FileField) and not field.allow_empty_file:
            told["minLength"] = 1
        return told

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*args, **kwargs)
        if operation is None or self.access is None:
            return operation
        answers: dict[str, Any] = operation["responses"]
        for status in self._refused(operation):
            answers.setdefault(status, {"$ref": f"#/components/responses/{_name(status)}"})
        if self.method == "GET":
            answers.setdefault("304", {"$ref": "#/components/responses/Unchanged"})
        for status, told in answers.items():
            if "$ref" not in told:
                told.setdefault("headers", {}).update(_headers(status, self.method))
        operation["responses"] = dict(sorted(answers.items()))
        return operation

    def _refused(self, operation: dict[str, Any]) -> list[str]:
        """The statuses that can come beside those that the view names."""
        found = ["400", "401", "403", "406", "409", "429"]  # 403: also a token without the scope
        if any(one["in"] == "path" or one["name"] == "cursor" for one in operation.get("parameters", [])):
            found.append("404")
        if self.method != "GET":
            found += ["413", "415"]
        return found


def _name(status: str) -> str:
    return f"Refused{status}"


def _headers(status: str, method: str = "") -> dict[str, Any]:
    names = ["RateLimit", "RateLimit-Policy"]
    if status == "429":
        names.append("Retry-After")
    if method == "GET" and status in ("200", "304"):
        names.append("ETag")
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _answers() -> dict[str, Any]:
    """The answers that every operation shares."""
    refused = {
        _name(status): {"description": says, "content": AS_REFUSAL, "headers": _headers(status)}
        for status, says in SAID.items()
    }
    said = "Nothing has changed since the ETag in `If-None-Match`."
    return {**refused, "Unchanged": {"description": said, "headers": _headers("304", "GET")}}


def _close(part: Any, schemas: dict[str, Any]) -> None:
    """Say of all that a body is made of that nothing unknown stands in it (`accounts.api.bodies.Body`)."""
    if isinstance(part, list):
        for one in part:
            _close(one, schemas)
    elif isinstance(part, dict):
        name = str(part.get("$ref", "")).rpartition("/")[2]
        meant = schemas.get(name, part) if name else part
        if "properties" in meant and "additionalProperties" not in meant:
            meant["additionalProperties"] = False
        for one in [*part.values(), *(meant.get("properties", {}).values() if name else ())]:
            _close(one, schemas)


BLANK = {"type": "string", "maxLength": 0}


def _simple(part: Any) -> None:
    """Where a text may be blank anyway, it is no choice between two: `oneOf` would refuse what fits both."""
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _simple(one)
    if isinstance(part, dict) and len(choices := part.get("oneOf", ())) == 2 and choices[1] == BLANK:
        text = choices[0]
        if "pattern" in text and re.search(text["pattern"], "") and not text.get("minLength"):
            del part["oneOf"]
            part.update({**text, **part})


def written(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The last word on the schema: the one shape of refusals with all their codes, and how one says who one is."""
    parts = result.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    schemas["RefusalCode"] = {
        "type": "string",
        "enum": sorted(errors.sentences()),
        "description": "Every refusal of the site. New ones may come.",
    }
    schemas["Refusal"] = REFUSAL
    for methods in result.get("paths", {}).values():
        for operation in methods.values():
            _close(operation.get("requestBody", {}), schemas)
    parts["schemas"] = dict(sorted(schemas.items()))
    _simple(result)
    parts["responses"] = _answers()
    parts["headers"] = HEADERS
    parts["securitySchemes"] = security_schemes()
    return result
