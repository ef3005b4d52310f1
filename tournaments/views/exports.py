"""A tournament as files: CSV tables and one JSON document (docs/formats.md)."""

from __future__ import annotations

from typing import TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from accounts.web.limits import limited
from accounts.web.policy import public
from games.views.request import not_found_as_404
from tournaments.selectors import exports

Response = TypeVar("Response", bound=HttpResponseBase)


@limited("export")
@public
@require_safe
def tournament_csv(request: HttpRequest, tournament_id: str) -> HttpResponseBase:
    """One table (`?what=` entrants, results or standings), or all three in a zip file."""
    with not_found_as_404():
        view = exports.exported_page(tournament_id)
    name, sheet = exports.filename(view), request.GET.get("what", "")
    if sheet in exports.SHEETS:
        lines = exports.csv_lines(exports.sheet_rows(view, sheet))
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        return _as_attachment(response, f"{name}-{sheet}.csv")
    return _as_attachment(HttpResponse(exports.csv_zip(view), content_type="application/zip"), f"{name}.zip")


@limited("export")
@public
@require_safe
def tournament_json(request: HttpRequest, tournament_id: str) -> HttpResponseBase:
    """The whole tournament as one JSON document."""
    with not_found_as_404():
        view = exports.exported_page(tournament_id)
    document = exports.export_document(view)
    response = JsonResponse(document, json_dumps_params={"indent": 1, "ensure_ascii": False})
    return _as_attachment(response, f"{exports.filename(view)}.json")


def _as_attachment(response: Response, filename: str) -> Response:
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response
