"""The pages of files: downloads of finished matches, and bringing in matches from other programs."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import limited, posts
from accounts.policy import member, public, who
from games import formats, services, words
from games.errors import NotFound, Refused
from games.formats import Fault, FormatError, Reading
from games.formats.text import MOST_BYTES
from games.models import Match
from games.selectors import archive, dice, lists

PAGE = 25
SHOWN_FAULTS = 30
TYPES = {"mat": "text/plain", "sgf": "application/x-go-sgf", "pdn": "text/plain", "json": "application/json"}


@public
@require_safe
def match_file(request: HttpRequest, match_id: str, kind: str) -> HttpResponse:
    """A finished match as a file: .mat and .sgf for backgammon programs, .pdn for damas, .json with everything."""
    if kind not in TYPES:
        raise Http404
    try:
        found = lists.match_seen(match_id=match_id, user=request.user if request.user.is_authenticated else None)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    if found.status != Match.Status.OVER:
        messages.error(request, Refused("not_over").text)
        return redirect("match", match_id)
    try:
        text = archive.text_of(found, kind)
    except FormatError as error:
        messages.error(request, words.sentence(error.code, error.params))
        return redirect("match", match_id)
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("match", match_id)
    return HttpResponse(
        text,
        content_type=f"{TYPES[kind]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="tablero-{found.pk}.{kind}"'},
    )


@public
@require_safe
def match_dice(request: HttpRequest, match_id: str) -> HttpResponse:
    """The transcript of the dice of a match, for docs/verify_dice.py; during the match the rolls so far."""
    try:
        found = lists.match_seen(match_id=match_id, user=request.user if request.user.is_authenticated else None)
        told = dice.transcript_of(found)
    except NotFound as refused:
        raise Http404(refused.text) from refused
    name = f"tablero-{found.pk}-dice.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(told, headers=headers, json_dumps_params={"indent": 1})


class ImportForm(forms.Form):
    """A file of another program, or its text pasted."""

    file = forms.FileField(label=gettext_lazy("File"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Or paste its text"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "none"}),
    )

    def given(self) -> tuple[bytes, str]:
        """The bytes and the name of the file; of a file that is too large only as much as proves it."""
        file = self.cleaned_data.get("file")
        if file is not None:
            return file.read(MOST_BYTES + 1), file.name or ""
        return self.cleaned_data["text"].encode("utf-8", "replace"), ""


@dataclass(frozen=True, slots=True)
class Line:
    """One fault or warning, as the page says it."""

    game: int
    move: int
    play: str
    reason: str
    ruling: str


@limited("import", when=posts)
@member
@require_http_methods(["GET", "HEAD", "POST"])
def match_import(request: HttpRequest) -> HttpResponse:
    """Bring in a match: all of it, or a report that says with game, move and ruling what is wrong."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return _page(request, form)
    if not form.is_valid():
        return _page(request, form, status=422)
    data, name = form.given()
    try:
        reading = formats.read(data, name)
        if reading.record is None:
            return _page(request, form, reading=reading, status=422)
        match = services.match_import(creator=who(request), record=reading.record, source=reading.format, data=data)
    except FormatError as error:
        form.add_error(None, words.sentence(error.code, error.params))
        return _page(request, form, status=422)
    except Refused as refused:
        form.add_error(None, refused.text)
        return _page(request, form, status=422)
    messages.success(request, _("The match is in your archive."))
    for line in _lines(reading.warnings)[:3]:
        messages.info(request, _("Game %(game)s: %(reason)s") % {"game": line.game, "reason": line.reason})
    return redirect("match", match.pk)


def _lines(faults: tuple[Fault, ...]) -> list[Line]:
    return [
        Line(fault.game, fault.move, fault.text, words.sentence(fault.code, fault.params), fault.ruling)
        for fault in faults[:SHOWN_FAULTS]
    ]


def _page(request: HttpRequest, form: ImportForm, *, reading: Reading | None = None, status: int = 200) -> HttpResponse:
    page = Paginator(archive.archived(who(request)), PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": lists.rows(page.object_list, None),
        "faults": _lines(reading.faults) if reading else [],
        "more": max(0, len(reading.faults) - SHOWN_FAULTS) if reading else 0,
    }
    return render(request, "games/import.html", context, status=status)
