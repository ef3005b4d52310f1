"""Whether an answer of the API holds what its serializer promises: each key, no other, and null only where it may."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


def undeclared(shape: Any, told: Any, path: str = "") -> list[str]:
    """What is wrong with an answer, by path; nothing where it is as it was declared."""
    field = shape() if isinstance(shape, type) else shape
    if told is None:
        return [] if field.allow_null or isinstance(field, serializers.SerializerMethodField) else [f"{path}: null"]
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        found = [undeclared(field.child, one, f"{path}[{n}]") for n, one in enumerate(told)]
        return [fault for faults in found for fault in faults]
    if not isinstance(field, serializers.Serializer):
        return []
    known = field.fields
    faults = [f"{path}.{name}: not declared" for name in told.keys() - known.keys()]
    for name, inner in known.items():
        if name in told:
            faults += undeclared(inner, told[name], f"{path}.{name}")
        elif inner.required or inner.read_only:
            faults.append(f"{path}.{name}: missing")
    return faults
