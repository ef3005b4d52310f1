"""What a director does on the pages of ladders: setting up, settling, closing."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts.models import Club, User
from ladders import services
from ladders.models import Ladder
from tests.ladders.pages.visits import NEW, As, Make, call, do, markup, messages_of, order, play, text, view, words

pytestmark = pytest.mark.django_db


def test_a_director_sets_up_a_ladder(as_user: As, club: Club, dora: User) -> None:
    answer = as_user(dora).post(reverse("ladder-new"), NEW)
    made = Ladder.objects.get(name="Autumn ladder")
    assert answer.headers["Location"] == reverse("ladder", args=[made.pk])
    config = services.config_of(made)
    assert (made.kind, made.length, made.clock_preset, made.rated) == ("challenge", 3, "club", True)
    assert (config.rule, config.range, config.accept_hours, config.on_no_answer) == ("swap", 2, 48, "drop")


def test_a_ladder_of_matches_to_one_point_has_no_cube(as_user: As, club: Club, dora: User) -> None:
    as_user(dora).post(reverse("ladder-new"), {**NEW, "length": "1", "clock": "none"})
    assert "cube" not in Ladder.objects.get(name="Autumn ladder").options


@pytest.mark.parametrize("kind", ["rating", "challenge", "season", "hill"])
def test_each_kind_has_its_own_form(as_user: As, club: Club, dora: User, kind: str) -> None:
    client = as_user(dora)
    answer = client.get(reverse("ladder-new"), {"kind": kind})
    assert answer.context["form"].of_kind == kind
    assert ('name="length"' in answer.content.decode()) is (kind != "rating")
    typed = {**NEW, "kind": kind, "name": kind, "on_not_played": "", "on_no_answer": "", "rule": "", "range": ""}
    assert client.post(reverse("ladder-new"), typed).status_code == 302
    made = Ladder.objects.get(name=kind)
    assert made.kind == kind
    assert text(client, made)
    assert client.get(reverse("ladder-settings", args=[made.pk])).status_code == 200


def test_a_wrong_form_comes_back_with_what_was_typed(as_user: As, club: Club, dora: User) -> None:
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "range": "many", "length": "500"})
    assert answer.status_code == 422
    assert sorted(answer.context["form"].errors) == ["length", "range"]
    assert "many" in answer.content.decode()


def test_what_the_service_refuses_stands_at_its_field(as_user: As, ladder: Make, dora: User) -> None:
    ladder()
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "name": "Ladder 1"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["name"])
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "season_ends_on": "2001-01-01"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["season_ends_on"])
    answer = as_user(dora).post(reverse("ladder-new"), {**NEW, "variant": "damas", "clock": "club"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["clock"])


def test_settings_are_changed_but_not_the_kind(as_user: As, ladder: Make, ana: User, dora: User) -> None:
    made = ladder(ana)
    url = reverse("ladder-settings", args=[made.pk])
    assert as_user(ana).get(url).status_code == 403
    answer = as_user(dora).post(url, {**NEW, "kind": "hill"})
    assert answer.headers["Location"] == reverse("ladder", args=[made.pk])
    made.refresh_from_db()
    assert (made.name, made.kind, services.config_of(made).rule) == ("Autumn ladder", "challenge", "swap")


def test_another_game_brings_its_own_part_of_the_form(as_user: As, dora: User) -> None:
    answer = as_user(dora).get(reverse("ladder-terms"), {"variant": "acey-deucey", "kind": "hill"})
    assert answer.context["form"]["length"].value() == 15
    assert 'value="game5"' in answer.content.decode()


def test_a_director_takes_a_result_back_and_lets_it_count_again(
    as_user: As, ladder: Make, ana: User, bea: User, dora: User
) -> None:
    made, client = ladder(ana, bea), as_user(dora)
    play(call(made, bea, ana), bea)
    event = next(event for event in view(made, dora).events if event.may_undo)
    assert reverse("ladder-undo", args=[made.pk]) in markup(client, made)
    assert reverse("ladder-undo", args=[made.pk]) not in markup(as_user(ana), made)
    assert messages_of(do(client, "ladder-undo", made.pk, n=event.n)) == ["Reason: This field is required."]
    assert messages_of(do(client, "ladder-undo", made.pk, n=event.n, reason="wrong board")) == ["Event undone."]
    assert order(made) == ["ana", "bea"]
    shown = view(made, dora).events
    assert shown[0].text == f"The director undid event {event.n}. (wrong board)"
    assert next(each for each in shown if each.n == event.n).undone
    assert messages_of(do(client, "ladder-redo", made.pk, n=event.n, reason="it was right")) == ["Event restored."]
    assert order(made) == ["bea", "ana"]


def test_a_director_decides_a_challenge_and_places_a_player(
    as_user: As, ladder: Make, ana: User, bea: User, carlos: User, dora: User
) -> None:
    made, client = ladder(ana, bea, carlos), as_user(dora)
    challenge = call(made, carlos, bea)
    decided = do(client, "challenge-decide", made.pk, challenge.pk, winner=carlos.pk, reason="at the club")
    assert messages_of(decided) == ["Challenge decided."]
    assert order(made) == ["ana", "carlos", "bea"]
    assert messages_of(do(client, "ladder-place", made.pk, player=bea.pk, to=1, reason="joined late")) == [
        "Place changed."
    ]
    assert order(made) == ["bea", "ana", "carlos"]
    assert [event.text for event in view(made, None).events[:2]] == [
        "The director moved bea to rank 1. (joined late)",
        "Director's ruling: carlos beat bea and moved up to rank 2; bea is now at rank 3. (at the club)",
    ]


def test_who_does_not_direct_is_refused(as_user: As, ladder: Make, ana: User, bea: User) -> None:
    made, client = ladder(ana, bea), as_user(ana)
    challenge = call(made, bea, ana)
    for answer in (
        do(client, "challenge-decide", made.pk, challenge.pk, winner=ana.pk, reason="me"),
        do(client, "ladder-place", made.pk, player=bea.pk, to=1, reason="her"),
        do(client, "ladder-undo", made.pk, n=1, reason="no"),
        do(client, "ladder-close", made.pk),
        do(client, "ladder-season-close", made.pk),
    ):
        assert messages_of(answer) == ["Only a director of the club can do that."]
    assert order(made) == ["ana", "bea"]


def test_a_closed_ladder_can_be_read_and_opened_again(
    as_user: As, ladder: Make, ana: User, bea: User, dora: User
) -> None:
    made, client = ladder(ana, bea), as_user(dora)
    assert messages_of(do(client, "ladder-close", made.pk)) == ["Ladder closed."]
    assert "closed" in text(as_user(bea), made)
    assert reverse("ladder-challenge", args=[made.pk]) not in markup(as_user(bea), made)
    assert messages_of(do(client, "ladder-open", made.pk)) == ["Ladder reopened."]
    assert [rung.may for rung in view(made, bea).rungs] == [True, False]


def test_a_season_is_closed_and_its_table_kept(as_user: As, ladder: Make, ana: User, bea: User, dora: User) -> None:
    made, client = ladder(ana, bea, kind="season"), as_user(dora)
    play(call(made, bea, ana), bea)
    assert messages_of(do(client, "ladder-season-close", made.pk, name="Winter")) == ["Season ended."]
    page = words(client.get(reverse("ladder-season", args=[made.pk, 1])).content.decode())
    assert "1 bea 4 1 1 2 ana 1 0 1" in page
    assert "Season 2: Winter" in text(client, made)
    assert client.get(reverse("ladder-season", args=[made.pk, 7])).status_code == 404


# What does not fit
