"""The boards at the desk: rooms with numbered boards, and the board of a pairing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.web.policy import member
from tournaments import services
from tournaments.forms.boards import BoardsForm, CallForm
from tournaments.views.responses import submit_on_desk


@member
@require_POST
def desk_boards(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Set the rooms and their boards."""
    form = BoardsForm(request.POST)
    return submit_on_desk(
        request, tournament_id, form, services.boards_set, lambda: {"boards": form.boards()}, _("Boards saved.")
    )


@member
@require_POST
def desk_call(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Call the two of a pairing to a board."""
    form = CallForm(request.POST)
    return submit_on_desk(request, tournament_id, form, services.pairing_call, lambda: form.cleaned_data)
