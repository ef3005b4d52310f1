"""What players and directors do on a ladder."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Club, Membership, User
from accounts.users import services as people
from games import notify
from games.errors import NotFound, Refused
from games.models import Match
from ladders import services as ladders
from ladders.models import Ladder, LadderChallenge, LadderEvent, LadderPlayer, LadderSeason
from tests.ladders.conftest import Clock, Committed, arrive, give_up, kinds, order

pytestmark = pytest.mark.django_db
Make = Callable[..., Ladder]


def call(ladder: Ladder, challenger: User, defender: User) -> LadderChallenge:
    return ladders.challenge_make(ladder_id=ladder.pk, user=challenger, opponent=defender)


def agree(ladder: Ladder, challenger: User, defender: User) -> Match:
    made = call(ladder, challenger, defender)
    return ladders.challenge_accept(challenge_id=made.pk, user=defender)


# Setting up


def test_a_director_opens_a_ladder_and_it_begins_empty(make: Make, club: Club, dora: User) -> None:
    ladder = make(joined=(), config={"range": 2}, name="  Escalafón   del jueves ")
    assert (ladder.name, ladder.kind, ladder.created_by, ladder.club) == (
        "Escalafón del jueves",
        "challenge",
        dora,
        club,
    )
    assert (ladder.config["range"], ladder.config["rule"], "kind" in ladder.config) == (2, "leapfrog", False)
    assert order(ladder) == []
    event = ladder.events.get()
    assert (event.n, event.type, event.by) == (1, "created", dora)


def test_only_a_director_does(club: Club, ana: User) -> None:
    with pytest.raises(Refused, match="ladder_not_director"):
        ladders.ladder_create(
            by=ana, club=club, name="x", kind="hill", variant="backgammon", length=3, clock="club", rated=False
        )


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"name": " "}, "ladder_name"),
        ({"name": "x" * 61}, "ladder_name"),
        ({"name": "Torneo semanal del club"}, "ladder_name_taken"),
        ({"kind": "league"}, "ladder_kind"),
        ({"config": {"range": "far"}}, "ladder_config"),
        ({"config": {"what": 1}}, "ladder_config"),
        ({"variant": "chess"}, "variant"),
        ({"length": 0, "rated": False, "clock": "game5"}, "length"),
        ({"clock": "sundial"}, "clock"),
        ({"options": {"desahogo": True}}, "house_rated"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused(make: Make, ladder: Ladder, terms: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused, match=f"^{code}$"):
        make(**{"name": "Viernes", **terms})
    assert Ladder.objects.count() == 1


def test_the_rules_change_from_now_on_and_the_kind_never(ladder: Ladder, dora: User, ana: User) -> None:
    same = {"name": "Viernes", "variant": "nackgammon", "length": 5, "clock": "blitz", "config": {"rule": "swap"}}
    ladders.ladder_change(ladder_id=ladder.pk, by=dora, **same)  # type: ignore[arg-type]
    assert order(ladder) == ["ana", "bea", "carlos"]
    assert (ladder.name, ladder.variant, ladder.config["rule"], kinds(ladder)) == (
        "Viernes",
        "nackgammon",
        "swap",
        ["changed"],
    )
    with pytest.raises(Refused, match="ladder_kind_fixed"):
        ladders.ladder_change(ladder_id=ladder.pk, by=dora, kind="hill", **same)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="ladder_not_director"):
        ladders.ladder_change(ladder_id=ladder.pk, by=ana, **same)  # type: ignore[arg-type]


def test_a_new_site_has_two_ladders_once(club: Club) -> None:
    ladders.ladders_ensure_default(club)
    ladders.ladders_ensure_default(club)
    assert list(Ladder.objects.order_by("kind").values_list("name", "kind", "created_by")) == [
        ("Club ladder", "challenge", None),
        ("Rating ladder", "rating", None),
    ]


def test_of_the_owner_if_there_is_one(club: Club, ana: User) -> None:
    Membership.objects.create(club=club, user=ana, role=Membership.Role.OWNER)
    ladders.ladders_ensure_default(club)
    assert {ladder.created_by for ladder in Ladder.objects.all()} == {ana}


# Joining and leaving


def test_who_joins_takes_the_last_place_and_joins_once(ladder: Ladder, dora: User, ana: User) -> None:
    for user in (dora, ana):
        ladders.ladder_join(ladder_id=ladder.pk, user=user)
    assert order(ladder) == ["ana", "bea", "carlos", "dora"]
    assert ladder.events.order_by("n").last().payload["moves"] == {str(dora.pk): [None, 4]}  # type: ignore[union-attr]


def test_guests_bots_and_strangers_to_the_club_do_not(make: Make, ladder: Ladder, dora: User, ana: User) -> None:
    for user in (people.guest_create(), people.house_bot_ensure()):
        with pytest.raises(Refused, match="ladder_members"):
            ladders.ladder_join(ladder_id=ladder.pk, user=user)
    other = Club.objects.create(name="Otro", slug="otro")
    Membership.objects.create(club=other, user=dora, role=Membership.Role.OWNER)
    other_ladder = ladders.ladder_create(
        by=dora, club=other, name="Torneo semanal del club", kind="hill", variant="backgammon", length=3, clock="club"
    )
    with pytest.raises(Refused, match="ladder_members"):
        ladders.ladder_join(ladder_id=other_ladder.pk, user=ana)
    ladders.ladder_join(ladder_id=other_ladder.pk, user=dora)
    rating = make(name="R", kind="rating", joined=())
    with pytest.raises(Refused, match="ladder_by_rating"):
        ladders.ladder_join(ladder_id=rating.pk, user=ana)
    with pytest.raises(NotFound):
        ladders.ladder_join(ladder_id="nothing", user=ana)


def test_who_leaves_lets_the_others_up_and_may_come_back_to_the_bottom(ladder: Ladder, ana: User) -> None:
    ladders.ladder_leave(ladder_id=ladder.pk, user=ana)
    assert order(ladder) == ["bea", "carlos"]
    assert LadderPlayer.objects.get(user=ana).rank is None
    with pytest.raises(Refused, match="ladder_not_on"):
        ladders.ladder_leave(ladder_id=ladder.pk, user=ana)
    ladders.ladder_join(ladder_id=ladder.pk, user=ana)
    assert order(ladder) == ["bea", "carlos", "ana"]


def test_who_leaves_loses_what_he_owes(ladder: Ladder, ana: User, carlos: User) -> None:
    made = call(ladder, carlos, ana)
    ladders.ladder_leave(ladder_id=ladder.pk, user=ana)
    made.refresh_from_db()
    assert (made.status, made.winner, order(ladder)) == ("forfeit", carlos, ["carlos", "bea"])
    assert kinds(ladder) == ["challenged", "declined", "left"]


def test_nobody_leaves_a_match_in_play(ladder: Ladder, ana: User, bea: User) -> None:
    arrive(agree(ladder, bea, ana))
    with pytest.raises(Refused, match="ladder_in_play"):
        ladders.ladder_leave(ladder_id=ladder.pk, user=bea)


# A challenge


def test_a_challenge_from_the_call_to_the_new_order(
    ladder: Ladder, ana: User, carlos: User, django_capture_on_commit_callbacks: Committed, monkeypatch: Any
) -> None:
    words: list[tuple[int, Any]] = []
    monkeypatch.setattr(notify, "notify_user", lambda user_id, message: words.append((user_id, message)))
    made = call(ladder, carlos, ana)
    url = f"/ladders/{ladder.pk}/"
    assert words == [
        (ana.pk, {"t": "ladder", "id": made.pk, "url": url, "title": "Torneo semanal del club", "from": "carlos"})
    ]
    assert made.due_at == made.made_at + timedelta(hours=48)
    match = ladders.challenge_accept(challenge_id=made.pk, user=ana)
    assert (match.variant, match.length, match.clock_preset, match.rated) == ("backgammon", 3, "club", True)
    assert (match.title, match.from_url, match.arranged) == ("Torneo semanal del club", url, True)
    assert ladders.challenge_accept(challenge_id=made.pk, user=ana) == match
    arrive(match)
    with django_capture_on_commit_callbacks(execute=True):
        give_up(match, ana)
    made.refresh_from_db()
    assert (made.status, made.winner, made.due_at) == ("done", carlos, None)
    assert order(ladder) == ["carlos", "ana", "bea"]
    event = LadderEvent.objects.get(ladder=ladder, match=match)
    assert event.payload["moves"] == {
        str(carlos.pk): [3, 1],
        str(ana.pk): [1, 2],
        str(ladder.players.get(rank=3).user_id): [2, 3],
    }
    assert [(row.rank, row.rank_before) for row in ladder.players.order_by("rank")] == [(1, 3), (2, 1), (3, 2)]
    for _ in range(3):
        ladders.match_over(match_id=match.pk)
    assert kinds(ladder) == ["challenged", "accepted", "result"]


def test_a_defence_moves_nobody_and_gives_peace(ladder: Ladder, ana: User, bea: User, carlos: User) -> None:
    match = arrive(agree(ladder, bea, ana))
    give_up(match, bea)
    ladders.match_over(match_id=match.pk)
    assert order(ladder) == ["ana", "bea", "carlos"]
    with pytest.raises(Refused, match="ladder_rival_immune"):
        call(ladder, carlos, ana)


def test_a_refusal_speaks_with_the_numbers_of_the_ladder(make: Make, carlos: User, ana: User) -> None:
    ladder = make(config={"range": 1})
    with pytest.raises(Refused) as caught:
        call(ladder, carlos, ana)
    assert caught.value.code == "ladder_too_far"
    assert "range is 1" in caught.value.text


def test_who_declines_loses_as_who_does_not_answer(ladder: Ladder, ana: User, bea: User, carlos: User) -> None:
    made = call(ladder, bea, ana)
    for user, service in [(carlos, ladders.challenge_decline), (bea, ladders.challenge_accept)]:
        with pytest.raises(Refused, match="ladder_not_called"):
            service(challenge_id=made.pk, user=user)
    ladders.challenge_decline(challenge_id=made.pk, user=ana)
    assert order(ladder) == ["bea", "ana", "carlos"]
    for service in (ladders.challenge_decline, ladders.challenge_accept):
        with pytest.raises(Refused, match="ladder_challenge_over"):
            service(challenge_id=made.pk, user=ana)


def test_where_the_ladder_says_so_a_challenge_lapses(make: Make, ana: User, bea: User) -> None:
    ladder = make(config={"on_no_answer": "drop"})
    made = call(ladder, bea, ana)
    ladders.challenge_decline(challenge_id=made.pk, user=ana)
    made.refresh_from_db()
    assert (made.status, order(ladder)) == ("dropped", ["ana", "bea", "carlos"])


def test_a_deleted_account_leaves_its_ladders_after_its_last_result(ladder: Ladder, ana: User, carlos: User) -> None:
    match = arrive(agree(ladder, carlos, ana))
    give_up(match, ana)  # the signal of its end comes after the commit, which is still to come
    ladders.ladders_leave(user=ana)
    assert order(ladder) == ["carlos", "bea"]
    assert kinds(ladder) == ["challenged", "accepted", "result", "left"]
    ladders.ladders_leave(user=ana)
    assert kinds(ladder)[-1] == "left"


def test_who_has_closed_his_account_wins_nothing(ladder: Ladder, ana: User, bea: User) -> None:
    made = call(ladder, bea, ana)
    User.objects.filter(pk=bea.pk).update(is_active=False)
    ladders.challenge_decline(challenge_id=made.pk, user=ana)
    made.refresh_from_db()
    assert (made.winner, order(ladder)) == (ana, ["ana", "bea", "carlos"])


def test_a_call_is_taken_back_until_it_is_answered(ladder: Ladder, ana: User, bea: User) -> None:
    made = call(ladder, bea, ana)
    with pytest.raises(Refused, match="ladder_not_called"):
        ladders.challenge_withdraw(challenge_id=made.pk, user=ana)
    ladders.challenge_withdraw(challenge_id=made.pk, user=bea)
    assert (kinds(ladder), order(ladder)) == (["challenged", "withdrawn"], ["ana", "bea", "carlos"])
    agreed = call(ladder, bea, ana)
    ladders.challenge_accept(challenge_id=agreed.pk, user=ana)
    with pytest.raises(Refused, match="ladder_challenge_over"):
        ladders.challenge_withdraw(challenge_id=agreed.pk, user=bea)


# Vacations


def test_on_vacation_nobody_calls_and_deadlines_wait(
    ladder: Ladder, clock: Clock, ana: User, bea: User, carlos: User
) -> None:
    made = call(ladder, bea, ana)
    ladders.ladder_away(ladder_id=ladder.pk, user=ana, days=10)
    due = made.due_at
    made.refresh_from_db()
    assert due is not None
    assert made.due_at == due + timedelta(days=10)
    with pytest.raises(Refused, match="ladder_rival_away"):
        call(ladder, carlos, ana)
    clock.forward(days=4)
    ladders.ladder_back(ladder_id=ladder.pk, user=ana)
    made.refresh_from_db()
    assert abs(made.due_at - due - timedelta(days=4)) < timedelta(minutes=1)  # type: ignore[operator]
    with pytest.raises(Refused) as caught:
        ladders.ladder_away(ladder_id=ladder.pk, user=ana, days=18)
    assert (caught.value.code, caught.value.params) == ("ladder_vacation", {"left": 16})
    assert (kinds(ladder), order(ladder)) == (["challenged", "away", "back"], ["ana", "bea", "carlos"])


def test_to_be_back_without_having_been_away_changes_nothing(ladder: Ladder, ana: User) -> None:
    ladders.ladder_back(ladder_id=ladder.pk, user=ana)
    assert kinds(ladder) == []


# The director


def test_a_director_decides_a_challenge_and_calls_its_match_off(
    ladder: Ladder, ana: User, bea: User, carlos: User, dora: User
) -> None:
    match = agree(ladder, bea, ana)
    made = match.ladder_challenge
    with pytest.raises(Refused, match="ladder_not_director"):
        ladders.challenge_decide(challenge_id=made.pk, by=ana, winner=bea)
    with pytest.raises(Refused, match="ladder_no_such_winner"):
        ladders.challenge_decide(challenge_id=made.pk, by=dora, winner=carlos)
    ladders.challenge_decide(challenge_id=made.pk, by=dora, winner=bea, reason="en el bar")
    match.refresh_from_db()
    assert (match.status, order(ladder)) == ("cancelled", ["bea", "ana", "carlos"])
    with pytest.raises(Refused, match="ladder_challenge_over"):
        ladders.challenge_decide(challenge_id=made.pk, by=dora, winner=ana)


def test_what_has_been_played_is_not_decided(ladder: Ladder, ana: User, bea: User, dora: User) -> None:
    match = arrive(agree(ladder, bea, ana))
    give_up(match, bea)
    with pytest.raises(Refused, match="match_over"):
        ladders.challenge_decide(challenge_id=match.ladder_challenge.pk, by=dora, winner=bea)


def test_a_director_calls_a_challenge_off(ladder: Ladder, ana: User, bea: User, dora: User) -> None:
    match = arrive(agree(ladder, bea, ana))
    ladders.challenge_decide(challenge_id=match.ladder_challenge.pk, by=dora, winner=None)
    ladders.match_over(match_id=match.pk)
    assert (kinds(ladder)[-1], order(ladder)) == ("decided", ["ana", "bea", "carlos"])


def test_a_director_undoes_a_result_and_restores_it(
    ladder: Ladder, ana: User, bea: User, carlos: User, dora: User
) -> None:
    match = arrive(agree(ladder, carlos, ana))
    give_up(match, ana)
    ladders.match_over(match_id=match.pk)
    n = LadderEvent.objects.get(match=match).n
    with pytest.raises(Refused, match="ladder_not_director"):
        ladders.ladder_undo(ladder_id=ladder.pk, by=ana, n=n)
    with pytest.raises(Refused, match="ladder_no_undo"):
        ladders.ladder_redo(ladder_id=ladder.pk, by=dora, n=n)
    ladders.ladder_undo(ladder_id=ladder.pk, by=dora, n=n, reason="dados falsos")
    assert order(ladder) == ["ana", "bea", "carlos"]
    with pytest.raises(Refused, match="ladder_no_undo"):
        ladders.ladder_undo(ladder_id=ladder.pk, by=dora, n=n)
    ladders.match_over(match_id=match.pk)
    assert order(ladder) == ["ana", "bea", "carlos"]
    ladders.ladder_redo(ladder_id=ladder.pk, by=dora, n=n)
    assert order(ladder) == ["carlos", "ana", "bea"]
    assert kinds(ladder)[-2:] == ["undo", "redo"]


def test_what_moved_nobody_is_not_undone(ladder: Ladder, ana: User, bea: User, dora: User) -> None:
    made = call(ladder, bea, ana)
    ladders.challenge_withdraw(challenge_id=made.pk, user=bea)
    for n in (1, 2, ladder.version, ladder.version + 1, ladder.version + 2, 99):
        with pytest.raises(Refused, match="ladder_no_undo"):
            ladders.ladder_undo(ladder_id=ladder.pk, by=dora, n=n)


def test_a_director_puts_somebody_where_he_belongs(make: Make, ladder: Ladder, carlos: User, dora: User) -> None:
    ladders.ladder_place(ladder_id=ladder.pk, by=dora, user=carlos, to=1, reason="fue campeón")
    assert order(ladder) == ["carlos", "ana", "bea"]
    with pytest.raises(Refused, match="ladder_place"):
        ladders.ladder_place(ladder_id=ladder.pk, by=dora, user=carlos, to=4)
    season = make(name="Liga", kind="season")
    with pytest.raises(Refused, match="ladder_by_points"):
        ladders.ladder_place(ladder_id=season.pk, by=dora, user=carlos, to=1)


def test_a_closed_ladder_drops_calls_but_agreed_matches_count(
    ladder: Ladder, ana: User, bea: User, carlos: User, dora: User
) -> None:
    match = arrive(agree(ladder, bea, ana))
    offered = call(ladder, carlos, bea)
    for _ in range(2):
        ladders.ladder_close(ladder_id=ladder.pk, by=dora)
    offered.refresh_from_db()
    assert offered.status == "dropped"
    give_up(match, ana)
    ladders.match_over(match_id=match.pk)
    assert order(ladder) == ["bea", "ana", "carlos"]
    with pytest.raises(Refused, match="ladder_closed"):
        call(ladder, carlos, bea)
    ladders.ladder_open(ladder_id=ladder.pk, by=dora)
    assert call(ladder, carlos, bea).status == "offered"


# Seasons


def test_a_season_ends_with_its_table_kept(ladder: Ladder, ana: User, bea: User, dora: User) -> None:
    match = arrive(agree(ladder, bea, ana))
    give_up(match, ana)
    ladders.match_over(match_id=match.pk)
    result = LadderEvent.objects.get(match=match).n
    with pytest.raises(Refused, match="ladder_not_director"):
        ladders.season_close(ladder_id=ladder.pk, by=ana)
    season = ladders.season_close(ladder_id=ladder.pk, by=dora, name="Otoño")
    first = {"rank": 1, "user": bea.pk, "name": "bea", "points": 0, "played": 1, "won": 1}
    assert (season.number, season.table[0]) == (1, first)
    assert order(ladder) == ["bea", "ana", "carlos"]
    assert (ladder.season, ladder.season_name, ladder.players.get(user=bea).played) == (2, "Otoño", 0)
    with pytest.raises(Refused, match="ladder_no_undo"):
        ladders.ladder_undo(ladder_id=ladder.pk, by=dora, n=result)
    assert LadderSeason.objects.count() == 1


def test_in_a_season_any_rated_match_of_two_players_counts_once(
    make: Make, open_table: Callable[..., Match], ana: User, bea: User
) -> None:
    ladder = make(kind="season")
    long, short, friendly = open_table(length=3), open_table(length=1), open_table(rated=False)
    for match in (long, short, friendly):
        give_up(match, ana)
        for _ in range(2):
            ladders.match_over(match_id=match.pk)
    assert order(ladder) == ["bea", "ana", "carlos"]
    assert [(row.points, row.played) for row in ladder.players.order_by("rank")] == [(4, 1), (1, 1), (0, 0)]
    event = LadderEvent.objects.get(ladder=ladder, type="result")
    assert (event.match, event.payload["points"]) == (long, {str(ana.pk): 1, str(bea.pk): 4})


def test_a_match_of_another_ladder_counts_in_the_season_too(make: Make, ladder: Ladder, ana: User, bea: User) -> None:
    season = make(name="Liga", kind="season")
    match = arrive(agree(ladder, bea, ana))
    give_up(match, ana)
    ladders.match_over(match_id=match.pk)
    assert order(ladder) == order(season) == ["bea", "ana", "carlos"]
    own = agree(season, bea, ana)
    give_up(arrive(own), bea)
    for _ in range(2):
        ladders.match_over(match_id=own.pk)
    assert [row.played for row in season.players.order_by("rank")] == [2, 2, 0]


def test_what_was_played_before_the_end_of_a_season_counts_in_it(
    make: Make, open_table: Callable[..., Match], ana: User, dora: User
) -> None:
    ladder = make(kind="season")
    give_up(open_table(length=3), ana)  # and nobody heard of it
    season = ladders.season_close(ladder_id=ladder.pk, by=dora)
    assert [(row["name"], row["points"]) for row in season.table] == [("bea", 4), ("ana", 1), ("carlos", 0)]
    assert order(ladder) == ["ana", "bea", "carlos"]


# The hill


def test_on_a_hill_the_crown_passes_on(make: Make, ana: User, bea: User, carlos: User) -> None:
    ladder = make(kind="hill")
    with pytest.raises(Refused, match="ladder_not_next"):
        call(ladder, carlos, ana)
    match = arrive(agree(ladder, bea, ana))
    give_up(match, ana)
    ladders.match_over(match_id=match.pk)
    assert order(ladder) == ["bea", "carlos", "ana"]
    made = call(ladder, carlos, bea)
    ladders.challenge_withdraw(challenge_id=made.pk, user=carlos)
    assert order(ladder) == ["bea", "ana", "carlos"]
