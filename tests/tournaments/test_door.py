"""At the door: the director scans the code on a player's phone, and keeps the receipts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.web.qr_code import qr_path
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, refused
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.api.receipts import ReceiptsSerializer
from tournaments.models import Tournament
from tournaments.prizes import Purse
from tournaments.selectors.receipts import receipt_rows, receipts
from tournaments.services.prizes import purse_set

pytestmark = pytest.mark.django_db

Make = Callable[..., Tournament]
As = Callable[[User], Client]


@pytest.fixture
def entered(tournament: Make, ana: User) -> Tournament:
    """A tournament of two walk-ins and ana (number 3) with an entry fee of 20."""
    made = tournament(walk_ins=2)
    services.entrant_register(tournament_id=made.pk, user=ana)
    purse_set(tournament_id=made.pk, user=made.created_by, purse=Purse(fee=2000, currency="EUR"))
    return made


def test_the_code_on_the_players_phone_leads_the_director_to_their_check_in(
    entered: Tournament, as_user: As, desk: Client, ana: User
) -> None:
    url = reverse("desk-check-in", args=[entered.pk, 3])
    player = as_user(ana)
    shown = player.get(reverse("tournament", args=[entered.pk]))
    assert shown.context["check_in_qr"] == qr_path(f"http://testserver{url}")
    assert "Check in" in desk.get(url).content.decode()
    assert fresh(entered).checked_in == frozenset()  # looking checks nobody in
    desk.post(url)
    assert fresh(entered).checked_in == {3}
    assert "check_in_qr" not in player.get(reverse("tournament", args=[entered.pk])).context
    desk.post(url, {"action": "paid"})
    desk.post(url, {"action": "check-out"})
    assert (fresh(entered).checked_in, fresh(entered).paid) == (frozenset(), {3})


def test_the_code_is_for_directors_alone(entered: Tournament, as_user: As, bea: User, desk: Client) -> None:
    url = reverse("desk-check-in", args=[entered.pk, 3])
    assert as_user(bea).get(url).status_code == 403
    as_user(bea).post(url)
    assert fresh(entered).checked_in == frozenset()
    assert desk.get(reverse("desk-check-in", args=[entered.pk, 99])).status_code == 404


def test_receipts_say_who_took_the_fee_and_who_has_to_pay(entered: Tournament, dora: User, desk: Client) -> None:
    for number in (2, 3):
        services.entrant_paid(tournament_id=entered.pk, user=dora, number=number)
    services.entrant_withdraw(tournament_id=entered.pk, user=dora, number=2)
    found = receipts(tournament_id=entered.pk, user=dora)
    assert [(row.name, row.paid, row.by) for row in found.rows] == [
        ("W1", False, ""),
        ("ana", True, "dora"),
        ("W2", True, "dora"),
    ]
    assert (found.fee, found.collected, found.outstanding) == ("20 EUR", "40 EUR", "20 EUR")
    page = desk.get(reverse("desk-receipts", args=[entered.pk])).content.decode()
    assert page.count("taken by dora") == 2
    file = b"".join(desk.get(reverse("desk-receipts", args=[entered.pk]), {"format": "csv"}))
    heads, first, *_rest = file.decode("utf-8-sig").splitlines()
    assert (heads, first) == ("number,name,paid,amount,currency,by,at", "1,W1,0,0.00,EUR,,")


def test_an_undone_payment_is_no_receipt(entered: Tournament, dora: User) -> None:
    services.entrant_paid(tournament_id=entered.pk, user=dora, number=1)
    act = entered.events.order_by("-n").values_list("act", flat=True)[0]
    services.act_undo(tournament_id=entered.pk, user=dora, act=act)
    found = receipts(tournament_id=entered.pk, user=dora)
    assert [row.paid for row in found.rows] == [False, False, False]
    assert next(row for row in list(receipt_rows(found))[1:])[2:4] == (0, "0.00")


def test_the_api_lists_the_receipts(entered: Tournament, ana: User, dora: User) -> None:
    services.entrant_paid(tournament_id=entered.pk, user=dora, number=1)
    found = get_json(dora, f"tournaments/{entered.pk}/desk/receipts/")
    assert undeclared(ReceiptsSerializer, found) == []
    assert [(row["number"], row["by"]) for row in found["rows"]] == [(2, ""), (3, ""), (1, "dora")]
    assert refused(ana, f"tournaments/{entered.pk}/desk/receipts/") == (403, "not_director")
