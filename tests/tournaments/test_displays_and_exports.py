"""Print pages, the TV display, exports and prizes: their content, who may see them, and their queries."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from accounts.users import services as people
from games.database import now
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Entrant, Tournament, TournamentEvent, TournamentRound
from tournaments.prizes import Pool, Purse
from tournaments.selectors import exports, printing, tv_display
from tournaments.services.breaks import break_start
from tournaments.services.prizes import purse_set
from tournaments.services.transaction import load_state

pytestmark = [pytest.mark.django_db, pytest.mark.looks]  # the same acts on any database


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with override("en"):
        yield


def browser(user: User | None = None, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    if user is not None:
        client.force_login(user, backend=people.BACKEND)
    return client


def page_text(name: str, tournament: Tournament, user: User | None = None, language: str = "en", **query: str) -> str:
    """What a page says, without its markup."""
    answer = browser(user, language).get(reverse(name, args=[tournament.pk]), query)
    assert answer.status_code == 200
    page = re.sub(r"<head.*?</head>", "", answer.content.decode(), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


# Paper


def test_a_bracket_of_32_is_on_one_page_and_its_consolation_on_the_next() -> None:
    made = staged("knockout", 32, consolation="progressive")
    trees = printing.printed_sheets(tournament_id=made.pk, kind="draw").brackets
    assert [(leaf.title, leaf.number, leaf.count) for leaf in trees] == [
        ("Main bracket", 1, 1),
        ("Consolation", 1, 2),
        ("Consolation", 2, 2),
    ]
    assert [[len(column.places) for column in leaf.columns] for leaf in trees] == [
        [16, 8, 4, 2, 1],
        [8, 8, 4],
        [4, 2, 1],
    ]


def test_a_bracket_of_64_is_cut_between_its_halves_and_loses_no_pairing() -> None:
    made = staged("knockout", 64)
    trees = printing.printed_sheets(tournament_id=made.pk, kind="draw").brackets
    assert [[len(column.places) for column in leaf.columns] for leaf in trees] == [[16, 8, 4], [16, 8, 4], [4, 2, 1]]
    printed = [card.key for leaf in trees for column in leaf.columns for card in column.cards]
    assert sorted(printed) == sorted(pairing.key for pairing in load_state(made).pairings)


@pytest.mark.parametrize("players", [2, 3, 5, 11, 16, 33, 100])
@pytest.mark.parametrize("shape", [{"consolation": "progressive", "last_chance": True}, {}])
def test_every_pairing_is_printed_once(players: int, shape: dict[str, Any]) -> None:
    made = staged("knockout" if shape else "double", players, **shape)
    trees = printing.printed_sheets(tournament_id=made.pk, kind="draw").brackets
    printed = sorted(card.key for leaf in trees for column in leaf.columns for card in column.cards)
    state = load_state(made)
    assert printed == sorted(pairing.key for pairing in state.pairings if pairing.state != "void")
    assert max(len(leaf.columns) for leaf in trees) <= printing.MOST_COLUMNS
    assert max(len(leaf.columns[0].places) for leaf in trees) <= printing.MOST_ROWS


@pytest.mark.parametrize(
    ("format_", "shape", "sheets"),
    [
        ("swiss", {"rounds": 3}, ["Round 1", "Table", "Buch."]),
        ("losses", {"rounds": 3}, ["Round 1"]),
        ("round-robin", {}, ["Round 2", "Round robin"]),
        ("groups", {"groups": 2}, ["Group 1", "Group 2", "Main bracket"]),
        ("league", {"divisions": 2}, ["Division 1", "Division 2"]),
    ],
)
def test_every_format_has_its_sheets(ana: User, format_: str, shape: dict[str, Any], sheets: list[str]) -> None:
    page = page_text("tournament-print", staged(format_, 8, people=(ana,), played=0.2, **shape))
    for sheet in sheets:
        assert sheet in page
    assert " ana " in page


def test_there_is_a_slip_for_each_open_pairing() -> None:
    page = page_text("tournament-print", staged("knockout", 4, lengths=(5,)), sheet="slips")
    assert page.count("Signature") == 4
    assert "1-1 Weekly club tournament Semi-finals · match to 5 points" in page
    assert "No matches to play now." in page_text("tournament-print", staged("knockout", 4, drawn=False), sheet="slips")


def test_the_poster_leads_phones_to_the_tournament() -> None:
    made = staged("knockout", 4, drawn=False)
    page = page_text("tournament-print", made, sheet="poster")
    assert f"http://testserver/tournaments/{made.pk}/" in page
    assert "Register and check in" in page


def test_entrants_are_listed_by_name_to_tick_off(ana: User, bea: User) -> None:
    made = staged("knockout", 4, people=(bea, ana), drawn=False)
    Entrant.objects.filter(tournament=made, number=2).update(paid=True)
    page = page_text("tournament-print", made, sheet="entrants")
    assert "# Player Present Paid Notes 1 ana × 2 bea" in page
    assert page.count("×") == 1


def test_an_undrawn_tournament_has_a_note() -> None:
    assert "The draw hasn't been made yet." in page_text("tournament-print", staged("knockout", 4, drawn=False))


# The television


def kinds(tournament: Tournament) -> list[tuple[str, str]]:
    return [(panel.key, panel.kind) for panel in tv_display.tv_display(tournament.pk).panels]


def test_the_tv_display_follows_a_tournament_from_its_entrants_to_its_champion(ana: User, dora: User) -> None:
    assert kinds(staged("knockout", 30, drawn=False)) == [("names-1", "names"), ("names-2", "names")]
    running = staged("knockout", 8, played=0.5)
    services.announcement_post(tournament_id=running.pk, user=dora, text="Pizza at nine")
    assert kinds(running) == [
        ("announcement", "announcement"),
        ("now-1", "matches"),
        ("tree-main", "tree"),
        ("results", "matches"),
    ]
    over = tv_display.tv_display(staged("knockout", 4, people=(ana,), played=1.0).pk)
    assert over.panels[0].kind == "champion"
    assert over.panels[0].names == ["ana"]


def test_a_table_is_split_into_panels_of_equal_length() -> None:
    panels = tv_display.tv_display(staged("swiss", 20, rounds=3, played=0.1).pk).panels
    assert [len(panel.lines) for panel in panels if panel.kind == "table"] == [6, 7, 7]


def test_the_latest_results_come_first_and_a_corrected_one_only_once(dora: User) -> None:
    made = staged("knockout", 4)
    for key, winner in (("main-1-1", 1), ("main-1-2", 2), ("main-1-1", 4)):
        act = services.result_correct if winner == 4 else services.result_enter
        facts: dict[str, Any] = {"why": "wrong"} if winner == 4 else {}
        act(tournament_id=made.pk, user=dora, key=key, winner=winner, points=(7, 1) if winner < 4 else (1, 7), **facts)
    results = next(panel for panel in tv_display.tv_display(made.pk).panels if panel.key == "results")
    assert [card.key for card in results.cards] == ["main-1-1", "main-1-2"]


def test_the_tv_display_counts_down_to_the_next_round() -> None:
    made = staged("swiss", 4, rounds=3)
    at = now() + timedelta(minutes=20)
    TournamentRound.objects.create(tournament=made, section="swiss", round=2, open_at=at)
    screen = tv_display.tv_display(made.pk)
    assert (screen.next_event, screen.next_event_at) == ("Next round", at)
    assert (
        f'data-until="{at.isoformat()[:16]}'
        in browser().get(reverse("tournament-tv-live", args=[made.pk])).content.decode()
    )


@pytest.mark.parametrize("minutes", [15, None])
def test_the_tv_display_counts_down_to_the_end_of_a_break(dora: User, minutes: int | None) -> None:
    made = staged("swiss", 4, rounds=3)
    until = now() + timedelta(minutes=minutes) if minutes else None
    break_start(tournament_id=made.pk, user=dora, until=until)
    screen = tv_display.tv_display(made.pk)
    assert (screen.next_event, screen.next_event_at) == ("Break", until)
    assert ("screen-count" in browser().get(reverse("tournament-tv", args=[made.pk])).content.decode()) is bool(minutes)


def test_the_screen_shows_the_next_start_in_the_time_zone_of_the_tournament() -> None:
    made = staged("knockout", 4, drawn=False)
    start = now().replace(hour=21, minute=30) + timedelta(days=1)
    Tournament.objects.filter(pk=made.pk).update(starts_at=start, timezone="Asia/Kathmandu")
    text = browser().get(reverse("tournament-tv", args=[made.pk])).content.decode()
    assert '<b class="screen-count">03:15</b>' in text


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", ["tournament-print", "tournament-tv", "tournament-tv-live"])
def test_anybody_can_view_the_print_and_tv_pages(ana: User, name: str, language: str) -> None:
    assert "ana" in page_text(name, staged("double", 4, people=(ana,)), language=language)


@pytest.mark.parametrize("name", ["tournament-print", "tournament-tv", "tournament-json", "tournament-csv"])
def test_a_missing_tournament_is_not_found(name: str) -> None:
    assert browser().get(reverse(name, args=["nothing"])).status_code == 404


@pytest.mark.parametrize("name", ["tournament-print", "tournament-tv", "tournament-json", "tournament-csv"])
def test_pages_take_a_constant_number_of_queries(name: str, django_assert_max_num_queries: Any) -> None:
    for players in (3, 10):
        made = staged("double", players, played=0.4)
        with django_assert_max_num_queries(14):
            answer = browser().get(reverse(name, args=[made.pk]))
            assert b"".join(answer) if answer.streaming else answer.content


# Files


def rows(tournament: Tournament, sheet: str) -> list[dict[str, str]]:
    answer = browser().get(reverse("tournament-csv", args=[tournament.pk]), {"what": sheet})
    assert answer["Content-Disposition"] == f'attachment; filename="weekly-club-tournament-{sheet}.csv"'
    text = b"".join(answer).decode("utf-8-sig")  # type: ignore[arg-type]
    return list(csv.DictReader(io.StringIO(text)))


def test_the_csv_tables_list_entrants_results_and_standings(ana: User) -> None:
    made = staged("knockout", 4, people=(ana,), played=1.0)
    assert rows(made, "entrants")[0]["name"] == "ana"
    first = rows(made, "results")[0]
    assert (first["pairing"], first["a"], first["winner"], first["points_a"]) == ("main-1-1", "ana", "ana", "7")
    best = rows(made, "standings")[0]
    assert (best["place"], best["name"]) == ("1", "ana")


def test_the_standings_have_a_column_for_each_tie_break_that_counts() -> None:
    named = ("wins", "buchholz", "direct", "points")
    made = staged("round-robin", 4, venue="board", played=1.0, tie_breaks=named)
    heads = [
        "section",
        "place",
        "name",
        "played",
        "wins",
        "losses",
        "draws",
        "wins",
        "direct",
        "points",
        "note",
        "replaced",
    ]
    answer = browser().get(reverse("tournament-csv", args=[made.pk]), {"what": "standings"})
    assert b"".join(answer).decode("utf-8-sig").splitlines()[0] == ",".join(heads)  # type: ignore[arg-type]


def test_no_cell_is_a_formula(dora: User) -> None:
    made = staged("knockout", 2, drawn=False)
    services.entrant_add(tournament_id=made.pk, user=dora, name="=HYPERLINK(1)")
    assert rows(made, "entrants")[-1]["name"] == "'=HYPERLINK(1)"


def test_all_tables_in_one_file() -> None:
    made = staged("swiss", 4, rounds=2)
    answer = browser().get(reverse("tournament-csv", args=[made.pk]))
    assert answer["Content-Disposition"] == 'attachment; filename="weekly-club-tournament.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert file.namelist() == ["entrants.csv", "results.csv", "standings.csv"]


def test_a_name_without_safe_characters_becomes_the_id() -> None:
    made = staged("swiss", 4, rounds=2)
    Tournament.objects.filter(pk=made.pk).update(name="../\r\n»")
    answer = browser().get(reverse("tournament-json", args=[made.pk]))
    assert answer["Content-Disposition"] == f'attachment; filename="tournament-{made.pk}.json"'


def test_the_document_is_complete_and_has_no_secret(ana: User) -> None:
    made = staged("knockout", 4, people=(ana,), played=1.0, consolation="simple")
    document = json.loads(browser().get(reverse("tournament-json", args=[made.pk])).content)
    assert document["format"] == exports.FORMAT
    assert [entrant["name"] for entrant in document["entrants"]][:1] == ["ana"]
    assert document["pairings"][0]["result"]["winner"] == 1
    assert document["pairings"][2]["a"] == {"entrant": 1, "holder": 1, "from": "winner main-1-1"}
    assert [(row["entrant"], row["place"]) for row in document["finals"]][:2] == [(1, 1), (2, 2)]
    assert {event["kind"] for event in document["events"]} <= set(exports.EVENTS)
    seed = bytes(Tournament.objects.get(pk=made.pk).seed).hex()
    text = json.dumps(document)
    assert seed not in text
    assert "password" not in text
    assert "nonce" not in text


# Prizes

PURSE = Purse(fee=500, added=1000, shares=(60, 40), currency="€", shown=True)


def test_a_director_sets_fees_and_prizes(ana: User, bea: User, dora: User) -> None:
    made = staged("knockout", 4, people=(ana, bea), played=1.0)
    for number in range(1, 5):
        services.entrant_paid(tournament_id=made.pk, user=dora, number=number)
    purse_set(tournament_id=made.pk, user=dora, purse=PURSE)
    page = page_text("tournament-prizes", made, dora)
    assert "Entry fee 5 € Entries paid 4 / 4 Collected 20 €" in page
    assert "1 ana 60 18 € 2 bea 40 12 €" in page
    assert "Prizes Entry fee: 5 €. The club adds 10 €." in page_text("tournament", made)
    purse_set(tournament_id=made.pk, user=dora, purse=PURSE)
    assert TournamentEvent.objects.filter(tournament=made, kind="prized").count() == 1


def test_the_form_saves_the_prizes(ana: User, bea: User, dora: User) -> None:
    made = staged("knockout", 4, people=(ana, bea), drawn=False)
    form = {
        "fee": "2.50",
        "currency": "€",
        "added": "",
        "shares": "50, 30 20",
        "weight": "100",
        "pool_0_name": "Fridays",
        "pool_0_stake": "3",
        "pool_0_who": ["1", "2"],
    }
    answer = browser(dora).post(reverse("tournament-prizes", args=[made.pk]), form)
    assert answer.status_code == 302
    wanted = Purse(250, 0, (50, 30, 20), "€", False, 100, (Pool("Fridays", 300, (1, 2)),))
    assert Purse.read(load_state(made).purse) == wanted
    assert "Fridays Stake: 3 €. Total: 6 €. ana , bea" in page_text("tournament-prizes", made, dora)


def test_hidden_prizes_are_for_directors(dora: User, bea: User) -> None:
    made = staged("knockout", 4)
    purse_set(tournament_id=made.pk, user=dora, purse=Purse(fee=500, shares=(100,), currency="€"))
    assert "Entry fee" not in page_text("tournament", made)
    url = reverse("tournament-prizes", args=[made.pk])
    assert browser(bea).get(url).status_code == 403
    assert browser().get(url).status_code == 302
    with pytest.raises(Refused) as refused:
        purse_set(tournament_id=made.pk, user=bea, purse=PURSE)
    assert refused.value.code == "not_director"


@pytest.mark.parametrize(
    ("purse", "code"),
    [
        (Purse(shares=(70, 40)), "purse"),
        (Purse(pools=(Pool("", 1),)), "pool"),
        (Purse(pools=(Pool("a", 1, (99,)),)), "pool"),
    ],
)
def test_impossible_prizes_are_refused(dora: User, purse: Purse, code: str) -> None:
    made = staged("knockout", 4)
    with pytest.raises(Refused) as refused:
        purse_set(tournament_id=made.pk, user=dora, purse=purse)
    assert refused.value.code == code


def test_the_form_proposes_the_last_prizes_of_the_club(dora: User) -> None:
    purse_set(tournament_id=staged("knockout", 4).pk, user=dora, purse=PURSE)
    page = browser(dora).get(reverse("tournament-prizes", args=[staged("knockout", 4).pk])).content.decode()
    assert 'value="60 40"' in page
