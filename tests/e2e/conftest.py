"""What only the tests with browsers need."""

from __future__ import annotations

import pytest

from tests.services.site import Site

ANOTHER_HOUR = """
from allauth.core.internal import ratelimit
from django.test import RequestFactory
from games.views.play import GUESTS
ratelimit.clear(RequestFactory().get("/"), app="games", action="guest", config=GUESTS)
answer = None
"""


@pytest.fixture(scope="module", autouse=True)
def _guests_of_another_hour(site: Site) -> None:
    """A club lets in 60 guests an hour from one address, and all modules together bring as many to their one site."""
    site.ask(ANOTHER_HOUR)
