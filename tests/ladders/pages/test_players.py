"""What a visitor, a guest and a player see on the pages of ladders, and challenge each other there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import Club, User
from accounts.users import services as people
from ladders.models import LadderChallenge
from tests.ladders.pages.visits import (
    As,
    Make,
    call,
    do,
    markup,
    messages_of,
    order,
    play,
    text,
    text_of_list,
    view,
    words,
)

pytestmark = pytest.mark.django_db


def test_the_list_tells_of_each_ladder_who_leads_and_where_one_stands(
    as_user: As, ladder: Make, ana: User, bea: User, carlos: User
) -> None:
    ladder(ana, bea, carlos)
    page = text_of_list(as_user(bea))
    assert "Ladder 1 you: #2 By challenge Backgammon · match to 1 point · No clock · 3 players ana bea carlos" in page
    assert "you: #" not in text_of_list(as_user(None))


def test_only_directors_are_offered_a_new_ladder(as_user: As, club: Club, ana: User, dora: User) -> None:
    new = reverse("ladder-new")
    assert new in as_user(dora).get(reverse("ladders")).content.decode()
    for stranger in (ana, people.guest_create(), None):
        assert new not in as_user(stranger).get(reverse("ladders")).content.decode()
    assert as_user(ana).get(new).status_code == 403


# Who sees what


def test_a_passer_by_reads_the_ladder_and_is_shown_the_door(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea)
    page = markup(as_user(None), made)
    assert f"{reverse('account_login')}?next={reverse('ladder', args=[made.pk])}" in page
    for act in ("join/", "challenge/", "place/", "undo/"):
        assert f'action="/ladders/{made.pk}/{act}' not in page
    assert "You can challenge players up to 3 places above you." in words(page)


def test_a_guest_is_asked_to_sign_up(as_user: As, ladder: Make, ana: User) -> None:
    assert "Ladders are for members." in text(as_user(people.guest_create()), ladder(ana))


def test_a_member_joins_at_the_bottom_and_leaves(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made, client = ladder(ana), as_user(bea)
    assert 'id="join"' in markup(client, made)
    assert messages_of(do(client, "ladder-join", made.pk)) == ["You joined the ladder."]
    assert order(made) == ["ana", "bea"]
    assert "You are at rank 2" in text(client, made)
    assert messages_of(do(client, "ladder-leave", made.pk)) == ["You left the ladder."]
    assert order(made) == ["ana"]


def test_a_player_has_a_button_for_each_rung_in_reach_and_a_reason_at_the_others(
    ladder: Make, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made = ladder(ana, bea, carlos, dora, range=1)
    seen = view(made, carlos)
    assert [(rung.user.username, rung.may, rung.why) for rung in seen.rungs] == [
        ("ana", False, "out of reach"),
        ("bea", True, ""),
        ("carlos", False, ""),
        ("dora", False, "below you"),
    ]
    assert seen.reach == "2"
    assert all(not rung.may and not rung.why for rung in view(made, None).rungs)


def test_a_director_has_the_office_and_the_others_have_not(as_user: As, ladder: Make, ana: User, dora: User) -> None:
    made = ladder(ana)
    for user, there in ((dora, True), (ana, False), (None, False)):
        page = markup(as_user(user), made)
        assert ('id="office"' in page) is there
        assert (reverse("ladder-settings", args=[made.pk]) in page) is there


# A challenge


def test_a_challenge_is_made_accepted_and_played(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea)
    assert messages_of(do(as_user(bea), "ladder-challenge", made.pk, opponent=ana.pk)) == ["Challenge sent."]
    challenge = LadderChallenge.objects.get()
    assert "bea challenges you time to answer:" in text(as_user(ana), made)
    assert "Withdraw challenge" in text(as_user(bea), made)
    assert messages_of(do(as_user(ana), "challenge-accept", made.pk, challenge.pk)) == [
        "Challenge accepted. The match is ready to play."
    ]
    challenge.refresh_from_db()
    assert challenge.match is not None
    assert reverse("match-arrive", args=[challenge.match.pk]) in markup(as_user(bea), made)
    assert "Against ana" in text(as_user(bea), made)
    match_page = as_user(bea).get(reverse("match", args=[challenge.match.pk])).content.decode()
    assert f'href="{reverse("ladder", args=[made.pk])}"' in match_page


def test_the_result_moves_both_and_is_explained(as_user: As, ladder: Make, ana: User, bea: User, carlos: User) -> None:
    made = ladder(ana, bea, carlos)
    play(call(made, carlos, ana), carlos)
    assert order(made) == ["carlos", "ana", "bea"]
    event = view(made, None).events[0]
    assert event.text == "carlos beat ana and moved up to rank 1; ana is now at rank 2."
    assert [(move.name, move.before, move.after, move.up) for move in event.moves] == [
        ("carlos", 3, 1, True),
        ("ana", 1, 2, False),
        ("bea", 2, 3, False),
    ]
    assert [(rung.climbed, rung.fell) for rung in view(made, None).rungs] == [(2, 0), (0, 1), (0, 1)]
    page = text(as_user(ana), made)
    assert "up 2 places" in page
    assert "down 1 place" in page


def test_a_challenge_is_declined_or_taken_back(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made = ladder(ana, bea, on_no_answer="drop", rematch_days=0)
    first = call(made, bea, ana)
    assert messages_of(do(as_user(ana), "challenge-decline", made.pk, first.pk)) == ["Challenge declined."]
    second = call(made, bea, ana)
    assert messages_of(do(as_user(bea), "challenge-withdraw", made.pk, second.pk)) == ["Challenge withdrawn."]
    assert order(made) == ["ana", "bea"]


def test_the_lobby_shows_whom_one_has_to_answer(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    challenge = call(ladder(ana, bea), bea, ana)
    accept = reverse("challenge-accept", args=[challenge.ladder_id, challenge.pk])
    for name in ("lobby", "lobby-lists"):
        assert accept in as_user(ana).get(reverse(name)).content.decode()
        assert accept not in as_user(bea).get(reverse(name)).content.decode()
        assert as_user(None).get(reverse(name)).status_code == 200


def test_who_is_away_says_so_and_comes_back(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made, client = ladder(ana, bea), as_user(ana)
    assert messages_of(do(client, "ladder-away", made.pk, days="5")) == ["You are now on vacation."]
    assert "away until" in text(as_user(bea), made)
    assert [rung.why for rung in view(made, bea).rungs] == ["away", ""]
    assert messages_of(do(client, "ladder-back", made.pk)) == ["Welcome back."]
    assert [rung.may for rung in view(made, bea).rungs] == [True, False]


# Directing
