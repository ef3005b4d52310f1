"""How pairings are shown: sources, winners, byes, the path of one player, tables, and why two meet."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils.translation import override

from accounts.models import User
from tests.tournaments.stage import staged
from tournaments import services
from tournaments.formats.core import Bye, Config, LoserOf, Placed, Seed, Why, WinnerOf
from tournaments.models import Tournament
from tournaments.selectors import pages, words
from tournaments.selectors.cards import Card, Side
from tournaments.selectors.pages import View

pytestmark = pytest.mark.django_db


def seen(tournament: Tournament, user: User | None = None, search: str = "") -> View:
    return pages.page(tournament_id=tournament.pk, user=user, search=search)


def cards(view: View, part: str = "main") -> dict[str, Card]:
    """The cards of a section by what they are called."""
    found = next(one for one in view.parts if one.key == part)
    return {card.mark: card for column in found.columns for card in column.cards}


def names(card: Card) -> list[str]:
    return [side.name or side.source for side in card.sides]


def test_a_bracket_names_who_is_known_and_where_the_others_come_from(ana: User) -> None:
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
    assert card.why == "Numbers 1 and 2 of the draw."


def test_a_walkover_and_a_double_walkover_are_named(ana: User, bea: User, dora: User) -> None:
    tournament = staged("knockout", 4, people=(ana, bea), venue="board")
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-1", winner=1, how="walkover")
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-2", winner=None, how="walkover")
    found = cards(seen(tournament))
    assert found["1-1"].sentence.endswith("walkover.")
    assert found["1-2"].status == "both lose"
    assert found["2-1"].state == "bye"


def test_rounds_stand_beside_one_another_and_are_named_from_the_end() -> None:
    columns = seen(staged("knockout", 16)).parts[0].columns
    assert [(one.title, len(one.places), one.link) for one in columns] == [
        ("Round 1", 8, "merge"),
        ("Quarter-finals", 4, "merge"),
        ("Semi-finals", 2, "merge"),
        ("Final", 1, ""),
    ]


def test_a_double_elimination_has_three_sections_and_letters_for_its_pairings() -> None:
    view = seen(staged("double", 4))
    assert [part.title for part in view.parts] == ["Main bracket", "Losers' bracket", "Grand final"]
    assert names(cards(view, "losers")["L1-1"]) == ["loser of 1-1", "loser of 1-2"]
    assert names(cards(view, "final")["F1-1"])[0] == "winner of 2-1"


def test_my_path_is_marked_as_far_as_it_may_lead(ana: User) -> None:
    view = seen(staged("knockout", 8, people=(ana,), venue="board"), ana)
    found = cards(view)
    assert [mark for mark, card in found.items() if card.on_path] == ["1-1", "2-1", "3-1"]
    assert [mark for mark, card in found.items() if card.mine] == ["1-1"]


@pytest.mark.parametrize("search", ["bea", "BEA", "be"])
def test_a_player_is_found_by_name_and_his_path_is_marked(ana: User, bea: User, search: str) -> None:
    view = seen(staged("knockout", 8, people=(ana, bea), venue="board"), ana, search)
    assert view.found is not None
    assert view.found.name == "bea"
    assert [mark for mark, card in cards(view).items() if card.on_path] == ["1-3", "2-2", "3-1"]
    assert view.found_at == "#main-1-3"


def test_nobody_of_that_name_marks_nobody() -> None:
    view = seen(staged("knockout", 4), search="zoe")
    assert view.found is None
    assert not any(card.on_path for card in cards(view).values())


def test_who_lost_in_the_main_bracket_is_on_his_way_in_the_consolation(ana: User, dora: User) -> None:
    tournament = staged("knockout", 8, people=(ana,), venue="board", consolation="simple")
    services.result_enter(tournament_id=tournament.pk, user=dora, key="main-1-1", winner=8, points=(1, 7))
    view = seen(tournament, ana)
    assert not cards(view)["2-1"].on_path
    assert [mark for mark, card in cards(view, "consolation").items() if card.on_path] == ["C1-1", "C2-1"]


def test_a_swiss_table_says_why_two_meet(ana: User) -> None:
    view = seen(staged("swiss", 7, people=(ana,), venue="board", rounds=3, played=0.99))
    part = view.parts[0]
    assert (part.kind, [column.title for column in part.rounds]) == ("table", ["Round 3", "Round 2", "Round 1"])
    whys = {card.why for column in part.columns for card in column.cards}
    assert "Both on 0 points: the upper half meets the lower half." in whys
    assert "Rests: the fewest points of those who have not rested yet." in whys
    assert len(part.lines) == 7
    assert part.heads[0] == ("Score", "wins (a bye counts as one)")


def test_a_cross_table_is_read_along_the_row(ana: User, bea: User) -> None:
    part = seen(staged("round-robin", 3, people=(ana, bea), venue="board", played=1), ana).parts[0]
    first, second = part.lines[0], part.lines[1]
    assert (first.name, first.mine, second.name) == ("ana", True, "bea")
    assert first.cells[0] is None
    against = first.cells[1]
    assert against is not None
    assert [(one.text, one.state) for one in against] == [("7–3", "won")]


def test_groups_have_letters_and_places_lead_to_the_bracket() -> None:
    view = seen(staged("groups", 8, groups=2, advance=2))
    assert [part.kind for part in view.parts] == ["cross", "cross", "bracket"]
    assert next(iter(cards(view, "group-2"))) == "G2 1-1"
    assert "number 1 of group 1" in [name for card in cards(view).values() for name in names(card)]


def test_a_league_marks_who_goes_up_and_down() -> None:
    view = seen(staged("league", 8, divisions=2, venue="board", played=1))
    assert [part.title for part in view.parts] == ["Division 1", "Division 2"]
    assert view.parts[0].lines[-1].note == "relegated"
    assert view.parts[1].lines[0].note == "promoted"


def test_every_number_is_written_as_people_do() -> None:
    with override("es"):
        assert [words.number(value) for value in (3.0, 12.5, -4)] == ["3", "12,5", "−4"]
    with override("en"):
        assert [words.number(value) for value in (3.0, 12.5, -4)] == ["3", "12.5", "−4"]


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (Why("seeded", {"a": 1, "b": 8}), "Numbers 1 and 8 of the draw."),
        (Why("table", {"round": 2}), "Everybody meets everybody: round 2 of the table."),
        (Why("fold", {"score": 1.5}), "Both on 1½ points: the upper half meets the lower half."),
        (Why("floated", {"scores": [1, 2]}), "One on 2 points, one on 1 point: the nearest score that was free."),
        (Why("rematch", {"times": 1}), "They have met once before: no pairing of this round avoids it."),
        (Why("rematch", {"times": 2}), "They have met 2 times before: no pairing of this round avoids it."),
        (Why("bye", {"score": 0, "had": 0}), "Rests: the fewest points of those who have not rested yet."),
        (
            Why("bye", {"score": 0, "had": 1}),
            "Rests again: everybody has rested, and of those nobody has fewer points.",
        ),
        (Why("fed", {}), "Number 1 of the draw against loser of L2-1."),
        (Why("of another time", {}), ""),
    ],
)
def test_each_reason_has_its_words(why: Why, said: str) -> None:
    with override("en"):
        assert words.why(why, Seed(1), LoserOf("losers-2-1")) == said


def test_each_source_has_its_words() -> None:
    with override("en"):
        assert [words.source(one) for one in (WinnerOf("main-2-1"), Placed("group-3", 2), Bye())] == [
            "winner of 2-1",
            "number 2 of group 3",
            "bye",
        ]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (Config("knockout"), "Single elimination"),
        (Config("knockout", consolation="simple", last_chance=True), "Single elimination · consolation · last chance"),
        (Config("swiss", rounds=5), "Swiss system · 5 rounds"),
        (Config("round-robin", legs=2), "Round robin · each pair meets 2 times"),
        (Config("groups", groups=3), "Groups, then a knock-out · 3 groups · the best 2 of each go on"),
        (Config("league", divisions=2), "League · 2 divisions"),
        (Config("losses", losses=3), "Out after 3 losses"),
    ],
)
def test_each_format_is_told_with_its_choices(config: Config, said: str) -> None:
    with override("en"):
        assert words.format_of(config) == said


def test_a_card_escapes_what_people_wrote() -> None:
    evil = "<script>&\"'"
    card = Card("main-1-1", "1-1", 1, 1, Side(evil, number=1), Side(source=evil), "ready", evil, evil, evil)
    drawn = Template("{% load tournaments %}{% pairing card %}").render(Context({"card": card}))
    assert "<script>" not in drawn
    assert drawn.count("&lt;script&gt;&amp;&quot;&#x27;") == 5
