"""Django code that runs beside the hosts: it creates the matches that the bots play."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from games import services
from tools.faults.tournament_data import cookie_of

TERMS: tuple[dict[str, Any], ...] = (
    {"variant": "damas", "length": 1, "clock": "min15", "options": {}},  # its clock has no delay: every second counts
    {"variant": "backgammon", "length": 5, "clock": "club", "options": {}},
)


def create_matches(matches: int, *, since: int = 0) -> list[dict[str, Any]]:
    """Create matches between two new members each, numbered from `since`, which have begun; ids and cookies."""
    created = []
    for number in range(since, since + matches):
        ana, bea = (User.objects.create_user(f"{name}.{number}") for name in ("ana", "bea"))
        seek = services.match_create(creator=ana, invited=bea, rated=False, **TERMS[number % len(TERMS)])
        services.match_join(match_id=seek.pk, user=bea)
        created.append({"id": seek.pk, "cookies": {user.username: cookie_of(user) for user in (ana, bea)}})
    return created
