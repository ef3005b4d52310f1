"""A member authorises an app: the page asks for consent, and the browser is redirected back to the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from tests.e2e import axe
from tests.e2e.table import sign_up
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

PROGRAM = """
from allauth.idp.oidc.models import Client
kind = Client.Type.PUBLIC
Client.objects.create(id={id!r}, name="Board", type=kind, scopes="read", redirect_uris={back!r})
answer = None
"""


def test_the_consent_form_redirects_back_to_the_app(site: Site, open_page: Callable[..., Any]) -> None:
    page, program = open_page(), site.name("board")
    back = site.url.replace("127.0.0.1", "localhost").rstrip("/") + "/rules/"  # for a browser, another place
    site.ask(PROGRAM.format(id=program, back=back))
    sign_up(page, site.name("ana"))
    proof = {"code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256"}
    query = {"client_id": program, "response_type": "code", "redirect_uri": back, "scope": "read", "state": "s1"}
    page.goto(f"/identity/o/authorize?{urlencode(query | proof)}")
    assert axe.sweep(page) == []
    page.get_by_role("button", name="Authorise").click()
    page.wait_for_url(f"{back}?*")
    assert {"code", "state"} <= set(parse_qs(urlsplit(page.url).query))
