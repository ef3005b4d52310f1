"""Paginate lists of the API: ``{"results": [...], "next": cursor or null}``.

A cursor names the last row of a page, so that new rows neither repeat nor hide one. It is signed, so that nobody can
construct one for rows that they may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from django.core import signing
from django.db.models import Q, QuerySet
from django.utils.dateparse import parse_date, parse_datetime
from rest_framework.response import Response

from accounts.api.errors import Problem

SALT = "api.cursor"


def paginate_queryset(
    rows: QuerySet[Any],
    *,
    by: Sequence[str],
    query: dict[str, Any],
    serialize: Callable[[list[Any]], list[Any]],
    **extra: Any,
) -> Response:
    """A page of `rows` ordered `by` columns that are never null, the last of them unique: ``by=("-ended_at", "-pk")``.

    `query` is a parsed `Paged`; `serialize` makes the answers for the rows of the page, all at once. `extra` stands
    beside the results. Raises Problem ``bad_cursor``.
    """
    order = ",".join(by)
    if query.get("cursor"):
        rows = rows.filter(_after(by, [_from_json(value) for value in _read_cursor(query["cursor"], order)]))
    size = query["size"]
    page = list(rows.order_by(*by)[: size + 1])
    cursor = None
    if len(page) > size:
        page = page[:size]
        cursor = _sign_cursor([order, *(_to_json(_value(page[-1], name.lstrip("-"))) for name in by)])
    return Response({"results": serialize(page), "next": cursor, **extra})


def paginate_list(
    items: Sequence[Any], *, name: str, query: dict[str, Any], serialize: Callable[[list[Any]], list[Any]]
) -> Response:
    """A page of a list that is short enough to be read at once; `name` separates its cursors from those of others."""
    start = int(_read_cursor(query["cursor"], name)[0]) if query.get("cursor") else 0
    end = start + query["size"]
    cursor = _sign_cursor([name, end]) if end < len(items) else None
    return Response({"results": serialize(list(items[start:end])), "next": cursor})


def _sign_cursor(value: object) -> str:
    return signing.dumps(value, salt=SALT, compress=True)


def _read_cursor(cursor: str, order: str) -> list[Any]:
    """The values of a cursor. Raises Problem ``bad_cursor`` unless we signed it for this order."""
    try:
        signed_order, *values = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise Problem("bad_cursor", status=404) from error
    if signed_order != order:
        raise Problem("bad_cursor", status=404)
    return values


def _after(by: Sequence[str], values: list[Any]) -> Q:
    """The rows after the one with these values: a > x, or a = x and b > y, ..."""
    condition, equal = Q(pk__in=()), Q()
    for name, value in zip(by, values, strict=True):
        column = name.lstrip("-")
        condition |= equal & Q(**{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        equal &= Q(**{column: value})
    return condition


def _value(row: Any, name: str) -> Any:
    for part in name.split("__"):
        row = row[part] if isinstance(row, dict) else getattr(row, part)
    return row


def _to_json(value: Any) -> Any:
    return {"at": value.isoformat()} if isinstance(value, date) else value


def _from_json(value: Any) -> date | datetime | Any:
    if not isinstance(value, dict):
        return value
    return parse_datetime(value["at"]) if "T" in value["at"] else parse_date(value["at"])
