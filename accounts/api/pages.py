"""Lists of the API, a page at a time: ``{"results": [...], "next": cursor or null}``.

A cursor names the last row that was told, so that rows which come in meanwhile neither repeat nor hide one. It is
signed: nobody can ask by it what he may not.
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


def _sealed(value: object) -> str:
    return signing.dumps(value, salt=SALT, compress=True)


def _opened(cursor: str, order: str) -> list[Any]:
    try:
        named, *values = signing.loads(cursor, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise Problem("bad_cursor", status=404) from error
    if named != order:
        raise Problem("bad_cursor", status=404)
    return values


def page_of(
    rows: QuerySet[Any],
    *,
    by: Sequence[str],
    asked: dict[str, Any],
    told: Callable[[list[Any]], list[Any]],
    **more: Any,
) -> Response:
    """A page of `rows` in the order `by`, the last of which tells all rows apart: ``by=("-ended_at", "-pk")``.

    `asked` is what `query_of` read of a `Paged`; `told` makes the answer of the rows of a page, all at once. The
    columns of `by` are never null. `more` stands beside the results. Raises Problem ``bad_cursor``.
    """
    order = ",".join(by)
    if asked.get("cursor"):
        rows = rows.filter(_after(by, [_moment(one) for one in _opened(asked["cursor"], order)]))
    size = asked["size"]
    found = list(rows.order_by(*by)[: size + 1])
    further = None
    if len(found) > size:
        found = found[:size]
        further = _sealed([order, *(_plain(_value(found[-1], name.lstrip("-"))) for name in by)])
    return Response({"results": told(found), "next": further, **more})


def slice_of(
    items: Sequence[Any], *, name: str, asked: dict[str, Any], told: Callable[[list[Any]], list[Any]]
) -> Response:
    """A page of a list that is short enough to be had at once; `name` tells its cursors from those of other lists."""
    start = int(_opened(asked["cursor"], name)[0]) if asked.get("cursor") else 0
    end = start + asked["size"]
    further = _sealed([name, end]) if end < len(items) else None
    return Response({"results": told(list(items[start:end])), "next": further})


def _after(by: Sequence[str], values: list[Any]) -> Q:
    """Behind the row with these values: a > x, or a = x and b > y, ..."""
    found, same = Q(pk__in=()), Q()
    for name, value in zip(by, values, strict=True):
        column = name.lstrip("-")
        found |= same & Q(**{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{column: value})
    return found


def _value(row: Any, name: str) -> Any:
    for part in name.split("__"):
        row = row[part] if isinstance(row, dict) else getattr(row, part)
    return row


def _plain(value: Any) -> Any:
    return {"at": value.isoformat()} if isinstance(value, date) else value


def _moment(value: Any) -> date | datetime | Any:
    if not isinstance(value, dict):
        return value
    return parse_datetime(value["at"]) if "T" in value["at"] else parse_date(value["at"])
