"""Rulings with their reasons (ruling E17)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.games.test_api_matches import sent
from tests.tournaments.conftest import fresh
from tests.tournaments.desk_browser import do, messages, page, view
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]


def test_a_ruling_and_its_reason_are_on_the_page_and_in_the_log(tournament: Make, desk: Client, client: Client) -> None:
    made = tournament(walk_ins=4, start=True)
    before = fresh(made)
    ruling = {"text": "The roll stands.", "why": "Both dice were flat.", "key": "main-1-2"}
    assert messages(do(desk, "desk-ruling", made, **ruling)) == ["Ruling recorded."]
    (found,) = client.get(f"/tournaments/{made.pk}/").context["view"].rulings
    assert (found.text, found.why, found.about, found.by) == ("The roll stands.", "Both dice were flat.", "1-2", "dora")
    assert view(desk, made).recent_log[0].text == "1-2: Ruling: The roll stands. Reason: Both dice were flat."
    assert "Both dice were flat." in page(desk, made)
    assert fresh(made) == before


def test_a_ruling_needs_a_text_a_reason_and_a_pairing_that_exists(tournament: Make, ana: User, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    for code, user, text, why, key in (
        ("not_referee", ana, "So", "because", ""),
        ("no_ruling", dora, " ", "because", ""),
        ("no_reason", dora, "So", " ", ""),
        ("no_pairing", dora, "So", "because", "main-9-9"),
    ):
        with pytest.raises(Refused) as found:
            services.ruling_record(tournament_id=made.pk, user=user, text=text, why=why, key=key)
        assert found.value.code == code


def test_a_ruling_is_not_undone(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    services.ruling_record(tournament_id=made.pk, user=dora, text="So", why="because")
    act = made.events.order_by("-n").values_list("act", flat=True)[0]
    with pytest.raises(Refused) as found:
        services.act_undo(tournament_id=made.pk, user=dora, act=act)
    assert found.value.code == "not_undoable"


def test_the_api_writes_a_ruling_down(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=4, start=True)
    assert sent(dora, f"tournaments/{made.pk}/desk/ruling/", text="So", why="because")[0] == 200
    assert made.events.filter(kind="ruled").get().data == {"text": "So", "why": "because"}
