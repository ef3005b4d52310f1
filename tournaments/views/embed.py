"""The brackets and tables of a tournament for other websites: the only page that they may show in a frame.

It depends on its address alone: neither on cookies nor on who looks, so shared caches may keep it for a while.
"""

from __future__ import annotations

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.web.policy import public
from backgammon.languages import LANGUAGES, first_supported
from games.views.request import not_found_as_404, query_choices
from tournaments.selectors import tournament_page

FRAMED = {"frame-ancestors": ["*"], "script-src": ["'none'"], "form-action": ["'none'"]}
SECONDS = 60
"""How long a copy may be kept."""


@public
@require_safe
@xframe_options_exempt
@csp_replace(FRAMED)  # type: ignore[arg-type]  # its type knows no arguments in URLs
@cache_control(public=True, max_age=SECONDS)
def tournament_embed(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Show the brackets and tables in a frame: `?lang=` (else the site's language), `?theme=` light or dark."""
    chosen = query_choices(request, lang=list(LANGUAGES), theme=["light", "dark"])
    language = first_supported(chosen["lang"])
    with override(language), not_found_as_404():
        view = tournament_page.tournament_page(tournament_id=tournament_id, user=None)
        context = {"view": view, "tournament": view.tournament, "theme": chosen["theme"] or "auto", "embedded": True}
        response = HttpResponse(render_to_string("tournaments/embed.html", context))
    response["Content-Language"] = language
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
