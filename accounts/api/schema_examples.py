"""Examples for the OpenAPI schema: a value for each body and answer that has none of its own, made from its schema."""

from __future__ import annotations

import re
from typing import Any

Json = Any
Schemas = dict[str, Any]

BY_FORMAT = {
    "date-time": "2026-11-22T19:04:11Z",
    "date": "2026-11-22",
    "time": "19:00:00",
    "uri": "https://club.example/",
    "email": "ana@club.example",
    "uuid": "6f1f0c9e-51a7-4c39-9f0b-3d3f6f1c7a10",
    "byte": "dGFibGVybw==",
    "binary": "",
}
TEXTS = ("ana", "k3YpaZb7Qd", "8/5 6/5", "match:k3YpaZb7Qd", "match.finished", "1", "19:00", "#00a0a0", "0" * 64)
"""Texts for fields with a pattern; the first that fits."""


def add_examples(result: dict[str, Any]) -> None:
    """Add an example to every request body and successful answer of the schema that has none."""
    schemas: Schemas = result["components"]["schemas"]
    for methods in result.get("paths", {}).values():
        for operation in methods.values():
            successes = [part for status, part in operation["responses"].items() if status.startswith("2")]
            for part in (operation.get("requestBody", {}), *successes):
                for kind, media in part.get("content", {}).items():
                    if kind == "application/json" and not media.keys() & {"example", "examples"}:
                        media["example"] = sample(media.get("schema", {}), schemas)


def sample(schema: dict[str, Any], schemas: Schemas, above: tuple[str, ...] = ()) -> Json:
    """Return a value that fits a schema. A schema inside itself is left out."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return None if name in above else sample(schemas[name], schemas, (*above, name))
    for key in ("example", "const", "default"):
        if schema.get(key) not in (None, ""):
            return schema[key]
    if "enum" in schema:
        return next((value for value in schema["enum"] if value is not None), None)
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            return next((found for each in schema[key] if (found := sample(each, schemas, above)) is not None), None)
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "null")
    if kind == "object" or "properties" in schema:
        return _object(schema, schemas, above)
    if kind == "array":
        item = sample(schema.get("items", {}), schemas, above)
        return [] if item is None else [item] * max(1, schema.get("minItems", 1))
    if kind == "string":
        return _text(schema)
    if kind in ("integer", "number"):
        return max(schema.get("minimum", 1), min(1, schema.get("maximum", 1)))
    return {"boolean": True, "null": None}.get(str(kind))


def _object(schema: dict[str, Any], schemas: Schemas, above: tuple[str, ...]) -> dict[str, Json]:
    found = {name: sample(part, schemas, above) for name, part in schema.get("properties", {}).items()}
    required = schema.get("required", ())
    values = {name: value for name, value in found.items() if value is not None or name in required}
    more = schema.get("additionalProperties")
    if not values and isinstance(more, dict) and (value := sample(more, schemas, above)) is not None:
        return {"name": value}
    return values


def _text(schema: dict[str, Any]) -> str | None:
    if (known := BY_FORMAT.get(schema.get("format", ""))) is not None:
        return known
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength", 1000)
    texts = [text for text in TEXTS if shortest <= len(text) <= longest] or ["a" * shortest]
    return next((text for text in texts if re.search(schema.get("pattern", ""), text)), None)
