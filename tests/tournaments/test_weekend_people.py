"""The people of a weekend: the register, shared boards, conflicts and fees."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.tournaments.conftest import fresh
from tests.tournaments.desk_browser import messages
from tests.tournaments.test_weekends import refused
from tests.tournaments.weekend_stage import weekend_of
from tournaments import services
from tournaments.boards import Boards, Room
from tournaments.models import Meeting, Tournament
from tournaments.player_keys import player_key
from tournaments.prizes import Purse
from tournaments.selectors.weekends.conflicts import Slot, clashes_ahead, conflict_notes, conflicts_now, overlapping
from tournaments.selectors.weekends.fees import fee_register, fee_rows
from tournaments.selectors.weekends.people import register
from tournaments.services.prizes import purse_set
from tournaments.services.weekend_people import weekend_boards_set, weekend_fees_paid, weekend_person_add

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

Make = Callable[..., Tournament]
As = Callable[[User], Client]
HALL = Boards((Room("Hall", 1, 2),))
START = datetime(2026, 12, 5, 9, 30, tzinfo=UTC)


def names_in(made: Tournament) -> list[str]:
    return [entrant.name for entrant in made.entrants.all()]


def at_boards(made: Tournament) -> dict[str, int | None]:
    rows = Meeting.objects.filter(tournament=made, board__isnull=False)
    found = dict(rows.values_list("key", "board"))
    assert found == {key: call.board for key, call in fresh(made).called.items()}
    return found


# The register


def test_a_person_is_entered_in_all_chosen_tournaments(tournament: Make, dora: User, ana: User) -> None:
    first, second, third = tournament(), tournament(), tournament()
    weekend = weekend_of(dora, first, second, third)
    both = [first.pk, second.pk]
    weekend_person_add(weekend_id=weekend.pk, user=dora, tournament_ids=both, player=ana)
    weekend_person_add(weekend_id=weekend.pk, user=dora, tournament_ids=both, name="Paco")
    assert [names_in(made) for made in (first, second, third)] == [["ana", "Paco"], ["ana", "Paco"], []]
    found = register(weekend)
    assert [(person.name, set(person.entries)) for person in found.people] == [("ana", set(both)), ("Paco", set(both))]


def test_a_person_is_entered_in_none_where_one_tournament_refuses(tournament: Make, dora: User, ana: User) -> None:
    first, second = tournament(), tournament()
    services.entrant_add(tournament_id=second.pk, user=dora, player=ana)
    weekend = weekend_of(dora, first, second)
    both = [first.pk, second.pk]
    error = refused(
        "in_tournament", weekend_person_add, weekend_id=weekend.pk, user=dora, tournament_ids=both, player=ana
    )
    assert error.text == f"{second.name}: This player is already registered."
    assert names_in(first) == []


def test_only_tournaments_of_the_weekend_can_be_chosen(tournament: Make, dora: User) -> None:
    inside, outside = tournament(), tournament()
    weekend = weekend_of(dora, inside)
    for ids in ([], [outside.pk], [inside.pk, outside.pk]):
        refused(
            "no_tournament_chosen",
            weekend_person_add,
            weekend_id=weekend.pk,
            user=dora,
            tournament_ids=ids,
            name="Paco",
        )
    assert (names_in(inside), names_in(outside)) == ([], [])


def test_a_director_of_one_tournament_does_not_enter_people_in_another(tournament: Make, dora: User, bea: User) -> None:
    first, second = tournament(), tournament()
    weekend = weekend_of(dora, first, second)
    act = {"weekend_id": weekend.pk, "user": bea, "name": "Paco"}
    refused("not_weekend_director", weekend_person_add, tournament_ids=[first.pk], **act)
    services.official_appoint(tournament_id=first.pk, user=dora, official=bea, role="referee")
    refused("not_weekend_director", weekend_person_add, tournament_ids=[first.pk], **act)
    services.director_add(tournament_id=first.pk, user=dora, director=bea)
    refused("in_tournament", weekend_person_add, tournament_ids=[first.pk, second.pk], **act)
    weekend_person_add(tournament_ids=[first.pk], **act)
    assert (names_in(first), names_in(second)) == (["Paco"], [])


def test_a_member_is_a_person_by_account_and_a_walk_in_by_name() -> None:
    assert player_key(7, "ana") == player_key(7, "anita") == "u7"
    assert player_key(None, "José Pérez") == player_key(None, "josé PÉREZ")
    assert player_key(None, "ana") != player_key(7, "ana")


def test_the_page_asks_whether_a_member_is_meant(tournament: Make, desk: Client, dora: User, ana: User) -> None:
    made = tournament()
    weekend = weekend_of(dora, made)
    url = reverse("weekend-person-add", args=[weekend.pk])
    form = {"name": "ana", "tournaments": [made.pk]}
    answer = desk.post(url, form)
    assert (answer.status_code, names_in(made)) == (422, [])
    assert "Do you mean the member" in answer.content.decode()
    answer = desk.post(url, {**form, "walk_in": "no"})
    assert (answer.headers["Location"], messages(answer)) == (
        reverse("weekend-people", args=[weekend.pk]),
        ["ana added."],
    )
    assert made.entrants.get().user == ana


# Boards


def test_a_board_is_never_given_to_two_pairings_of_a_weekend(tournament: Make, dora: User) -> None:
    first, second = (tournament(walk_ins=4, venue="board") for _number in range(2))
    for number in range(1, 5):  # other people than in the first one
        services.entrant_withdraw(tournament_id=second.pk, user=dora, number=number)
        services.entrant_add(tournament_id=second.pk, user=dora, name=f"X{number}")
    weekend = weekend_of(dora, first, second)
    ids = [first.pk, second.pk]
    weekend_boards_set(weekend_id=weekend.pk, user=dora, tournament_ids=ids, boards=Boards((Room("Hall", 1, 3),)))
    services.tournament_start(tournament_id=first.pk, user=dora)
    services.tournament_start(tournament_id=second.pk, user=dora)
    assert (at_boards(first), at_boards(second)) == ({"main-1-1": 1, "main-1-2": 2}, {"main-1-1": 3})
    error = refused("board_shared", services.pairing_call, tournament_id=second.pk, user=dora, key="main-1-2", board=2)
    assert error.params == {"board": 2, "tournament": first.name}


def test_a_board_that_one_tournament_leaves_goes_to_another(
    tournament: Make, dora: User, django_capture_on_commit_callbacks: Any
) -> None:
    first, second = tournament(venue="board"), tournament(venue="board")
    for made, names in ((first, "AB"), (second, "CD")):
        for name in names:
            services.entrant_add(tournament_id=made.pk, user=dora, name=name)
    weekend = weekend_of(dora, first, second)
    one = Boards((Room("", 1, 1),))
    weekend_boards_set(weekend_id=weekend.pk, user=dora, tournament_ids=[first.pk, second.pk], boards=one)
    services.tournament_start(tournament_id=first.pk, user=dora)
    services.tournament_start(tournament_id=second.pk, user=dora)
    assert (at_boards(first), at_boards(second)) == ({"main-1-1": 1}, {})
    with django_capture_on_commit_callbacks(execute=True):
        services.result_enter(tournament_id=first.pk, user=dora, key="main-1-1", winner=1)
    assert (at_boards(first), at_boards(second)) == ({}, {"main-1-1": 1})
    services.act_undo(tournament_id=first.pk, user=dora, act=first.events.get(kind="result").act)
    assert (at_boards(first), at_boards(second)) == ({}, {"main-1-1": 1})


def test_a_cancelled_tournament_leaves_its_boards_to_the_others(
    tournament: Make, dora: User, django_capture_on_commit_callbacks: Any
) -> None:
    first, second = tournament(walk_ins=2, venue="board"), tournament(venue="board")
    for name in ("C", "D"):
        services.entrant_add(tournament_id=second.pk, user=dora, name=name)
    weekend = weekend_of(dora, first, second)
    one = Boards((Room("", 1, 1),))
    weekend_boards_set(weekend_id=weekend.pk, user=dora, tournament_ids=[first.pk, second.pk], boards=one)
    for made in (first, second):
        services.tournament_start(tournament_id=made.pk, user=dora)
    with django_capture_on_commit_callbacks(execute=True):
        services.tournament_cancel(tournament_id=first.pk, user=dora)
    assert at_boards(second) == {"main-1-1": 1}
    assert not Meeting.objects.filter(tournament=first, board__isnull=False).exists()


def test_nobody_is_called_to_two_boards_of_a_weekend_at_a_time(
    tournament: Make, dora: User, ana: User, django_capture_on_commit_callbacks: Any
) -> None:
    first, second = tournament(walk_ins=1, venue="board"), tournament(venue="board")
    services.entrant_add(tournament_id=second.pk, user=dora, name="Paco")
    for made in (first, second):
        services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    weekend = weekend_of(dora, first, second)
    weekend_boards_set(weekend_id=weekend.pk, user=dora, tournament_ids=[first.pk, second.pk], boards=HALL)
    services.tournament_start(tournament_id=first.pk, user=dora)
    services.tournament_start(tournament_id=second.pk, user=dora)
    assert (at_boards(first), at_boards(second)) == ({"main-1-1": 1}, {})
    with django_capture_on_commit_callbacks(execute=True):
        services.result_enter(tournament_id=first.pk, user=dora, key="main-1-1", winner=1)
    assert at_boards(second) == {"main-1-1": 1}


def test_boards_are_set_for_all_chosen_tournaments_or_none(tournament: Make, dora: User, bea: User) -> None:
    first, second = tournament(), tournament()
    weekend = weekend_of(dora, first, second)
    services.director_add(tournament_id=first.pk, user=dora, director=bea)
    ids = [first.pk, second.pk]
    refused("in_tournament", weekend_boards_set, weekend_id=weekend.pk, user=bea, tournament_ids=ids, boards=HALL)
    assert fresh(first).boards == Boards()
    weekend_boards_set(weekend_id=weekend.pk, user=dora, tournament_ids=ids, boards=HALL)
    assert [fresh(made).boards for made in (first, second)] == [HALL, HALL]


# Conflicts


def test_who_is_wanted_in_two_tournaments_is_shown_on_all_three_desks(
    tournament: Make, desk: Client, dora: User, bea: User
) -> None:
    masters, novice = tournament(walk_ins=1, venue="board"), tournament(venue="board")
    services.entrant_add(tournament_id=novice.pk, user=dora, name="Paco")
    for made, name in ((masters, "Masters"), (novice, "Novice")):
        services.entrant_add(tournament_id=made.pk, user=dora, player=bea)
        Tournament.objects.filter(pk=made.pk).update(name=name)
    weekend = weekend_of(dora, masters, novice)
    services.boards_set(tournament_id=novice.pk, user=dora, boards=Boards((Room("", 7, 7),)))
    services.tournament_start(tournament_id=novice.pk, user=dora)
    assert conflicts_now(weekend) == []
    services.tournament_start(tournament_id=masters.pk, user=dora)
    (conflict,) = conflicts_now(weekend)
    assert (conflict.name, conflict.places) == ("bea", "Masters · Novice, board 7")
    masters.refresh_from_db()
    assert conflict_notes(masters) == ["Bea is also wanted in Novice, board 7."]
    texts = {
        reverse("tournament-desk", args=[masters.pk]): "Bea is also wanted in Novice, board 7.",
        reverse("tournament-desk", args=[novice.pk]): "Bea is also wanted in Masters.",
        reverse("weekend-desk", args=[weekend.pk]): "Masters · Novice, board 7",
    }
    for url, text in texts.items():
        assert text in desk.get(url).content.decode()
    services.result_enter(tournament_id=novice.pk, user=dora, key="main-1-1", winner=1)
    assert conflicts_now(weekend) == []


def test_tournaments_at_the_same_time_clash_for_people_in_both(tournament: Make, dora: User, ana: User) -> None:
    first = tournament(starts_at=START, walk_ins=1)
    second = tournament(starts_at=START + timedelta(minutes=59), walk_ins=1)
    third = tournament(starts_at=START + timedelta(minutes=119))
    weekend = weekend_of(dora, first, second, third)
    for made in (first, second, third):
        services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    (clash,) = clashes_ahead(weekend)
    assert (clash.tournament_ids, clash.names) == ((first.pk, second.pk), ["ana", "W1"])
    services.entrant_withdraw(tournament_id=second.pk, user=dora, number=2)
    assert clashes_ahead(weekend)[0].names == ["W1"]
    services.entrant_withdraw(tournament_id=second.pk, user=dora, number=1)
    assert clashes_ahead(weekend) == []


def test_slots_overlap_where_one_begins_before_the_other_ends() -> None:
    a, b = Tournament(pk="a"), Tournament(pk="b")
    hour = timedelta(hours=1)
    before, after = Slot(a, START, START + hour), Slot(b, START + hour, START + 2 * hour)
    assert overlapping([before, after]) == []
    inside = Slot(b, START + hour / 2, START + 2 * hour)
    assert overlapping([inside, before]) == [(before, inside)]
    assert overlapping([before, Slot(a, START, START + hour)]) == []


# Fees


def with_fee(made: Tournament, dora: User, fee: int, currency: str = "€") -> None:
    purse_set(tournament_id=made.pk, user=dora, purse=Purse(fee=fee, currency=currency))


def test_the_register_adds_up_what_each_person_pays_over_all_tournaments(
    tournament: Make, dora: User, ana: User
) -> None:
    first, second, other = tournament(), tournament(), tournament()
    with_fee(first, dora, 3000)
    with_fee(second, dora, 1250)
    with_fee(other, dora, 1000, "$")
    weekend = weekend_of(dora, first, second, other)
    for made in (first, second, other):
        services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    services.entrant_add(tournament_id=first.pk, user=dora, name="Paco")
    weekend_fees_paid(weekend_id=weekend.pk, user=dora, entrant_id=first.entrants.get(number=1).pk)
    found = fee_register(weekend)
    assert [(payer.name, payer.to_pay, payer.paid) for payer in found.payers] == [
        ("Paco", "30 €", ""),
        ("ana", "", "10 $, 42.50 €"),
    ]
    assert [(each.entries, each.paid, each.collected, each.outstanding) for each in found.totals] == [
        (2, 1, "30 €", "30 €"),
        (1, 1, "12.50 €", ""),
        (1, 1, "10 $", ""),
    ]
    assert (found.owing, found.collected, found.outstanding) == (1, "10 $, 42.50 €", "30 €")
    rows = list(fee_rows(found))
    assert rows[1] == ("Paco", first.name, "30.00", "€", 0, "", "")
    assert rows[2][:6] == ("ana", first.name, "30.00", "€", 1, "dora")


def test_a_payment_for_one_tournament_can_be_taken_back(tournament: Make, desk: Client, dora: User, ana: User) -> None:
    first, second = tournament(), tournament()
    weekend = weekend_of(dora, first, second)
    for made in (first, second):
        services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    entrant = first.entrants.get()
    url = reverse("weekend-paid", args=[weekend.pk])
    desk.post(url, {"entrant": entrant.pk})
    assert [made.entrants.get().paid for made in (first, second)] == [True, True]
    desk.post(url, {"entrant": entrant.pk, "tournament": second.pk, "action": "unpaid"})
    assert [made.entrants.get().paid for made in (first, second)] == [True, False]
    answer = desk.post(url, {"entrant": "999999"})
    assert messages(answer) == ["This person is in none of the weekend's tournaments."]


def test_one_press_for_everything_is_offered_only_where_it_saves_one(
    tournament: Make, desk: Client, dora: User, ana: User
) -> None:
    first, second = tournament(), tournament()
    weekend = weekend_of(dora, first, second)
    for made in (first, second):
        services.entrant_add(tournament_id=made.pk, user=dora, player=ana)
    page = reverse("weekend-fees", args=[weekend.pk])
    assert "Has paid everything" in desk.get(page).text
    post = {"entrant": first.entrants.get().pk, "tournament": first.pk, "action": "paid"}
    desk.post(reverse("weekend-paid", args=[weekend.pk]), post)
    answer = desk.get(page).text
    assert "Has paid everything" not in answer
    assert 'aria-pressed="false"' in answer


def test_a_payment_that_was_undone_is_still_to_pay(tournament: Make, dora: User) -> None:
    made = tournament(walk_ins=1)
    weekend = weekend_of(dora, made)
    with_fee(made, dora, 9000)
    with_fee(made, dora, 3000)
    weekend_fees_paid(weekend_id=weekend.pk, user=dora, entrant_id=made.entrants.get().pk)
    assert (fee_register(weekend).collected, fee_register(weekend).outstanding) == ("30 €", "")
    services.act_undo(tournament_id=made.pk, user=dora, act=made.events.get(kind="paid").act)
    assert (fee_register(weekend).collected, fee_register(weekend).outstanding) == ("", "30 €")


def test_the_fees_are_a_file_for_directors(tournament: Make, desk: Client, as_user: As, dora: User, ana: User) -> None:
    made = tournament(walk_ins=1)
    weekend = weekend_of(dora, made)
    url = reverse("weekend-fees", args=[weekend.pk]) + "?format=csv"
    answer = desk.get(url)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="open-fees.csv"'
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert text.splitlines()[0] == "name,tournament,fee,currency,paid,by,at"
    assert as_user(ana).get(url).status_code == 403


@pytest.mark.parametrize(
    "page", ["weekend-desk", "weekend-people", "weekend-fees", "weekend-prizes", "weekend-records"]
)
def test_the_desk_takes_as_many_queries_for_three_tournaments_as_for_one(
    tournament: Make, desk: Client, dora: User, ana: User, page: str, django_assert_max_num_queries: Any
) -> None:
    made: list[Tournament] = []
    for number in (1, 3):
        while len(made) < number:
            new = tournament(walk_ins=3, starts_at=START, venue="board")
            services.entrant_add(tournament_id=new.pk, user=dora, player=ana)
            with_fee(new, dora, 1000)
            made.append(new)
        weekend = weekend_of(dora, *made)
        with django_assert_max_num_queries(19):
            assert desk.get(reverse(page, args=[weekend.pk])).status_code == 200
        Tournament.objects.update(weekend=None)
