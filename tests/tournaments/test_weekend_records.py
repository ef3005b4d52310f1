"""Records of a weekend: side pools, auctions, consolation shares, and the prizes of all its tournaments."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.desk_browser import messages
from tests.tournaments.test_weekends import refused
from tests.tournaments.weekend_stage import weekend_of
from tournaments import services
from tournaments.models import Tournament, Weekend, WeekendRecord
from tournaments.prizes import Purse
from tournaments.selectors.weekends.prizes import weekend_prizes
from tournaments.selectors.weekends.records import consolation_amounts, records
from tournaments.services.prizes import purse_set
from tournaments.services.weekend_records import weekend_record_remove, weekend_record_set
from tournaments.services.weekends import weekend_remove
from tournaments.weekend_records import ConsolationShare, Lot, SidePool, as_json, lot_winnings, read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

Make = Callable[..., Tournament]
As = Callable[[User], Client]


@pytest.fixture
def two(tournament: Make, dora: User) -> Weekend:
    """A weekend of two tournaments with two walk-ins each."""
    first, second = tournament(walk_ins=2), tournament()
    for name in ("Paco", "Rosa"):
        services.entrant_add(tournament_id=second.pk, user=dora, name=name)
    return weekend_of(dora, first, second)


def entries(weekend: Weekend) -> dict[str, int]:
    """The entries by name."""
    return {row.name: row.pk for made in weekend.tournaments.all() for row in made.entrants.all()}


def test_a_record_is_read_as_it_was_written() -> None:
    for kind, content in (
        ("pool", SidePool("Last", 500, "€", (1, 2), (2,))),
        ("lot", Lot(1, "Luis", 5000, "€", 60)),
        ("consolation", ConsolationShare("abc", 20)),
    ):
        assert read(kind, as_json(content)) == content


def test_the_winners_of_a_pool_and_the_owners_of_lots_share_to_the_last_cent() -> None:
    assert SidePool("Last", 500, "", (1, 2, 3, 4), (1, 2, 3)).parts == [667, 667, 666]
    assert lot_winnings([Lot(1, "A", 1001, "", 50), Lot(2, "B", 0, "", 30), Lot(3, "C", 0, "", 20)]) == [501, 300, 200]


def test_a_side_pool_has_people_of_several_tournaments(two: Weekend, dora: User) -> None:
    known = entries(two)
    people = (known["W1"], known["Paco"])
    weekend_record_set(weekend_id=two.pk, user=dora, content=SidePool("Last", 1000, "€", people))
    weekend_record_set(
        weekend_id=two.pk, user=dora, ref=1, content=SidePool("Last", 1000, "€", people, (known["Paco"],))
    )
    (row,) = records(two).pools
    assert (row.title, row.facts) == ("Last", ["stake 10 €, total 20 €", "In it: W1, Paco", "Won by: Paco 20 €"])
    assert [(line.by, "Won by" in line.text) for line in row.history] == [("dora", False), ("dora", True)]


def test_the_lots_of_an_auction_share_its_pool(two: Weekend, dora: User) -> None:
    known = entries(two)
    for name, price, share in (("W1", 6000, 70), ("Rosa", 4000, 30)):
        content = Lot(known[name], "Luis", price, "€", share)
        weekend_record_set(weekend_id=two.pk, user=dora, content=content)
    found = records(two)
    assert [row.facts for row in found.lots] == [
        ["bought by Luis for 60 €", "70% of the pool", "wins 70 €"],
        ["bought by Luis for 40 €", "30% of the pool", "wins 30 €"],
    ]
    assert found.auction_total == "100 €"
    refused("record_twice", weekend_record_set, weekend_id=two.pk, user=dora, content=Lot(known["W1"], "Eva", 1, "€"))
    refused(
        "record_shares", weekend_record_set, weekend_id=two.pk, user=dora, content=Lot(known["W2"], "Eva", 1, "€", 1)
    )


def test_records_are_appended_and_a_removed_one_stays_in_the_history(two: Weekend, dora: User) -> None:
    pool = SidePool("Last", 1000, "€")
    weekend_record_set(weekend_id=two.pk, user=dora, content=pool)
    weekend_record_set(weekend_id=two.pk, user=dora, content=pool, ref=1)  # the same again
    assert WeekendRecord.objects.count() == 1
    weekend_record_remove(weekend_id=two.pk, user=dora, ref=1)
    found = records(two)
    assert (found.pools, [line.text for line in found.removed]) == ([], ["Last; stake 10 €, total 0 €"])
    assert list(WeekendRecord.objects.values_list("n", "ref", "removed")) == [(1, 1, False), (2, 1, True)]
    refused("no_record", weekend_record_remove, weekend_id=two.pk, user=dora, ref=1)
    refused("no_record", weekend_record_set, weekend_id=two.pk, user=dora, content=pool, ref=1)
    refused("weekend_recorded", weekend_remove, weekend_id=two.pk, user=dora)


def test_an_impossible_record_is_refused(two: Weekend, tournament: Make, dora: User) -> None:
    known = entries(two)
    elsewhere = tournament(walk_ins=1)
    for code, content in (
        ("record_invalid", SidePool("", 100)),
        ("record_invalid", SidePool("Last", -1)),
        ("record_invalid", SidePool("Last", 100, "", (known["W1"],), (known["Paco"],))),
        ("record_people", SidePool("Last", 100, "", (elsewhere.entrants.get().pk,))),
        ("record_people", Lot(elsewhere.entrants.get().pk, "Luis", 100)),
        ("record_invalid", Lot(known["W1"], "", 100)),
        ("record_invalid", Lot(known["W1"], "Luis", 100, "", 101)),
        ("weekend_tournament", ConsolationShare(elsewhere.pk, 20)),
        ("record_invalid", ConsolationShare(elsewhere.pk, 101)),
    ):
        refused(code, weekend_record_set, weekend_id=two.pk, user=dora, content=content)
    assert not WeekendRecord.objects.exists()


def test_only_directors_keep_records(two: Weekend, as_user: As, dora: User, bea: User) -> None:
    pool = SidePool("Last", 1000, "€")
    made = two.tournaments.first()
    assert made is not None
    services.official_appoint(tournament_id=made.pk, user=dora, official=bea, role="referee")
    refused("not_weekend_director", weekend_record_set, weekend_id=two.pk, user=bea, content=pool)
    assert as_user(bea).get(reverse("weekend-records", args=[two.pk])).status_code == 403
    services.director_add(tournament_id=made.pk, user=dora, director=bea)
    weekend_record_set(weekend_id=two.pk, user=bea, content=pool)
    assert records(two).pools[0].last.by == "bea"


def test_records_are_made_corrected_and_removed_by_their_forms(two: Weekend, desk: Client) -> None:
    known, url = entries(two), reverse("weekend-records", args=[two.pk])
    part = two.tournaments.order_by("created_at").first()
    assert part is not None
    pool = {"kind": "pool", "name": "Last", "stake": "5,50", "currency": "€", "people": [known["W1"], known["Rosa"]]}
    desk.post(url, {**pool, "stake": "5.50"})
    desk.post(url, {**pool, "stake": "6", "ref": "1", "winners": [known["Rosa"]]})
    desk.post(url, {"kind": "lot", "player": known["W2"], "buyer": "Luis", "price": "40", "currency": "€"})
    desk.post(url, {"kind": "consolation", "tournament": part.pk, "percent": "20"})
    found = records(two)
    assert [row.facts[0] for row in (*found.pools, *found.lots, *found.consolations)] == [
        "stake 6 €, total 12 €",
        "bought by Luis for 40 €",
        "20% of the prize fund goes to the consolation",
    ]
    assert desk.get(url).status_code == 200
    desk.post(url, {"ref": str(found.lots[0].ref), "action": "remove"})
    assert records(two).lots == []
    for wrong in ({}, {"kind": "x"}, {"kind": "lot", "player": "9" * 30}, {"ref": "99", "action": "remove"}):
        assert desk.post(url, wrong).status_code == 302
    answer = desk.post(url, {"kind": "consolation", "tournament": part.pk, "percent": "30"})
    assert messages(answer)[-1:] == ["There is a record about this already. Correct that one."]


def test_the_prizes_of_all_tournaments_are_on_one_page(two: Weekend, desk: Client, client: Client, dora: User) -> None:
    first, second = two.tournaments.order_by("created_at")
    purse_set(tournament_id=first.pk, user=dora, purse=Purse(added=10000, shares=(60, 40), currency="€", shown=True))
    purse_set(tournament_id=second.pk, user=dora, purse=Purse(added=777, shares=(100,), currency="€"))
    weekend_record_set(weekend_id=two.pk, user=dora, content=ConsolationShare(first.pk, 20))
    weekend_record_set(weekend_id=two.pk, user=dora, content=SidePool("Secret pool", 1000, "€"))
    assert [each.tournament for each in weekend_prizes(two, everything=False)] == [first]
    found = weekend_prizes(two, everything=True)
    assert [each.tournament for each in found] == [first, second]
    assert consolation_amounts(records(two), found) == {first.pk: "20 €"}
    url = reverse("weekend-prizes", args=[two.pk])
    for browser, sees in ((client, [True, False, False]), (desk, [True, True, True])):
        page = browser.get(url).content.decode()
        assert [text in page for text in ("60 €", "7.77 €", "Secret pool")] == sees
