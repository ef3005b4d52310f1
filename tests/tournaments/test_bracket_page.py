"""How pairings are shown: sources, winners, byes, the path of one player, tables, and why two meet."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils.translation import override

from accounts.models import User
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.formats.core import Bye, Config, LoserOf, PairingReason, Placed, Seed, WinnerOf
from tournaments.models import Tournament
from tournaments.selectors import labels, tournament_page
from tournaments.selectors.pairing_cards import CardSide, PairingCard
from tournaments.selectors.tournament_page import TournamentPage

pytestmark = pytest.mark.django_db


def seen(tournament: Tournament, user: User | None = None, search: str = "") -> TournamentPage:
    return tournament_page.tournament_page(tournament_id=tournament.pk, user=user, search=search)


def cards(view: TournamentPage, part: str = "main") -> dict[str, PairingCard]:
    """The cards of a section by what they are called."""
    found = next(section for section in view.sections if section.key == part)
    return {card.mark: card for column in found.columns for card in column.cards}


def names(card: PairingCard) -> list[str]:
    return [side.name or side.source for side in card.sides]


def test_a_bracket_names_known_players_and_the_sources_of_the_others(ana: User) -> None:
    found = cards(seen(staged("knockout", 5, people=(ana,))))
    assert names(found["1-1"]) == ["ana", "bye"]
    assert names(found["2-1"]) == ["ana", "winner of 1-2"]
    assert names(found["3-1"]) == ["winner of 2-1", "winner of 2-2"]
    assert found["1-1"].sentence == "1-1: ana has a bye."
    assert found["2-1"].sentence == "2-1: ana against winner of 1-2."
    assert found["3-1"].why == "Winner of 2-1 against winner of 2-2."


def test_a_played_pairing_reads_as_one_sentence_with_the_winner_first(ana: User, dora: User) -> None:
    tournament = staged("knockout", 2, people=(ana,), venue="board")
    entrant = tournament.entrants.get(number=2)
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-1", winner=2, points=(4, 7))
    card = cards(seen(tournament))["1-1"]
    assert card.sentence == f"1-1: {entrant.name} beat ana, 7–4."
    assert [(side.points, side.won) for side in card.sides] == [("4", False), ("7", True)]
    assert card.why == "Numbers 1 and 2 in the draw."


def test_a_walkover_and_a_double_walkover_are_named(ana: User, bea: User, dora: User) -> None:
    tournament = staged("knockout", 4, people=(ana, bea), venue="board")
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-1", winner=1, how="walkover")
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-2", winner=None, how="walkover")
    found = cards(seen(tournament))
    assert found["1-1"].sentence.endswith("walkover.")
    assert found["1-2"].status == "both lose"
    assert found["2-1"].state == "bye"


def test_rounds_are_columns_that_are_named_from_the_end() -> None:
    columns = seen(staged("knockout", 16)).sections[0].columns
    assert [(column.title, len(column.places), column.link) for column in columns] == [
        ("Round 1", 8, "merge"),
        ("Quarter-finals", 4, "merge"),
        ("Semi-finals", 2, "merge"),
        ("Final", 1, ""),
    ]


def test_a_double_elimination_has_three_sections_and_letters_for_its_pairings() -> None:
    view = seen(staged("double", 4))
    assert [part.title for part in view.sections] == ["Main bracket", "Losers' bracket", "Grand final"]
    assert names(cards(view, "losers")["L1-1"]) == ["loser of 1-1", "loser of 1-2"]
    assert names(cards(view, "final")["F1-1"])[0] == "winner of 2-1"


def test_the_possible_path_of_the_viewer_is_marked(ana: User) -> None:
    view = seen(staged("knockout", 8, people=(ana,), venue="board"), ana)
    found = cards(view)
    assert [mark for mark, card in found.items() if card.highlighted] == ["1-1", "2-1", "3-1"]
    assert [mark for mark, card in found.items() if card.of_viewer] == ["1-1"]


@pytest.mark.parametrize("search", ["bea", "BEA", "be"])
def test_a_player_is_found_by_name_and_their_path_is_highlighted(ana: User, bea: User, search: str) -> None:
    view = seen(staged("knockout", 8, people=(ana, bea), venue="board"), ana, search)
    assert view.found_entrant is not None
    assert view.found_entrant.name == "bea"
    assert [mark for mark, card in cards(view).items() if card.highlighted] == ["1-3", "2-2", "3-1"]
    assert view.found_url == "#main-1-3"


def test_an_unknown_name_highlights_nobody() -> None:
    view = seen(staged("knockout", 4), search="zoe")
    assert view.found_entrant is None
    assert not any(card.highlighted for card in cards(view).values())


def test_the_path_of_a_loser_leads_into_the_consolation(ana: User, dora: User) -> None:
    tournament = staged("knockout", 8, people=(ana,), venue="board", consolation="simple")
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-1", winner=8, points=(1, 7))
    view = seen(tournament, ana)
    assert not cards(view)["2-1"].highlighted
    assert [mark for mark, card in cards(view, "consolation").items() if card.highlighted] == ["C1-1", "C2-1"]


def test_a_swiss_pairing_shows_its_reason(ana: User) -> None:
    view = seen(staged("swiss", 7, people=(ana,), venue="board", rounds=3, played=0.99))
    part = view.sections[0]
    assert (part.kind, [column.title for column in part.rounds]) == ("table", ["Round 3", "Round 2", "Round 1"])
    whys = {card.why for column in part.columns for card in column.cards}
    assert "Both on 0 points: the top half plays the bottom half." in whys
    assert "Bye: the fewest points among players without a bye so far." in whys
    assert len(part.standings) == 7
    assert part.tie_break_heads[0] == ("Score", "wins (a bye counts as one)")


def test_the_legend_names_the_tie_breaks_that_count() -> None:
    named = ("wins", "buchholz", "median", "direct", "points")
    for format_, shape in (("round-robin", {}), ("groups", {"groups": 1}), ("league", {})):
        part = seen(staged(format_, 4, venue="board", tie_breaks=named, **shape)).sections[0]
        assert [short for short, _long in part.tie_break_heads] == ["Score", "Direct", "±"], format_
        assert {len(line.values) for line in part.standings} == {3}
    part = seen(staged("round-robin", 4, venue="board", tie_breaks=named, rounds=2)).sections[0]
    assert [short for short, _long in part.tie_break_heads] == ["Score", "Buch.", "Median", "Direct", "±"]


def test_a_crosstable_row_shows_the_results_of_a_player(ana: User, bea: User) -> None:
    part = seen(staged("round-robin", 3, people=(ana, bea), venue="board", played=1), ana).sections[0]
    first, second = part.standings[0], part.standings[1]
    assert (first.name, first.is_viewer, second.name) == ("ana", True, "bea")
    assert first.cells[0] is None
    against = first.cells[1]
    assert against is not None
    assert [(entry.text, entry.state) for entry in against] == [("7–3", "won")]


def test_groups_have_letters_and_places_lead_to_the_bracket() -> None:
    view = seen(staged("groups", 8, groups=2, advance=2))
    assert [part.kind for part in view.sections] == ["cross", "cross", "bracket"]
    assert next(iter(cards(view, "group-2"))) == "G2 1-1"
    assert "place 1 in group 1" in [name for card in cards(view).values() for name in names(card)]


def test_a_league_marks_promotion_and_relegation() -> None:
    view = seen(staged("league", 8, divisions=2, venue="board", played=1))
    assert [part.title for part in view.sections] == ["Division 1", "Division 2"]
    assert view.sections[0].standings[-1].note == "relegated"
    assert view.sections[1].standings[0].note == "promoted"


def test_numbers_are_localized() -> None:
    with override("es"):
        assert [labels.format_number(value) for value in (3.0, 12.5, -4)] == ["3", "12,5", "−4"]
    with override("en"):
        assert [labels.format_number(value) for value in (3.0, 12.5, -4)] == ["3", "12.5", "−4"]


@pytest.mark.parametrize(
    ("why", "text"),
    [
        (PairingReason("seeded", {"a": 1, "b": 8}), "Numbers 1 and 8 in the draw."),
        (PairingReason("table", {"round": 2}), "Round robin, round 2."),
        (PairingReason("fold", {"score": 1.5}), "Both on 1½ points: the top half plays the bottom half."),
        (PairingReason("floated", {"scores": [1, 2]}), "2 points against 1 point: the closest score available."),
        (
            PairingReason("rematch", {"times": 1}),
            "They have already met once: no pairing of this round could avoid it.",
        ),
        (
            PairingReason("rematch", {"times": 2}),
            "They have already met 2 times: no pairing of this round could avoid it.",
        ),
        (PairingReason("bye", {"score": 0, "had": 0}), "Bye: the fewest points among players without a bye so far."),
        (
            PairingReason("bye", {"score": 0, "had": 1}),
            "Another bye: everyone has had one, and nobody has fewer points.",
        ),
        (PairingReason("fed", {}), "Number 1 in the draw against loser of L2-1."),
        (PairingReason("of another time", {}), ""),
    ],
)
def test_each_reason_has_a_label(why: PairingReason, text: str) -> None:
    with override("en"):
        assert labels.reason_label(why, Seed(1), LoserOf("losers-2-1")) == text


def test_each_source_has_a_label() -> None:
    with override("en"):
        assert [labels.source_label(source) for source in (WinnerOf("main-2-1"), Placed("group-3", 2), Bye())] == [
            "winner of 2-1",
            "place 2 in group 3",
            "bye",
        ]


@pytest.mark.parametrize(
    ("config", "text"),
    [
        (Config("knockout"), "Single elimination"),
        (Config("knockout", consolation="simple", last_chance=True), "Single elimination · consolation · last chance"),
        (Config("swiss", rounds=5), "Swiss system · 5 rounds"),
        (Config("round-robin", legs=2), "Round robin · each pair meets 2 times"),
        (Config("groups", groups=3), "Groups, then knockout · 3 groups · the best 2 of each advance"),
        (Config("league", divisions=2), "League · 2 divisions"),
        (Config("losses", losses=3), "Elimination after 3 losses"),
    ],
)
def test_each_format_has_a_label_with_its_settings(config: Config, text: str) -> None:
    with override("en"):
        assert labels.format_label(config) == text


def test_a_card_escapes_user_input() -> None:
    evil = "<script>&\"'"
    card = PairingCard(
        "main-1-1", "1-1", 1, 1, CardSide(evil, number=1), CardSide(source=evil), "ready", evil, evil, evil
    )
    drawn = Template("{% load tournaments %}{% pairing card %}").render(Context({"card": card}))
    assert "<script>" not in drawn
    assert drawn.count("&lt;script&gt;&amp;&quot;&#x27;") == 5
