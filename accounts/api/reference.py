"""The OpenAPI schema as data for the reference page: by tag, each operation with its parameters and answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

METHODS = ("get", "post", "put", "patch", "delete")
SUCCESS = ("200", "201", "202", "204")


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a body or an answer, or a parameter: its name, type and description."""

    name: str
    type: str
    required: bool
    says: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer."""

    status: str
    type: str
    fields: list[Field]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of the API."""

    id: str
    method: str
    path: str
    says: str
    parameters: list[Field]
    body: list[Field]
    answers: list[Answer]
    refusals: list[str]


@dataclass(slots=True)
class TagSection:
    """The operations of one tag."""

    name: str
    operations: list[Operation] = field(default_factory=list)


def tag_sections(schema: dict[str, Any]) -> list[TagSection]:
    """All operations of the schema, by tag."""
    found: dict[str, TagSection] = {}
    for path, methods in sorted(schema["paths"].items()):
        for method in METHODS:
            if method in methods:
                operation = methods[method]
                name = next(iter(operation.get("tags", ())), "api")
                found.setdefault(name, TagSection(name)).operations.append(_operation(schema, method, path, operation))
    return [found[name] for name in sorted(found)]


def _operation(schema: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> Operation:
    body = _shape(operation.get("requestBody", {}))
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        says=operation.get("description", ""),
        parameters=[
            Field(
                parameter["name"],
                _type(schema, parameter["schema"]),
                bool(parameter.get("required")),
                parameter.get("description", ""),
            )
            for parameter in operation.get("parameters", ())
        ],
        body=list(_fields(schema, body)),
        answers=[
            _answer(schema, status, response)
            for status, response in operation["responses"].items()
            if status in SUCCESS
        ],
        refusals=[status for status in operation["responses"] if status not in SUCCESS],
    )


def _answer(schema: dict[str, Any], status: str, response: dict[str, Any]) -> Answer:
    shape = _shape(response)
    return Answer(status, _type(schema, shape) if shape else "", list(_fields(schema, shape)))


def _shape(content: dict[str, Any]) -> dict[str, Any]:
    """The schema of what a body or an answer holds, in the first of its types."""
    for media_type in content.get("content", {}).values():
        found: dict[str, Any] = media_type.get("schema", {})
        return found
    return {}


def _resolve(schema: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    """The schema that a `$ref` refers to."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        found: dict[str, Any] = schema["components"]["schemas"].get(name, {})
        return found
    return shape


def _fields(schema: dict[str, Any], shape: dict[str, Any]) -> Iterator[Field]:
    resolved = _resolve(schema, shape)
    required = resolved.get("required", ())
    for name, property_schema in resolved.get("properties", {}).items():
        yield Field(name, _type(schema, property_schema), name in required, property_schema.get("description", ""))


def _type(schema: dict[str, Any], shape: dict[str, Any]) -> str:
    """A short text for a type: ``string``, ``Person``, ``[Person]``, ``a | b``."""
    if "$ref" in shape:
        return str(shape["$ref"].rpartition("/")[2])
    for key in ("oneOf", "anyOf", "allOf"):
        if key in shape:
            return " | ".join(dict.fromkeys(_type(schema, option) for option in shape[key]))
    if "enum" in shape:
        return " | ".join(str(option) for option in shape["enum"] if option not in ("", None))
    if shape.get("type") == "array":
        return f"[{_type(schema, shape.get('items', {}))}]"
    kind = shape.get("type", "any")
    kinds = kind if isinstance(kind, list) else [kind]
    words = [str(shape.get("format") or type_name) if type_name == "string" else str(type_name) for type_name in kinds]
    return " | ".join(words)
