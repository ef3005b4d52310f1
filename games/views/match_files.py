"""Match files: downloads of finished matches and dice records, and the import of files from other programs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.web.limits import is_post, limited
from accounts.web.policy import current_user, member, public
from backgammon.languages import picture_language
from games import formats, labels, services
from games.errors import Refused
from games.formats import Fault, FormatError, Reading
from games.formats.decoding import MOST_BYTES, MOST_TEXT
from games.models import Match
from games.selectors import dice_proofs, match_files
from games.selectors.match_rows import match_rows
from games.views.request import match_or_404, not_found_as_404, paginate

CARD_KEPT = 24 * 3600
"""Seconds for which the picture of a match is kept here."""
CARD_FRESH = 600
"""The same for browsers and proxies."""
SHOWN_FAULTS = 30
TYPES = {"mat": "text/plain", "sgf": "application/x-go-sgf", "pdn": "text/plain", "json": "application/json"}


@public
@require_safe
def match_file(request: HttpRequest, match_id: str, kind: str) -> HttpResponse:
    """A finished match as a file: .mat and .sgf for backgammon programs, .pdn for damas, .json with everything."""
    if kind not in TYPES:
        raise Http404
    match = match_or_404(request, match_id)
    if match.status != Match.Status.OVER:
        messages.error(request, Refused("not_over").text)
        return redirect("match", match_id)
    try:
        text = match_files.match_text(match, kind)
    except FormatError as error:
        messages.error(request, labels.sentence(error.code, error.params))
        return redirect("match", match_id)
    except Refused as refused:
        messages.error(request, refused.text)
        return redirect("match", match_id)
    return HttpResponse(
        text,
        content_type=f"{TYPES[kind]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="tablero-{match.pk}.{kind}"'},
    )


@limited("card")
@public
@require_safe
def match_card(request: HttpRequest, match_id: str) -> HttpResponse:
    """The final position of a finished match with its players and score as PNG: for shared links, and to be saved."""
    match = match_or_404(request, match_id)
    if match.status != Match.Status.OVER or not match.snapshot:
        raise Http404
    names = " ".join(seat.name for seat in match.seats.all())  # nobody's old name is shown once it is changed or erased
    language = picture_language(get_language())
    key = "card:" + hashlib.sha256(f"{match.pk} {match.version} {language} {names}".encode()).hexdigest()
    with override(language):
        picture = cache.get_or_set(key, lambda: match_files.card_png(match), CARD_KEPT)
    return HttpResponse(picture, content_type="image/png", headers={"Cache-Control": f"public, max-age={CARD_FRESH}"})


@public
@require_safe
def match_dice(request: HttpRequest, match_id: str) -> HttpResponse:
    """The transcript of the dice of a match, for docs/verify_dice.py; during the match the rolls so far."""
    match = match_or_404(request, match_id)
    with not_found_as_404():
        transcript = dice_proofs.transcript_of(match)
    name = f"tablero-{match.pk}-dice.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(transcript, headers=headers, json_dumps_params={"indent": 1})


class ImportForm(forms.Form):
    """A file of another program, or its text pasted."""

    file = forms.FileField(label=gettext_lazy("File"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Or paste the text"),
        required=False,
        strip=False,
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "none"}),
    )

    def upload(self) -> tuple[bytes, str]:
        """The bytes and the name of the file; of a file that is too large only one byte more than allowed."""
        file = self.cleaned_data.get("file")
        if file is not None:
            return file.read(MOST_BYTES + 1), file.name or ""
        return self.cleaned_data["text"].encode("utf-8", "replace"), ""


@dataclass(frozen=True, slots=True)
class FaultLine:
    """One fault or warning, as the page shows it."""

    game: int
    move: int
    play: str
    reason: str
    ruling: str


@limited("import", when=is_post)
@member
@require_http_methods(["GET", "HEAD", "POST"])
def match_import(request: HttpRequest) -> HttpResponse:
    """Import a match: the whole match, or a report of the faults with game, move and ruling."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method != "POST":
        return _page(request, form)
    if not form.is_valid():
        return _page(request, form, status=422)
    data, name = form.upload()
    try:
        reading = formats.read(data, name)
        if reading.record is None:
            return _page(request, form, reading=reading, status=422)
        match = services.match_import(
            creator=current_user(request), record=reading.record, source=reading.format, data=data
        )
    except FormatError as error:
        form.add_error(None, labels.sentence(error.code, error.params))
        return _page(request, form, status=422)
    except Refused as refused:
        form.add_error(None, refused.text)
        return _page(request, form, status=422)
    messages.success(request, _("Match imported to your archive."))
    for line in _fault_lines(reading.warnings)[:3]:
        messages.info(request, _("Game %(game)s: %(reason)s") % {"game": line.game, "reason": line.reason})
    return redirect("match", match.pk)


def _fault_lines(faults: tuple[Fault, ...]) -> list[FaultLine]:
    return [
        FaultLine(fault.game, fault.move, fault.text, labels.sentence(fault.code, fault.params), fault.ruling)
        for fault in faults[:SHOWN_FAULTS]
    ]


def _page(request: HttpRequest, form: ImportForm, *, reading: Reading | None = None, status: int = 200) -> HttpResponse:
    page = paginate(request, match_files.imported_matches(current_user(request)))
    context = {
        "form": form,
        "page": page,
        "rows": match_rows(page.object_list, None),
        "faults": _fault_lines(reading.faults) if reading else [],
        "more": max(0, len(reading.faults) - SHOWN_FAULTS) if reading else 0,
    }
    return render(request, "games/import.html", context, status=status)
