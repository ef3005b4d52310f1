"""Check a response of the API against its serializer: every key, no other, and null only where allowed."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


def undeclared(shape: Any, data: Any, path: str = "") -> list[str]:
    """The errors of a response, by path; empty where it matches its declaration."""
    field = shape() if isinstance(shape, type) else shape
    if data is None:
        return [] if field.allow_null or isinstance(field, serializers.SerializerMethodField) else [f"{path}: null"]
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        found = [undeclared(field.child, row, f"{path}[{n}]") for n, row in enumerate(data)]
        return [error for errors in found for error in errors]
    if not isinstance(field, serializers.Serializer):
        return []
    known = field.fields
    errors = [f"{path}.{name}: not declared" for name in data.keys() - known.keys()]
    for name, inner in known.items():
        if name in data:
            errors += undeclared(inner, data[name], f"{path}.{name}")
        elif inner.required or inner.read_only:
            errors.append(f"{path}.{name}: missing")
    return errors
