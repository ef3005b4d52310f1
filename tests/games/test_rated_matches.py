"""From the end of a match to the list: the log, its numbers, corrections and rebuilding."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.clubs.services import default_club_ensure
from accounts.models import Club, Membership, User
from games import dice, notify, services
from games.errors import NotFound, Refused
from games.models import Match, RatedMatch, Rating, RatingEvent, RatingPool, ResultCorrection, Seat
from games.ratings import fibs
from games.selectors import ratings as read
from games.services import Answer, result_correct
from games.services import ratings as service
from ladders.models import Ladder, LadderChallenge

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
Play = Callable[..., Match]
START = datetime(2026, 3, 1, 20, tzinfo=UTC)


@pytest.fixture
def play(open_table: Open, act: Act, next_rolls: deque[tuple[int, int]], ana: User, bea: User) -> Play:
    """A match in which both have played, and that one of them resigns."""

    def make(winner: str = "white", **terms: Any) -> Match:
        match = open_table(**terms)
        next_rolls.extend([(3, 1), (6, 5)])
        for user, action in ((ana, "roll"), (bea, "roll"), (ana, "8/5 6/5"), (bea, "roll"), (bea, "24/18 18/13")):
            act(match, user, action)
        act(match, bea if winner == "white" else ana, "resign match")
        return Match.objects.get(pk=match.pk)

    return make


@pytest.fixture
def draughts(open_table: Open, act: Act, ana: User, bea: User) -> Iterator[Play]:
    """A match of damas: bea resigns the first game, the second is drawn or the match is resigned in it."""
    before = dice.replace_roller(lambda match_id, index, elements: (6, 1))

    def make(*last: tuple[User, str]) -> Match:
        match = open_table(variant="damas", length=3, clock="min10")
        for user, action in ((ana, "roll"), (bea, "roll"), (ana, "11-16"), (bea, "36-31"), (bea, "resign 1"), *last):
            if (user, action) == (bea, "36-31"):
                action = next(iter(service_state(match).position.actions()))
            act(match, user, action)
        return Match.objects.get(pk=match.pk)

    yield make
    dice.replace_roller(before)


def service_state(match: Match) -> Any:
    from games.events import state_of

    return state_of(Match.objects.get(pk=match.pk))


@pytest.fixture
def director(dora: User) -> User:
    """dora directs the club."""
    Membership.objects.create(club=default_club_ensure(), user=dora, role=Membership.Role.DIRECTOR)
    return dora


def standing(user: User) -> Rating:
    return Rating.objects.get(user=user)


def check() -> str:
    """The output of `ratings_rebuild --check`, which exits with 1 where anything differs."""
    correction = StringIO()
    call_command("ratings_rebuild", "--check", stdout=correction)
    return correction.getvalue()


class TestTheEnd:
    def test_a_rated_match_has_its_line_and_both_ratings_as_soon_as_it_is_over(self, play: Play) -> None:
        match = play()
        gain, loss = fibs(5, (1500, 0), (1500, 0))
        line = RatedMatch.objects.get(match=match)
        assert (line.n, line.weight, line.winner, line.results, line.counts) == (1, 5.0, "white", [1.0], True)
        assert (line.pool.variant, line.pool.pace, line.pool.matches) == ("backgammon", "live", 1)
        assert [(s.user.username, s.rating) for s in line.pool.ratings.order_by("-rating")] == [
            ("ana", 1500 + gain),
            ("bea", 1500 - loss),
        ]

    def test_numbers_have_no_gaps_and_the_second_match_begins_where_the_first_ended(
        self, play: Play, ana: User
    ) -> None:
        play()
        play("black", length=3)
        assert list(RatedMatch.objects.values_list("n", "weight")) == [(1, 5.0), (2, 3.0)]
        first, second = RatingEvent.objects.filter(user=ana).order_by("n")
        assert second.rating_before == first.rating_after
        assert second.experience_before == 5
        assert (standing(ana).rating, standing(ana).form) == (second.rating_after, "LW")

    def test_the_event_that_ends_the_match_includes_the_change(
        self, play: Play, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        events: list[dict[str, Any]] = []
        monkeypatch.setattr(notify, "match_event", lambda match_id, event: events.append(event))
        play()
        assert [event["match"]["ratings"] for event in events[:-1]] == [None] * (len(events) - 1)
        ended = events[-1]["match"]["ratings"]
        assert ended["white"]["before"] == 1500
        assert ended["white"]["after"] == Rating.objects.get(user__username="ana").rating

    def test_acey_deucey_is_a_pool_of_its_own_in_which_15_points_weigh_3(
        self, open_table: Open, ana: User, bea: User
    ) -> None:
        match = open_table(variant="acey-deucey", length=15, clock="game5")
        for n, side in enumerate(("white", "black"), 90):
            match.actions.create(n=n, game_number=1, actor=side, text="stock/20", at=START)
        Match.objects.filter(pk=match.pk).update(status="over", winner="black", ended_at=START, ended_by="score")
        assert services.match_rate_late(match_id=match.pk)
        line = RatedMatch.objects.get()
        assert (line.pool.variant, line.weight, line.winner) == ("acey-deucey", 3.0, "black")

    def test_in_damas_each_game_counts_and_resigning_the_match_loses_the_running_one(
        self, draughts: Play, ana: User, bea: User
    ) -> None:
        match = draughts((ana, "resign match"))
        line = RatedMatch.objects.get(match=match)
        assert (line.winner, line.results) == ("black", [1.0, 0.0])
        assert standing(ana).experience == 2
        assert standing(ana).deviation is not None
        assert standing(ana).rating == pytest.approx(1500)
        assert (standing(ana).wins, standing(bea).wins) == (0, 1)


class TestNotRated:
    def test_an_unrated_match_changes_no_rating(self, play: Play) -> None:
        play(rated=False)
        assert not RatingPool.objects.exists()

    def test_a_match_in_which_a_side_never_played_is_not_rated(
        self, open_table: Open, act: Act, next_rolls: Any, ana: User
    ) -> None:
        next_rolls.append((3, 1))
        match = open_table()
        act(match, ana, "roll")
        act(match, match.seats.get(side="black").user, "roll")
        act(match, ana, "8/5 6/5")
        act(match, match.seats.get(side="black").user, "resign match")
        assert Match.objects.get(pk=match.pk).winner == "white"
        assert not RatedMatch.objects.exists()

    def test_a_cancelled_match_is_not_rated(self, ana: User, bea: User) -> None:
        match = services.match_arrange(white=ana, black=bea, variant="backgammon", length=5, clock="club", rated=True)
        for user in (ana, bea):
            services.match_arrive(match_id=match.pk, user=user)
        services.match_call_off(match_id=match.pk)
        assert Match.objects.get(pk=match.pk).ended_by == "stopped"
        assert not RatedMatch.objects.exists()

    def test_a_match_against_a_guest_is_not_rated(self, play: Play, bea: User) -> None:
        match = play(rated=False)
        User.objects.filter(pk=bea.pk).update(is_guest=True)
        Match.objects.filter(pk=match.pk).update(rated=True)
        assert services.matches_unrated() == []

    def test_a_match_with_house_rules_is_not_rated(self, play: Play) -> None:
        match = play(rated=False)
        Match.objects.filter(pk=match.pk).update(rated=True, options={"desahogo": True})
        assert services.matches_unrated() == []


class TestCorrecting:
    def test_another_winner_changes_match_seats_line_and_ratings(
        self, play: Play, director: User, ana: User, bea: User
    ) -> None:
        match = play("white")
        play("white", length=3)
        done = result_correct(match_id=match.pk, by=director, winner="black", counts=True, reason=" they  agreed ")
        assert done is not None
        assert (done.reason, done.before, done.after) == (
            *("they agreed", {"winner": "white", "counts": True}),
            {"winner": "black", "counts": True},
        )
        match.refresh_from_db()
        assert match.winner == "black"
        assert list(match.seats.order_by("-side").values_list("won", flat=True)) == [False, True]
        first, second = RatingEvent.objects.filter(user=bea).order_by("n")
        assert first.rating_after == 1500 + fibs(5, (1500, 0), (1500, 0))[0]
        assert second.rating_before == first.rating_after
        assert standing(bea).form == "LW"
        assert check().count(" 0 differences") == 1

    def test_an_annulled_match_keeps_its_number_and_changes_nothing(
        self, play: Play, director: User, ana: User
    ) -> None:
        match = play()
        result_correct(match_id=match.pk, by=director, winner="white", counts=False, reason="wrong clock")
        assert (RatedMatch.objects.get().n, RatedMatch.objects.get().counts) == (1, False)
        assert not Rating.objects.exists()
        play("black")
        assert standing(ana).matches == 1
        assert RatedMatch.objects.get(n=2).events.get(user=ana).rating_before == 1500
        result_correct(match_id=match.pk, by=director, winner="white", counts=True, reason="it was right")
        assert standing(ana).form == "LW"

    def test_a_match_that_nobody_won_does_not_count(self, play: Play, director: User) -> None:
        match = play()
        result_correct(match_id=match.pk, by=director, winner=None, counts=True, reason="void")
        match.refresh_from_db()
        assert (match.winner, RatedMatch.objects.get().counts) == ("", False)
        assert list(match.seats.values_list("won", flat=True)) == [None, None]

    def test_the_same_correction_again_changes_nothing_and_is_not_logged(self, play: Play, director: User) -> None:
        match = play()
        before = list(Rating.objects.order_by("pk").values())
        for _ in range(2):
            same = result_correct(match_id=match.pk, by=director, winner="white", counts=True, reason="really")
            assert same is None
        assert list(Rating.objects.order_by("pk").values()) == before
        assert not ResultCorrection.objects.exists()

    def test_damas_corrected_counts_as_one_game_and_back_again_as_played(
        self, draughts: Play, director: User, ana: User
    ) -> None:
        match = draughts((ana, "resign match"))
        result_correct(match_id=match.pk, by=director, winner="white", counts=True, reason="by mistake")
        assert RatedMatch.objects.get().results == [1.0]
        result_correct(match_id=match.pk, by=director, winner="black", counts=True, reason="no mistake")
        assert RatedMatch.objects.get().results == [1.0, 0.0]

    def test_an_unrated_match_gets_its_winner_and_no_line(self, play: Play, director: User) -> None:
        match = play(rated=False)
        result_correct(match_id=match.pk, by=director, winner="black", counts=True, reason="they agreed")
        assert Match.objects.get(pk=match.pk).winner == "black"
        assert not RatedMatch.objects.exists()

    def test_a_directors_ruling_on_an_unrated_match_is_final(self, play: Play, director: User) -> None:
        match = play(rated=False)
        Match.objects.filter(pk=match.pk).update(rated=True)
        result_correct(match_id=match.pk, by=director, winner="black", counts=False, reason="a trial")
        assert services.matches_unrated() == []

    @pytest.mark.parametrize(
        ("facts", "code"),
        [
            ({"reason": " "}, "reason"),
            ({"reason": "x" * 201}, "reason"),
            ({"reason": "a\x00b"}, "reason"),
            ({"winner": "ana"}, "winner"),
            ({"winner": ""}, "winner"),
        ],
    )
    def test_an_invalid_request_is_refused(self, play: Play, director: User, facts: dict[str, Any], code: str) -> None:
        match = play()
        correction = {"match_id": match.pk, "by": director, "winner": "black", "counts": True, "reason": "so"}
        with pytest.raises(Refused, match=code):
            result_correct(**(correction | facts))
        assert Match.objects.get(pk=match.pk).winner == "white"

    def test_only_a_finished_match_of_this_site_can_be_corrected(self, open_table: Open, director: User) -> None:
        match = open_table()
        correction = {"by": director, "winner": "black", "counts": True, "reason": "so"}
        with pytest.raises(Refused, match="not_over"):
            result_correct(match_id=match.pk, **correction)  # type: ignore[arg-type]
        Match.objects.filter(pk=match.pk).update(status="over", source="mat")
        with pytest.raises(Refused, match="archived_result"):
            result_correct(match_id=match.pk, **correction)  # type: ignore[arg-type]
        with pytest.raises(NotFound):
            result_correct(match_id="nosuchid", **correction)  # type: ignore[arg-type]

    def test_the_winner_of_a_tournament_match_is_corrected_at_its_desk_and_whether_it_counts_by_the_club(
        self, play: Play, director: User
    ) -> None:
        match = play()
        Match.objects.filter(pk=match.pk).update(arranged=True)
        correction: dict[str, Any] = {"match_id": match.pk, "by": director, "reason": "so"}
        with pytest.raises(Refused, match="winner_at_desk"):
            result_correct(**correction, winner="black", counts=True)
        assert result_correct(**correction, winner="white", counts=False)
        match.refresh_from_db()
        assert services.correctable(match, director) == {"counts"}

    def test_a_match_of_a_ladder_is_corrected_by_the_directors_of_its_club(
        self, play: Play, director: User, ana: User, bea: User, carlos: User
    ) -> None:
        match = play()
        Match.objects.filter(pk=match.pk).update(arranged=True)
        club = Club.objects.create(name="Martes", slug="martes")
        Membership.objects.create(club=club, user=carlos, role=Membership.Role.DIRECTOR)
        terms = {"variant": match.variant, "length": match.length, "clock_preset": match.clock_preset}
        ladder = Ladder.objects.create(
            club=club, name="Escalera", kind=Ladder.Kind.CHALLENGE, created_at=START, season_started_at=START, **terms
        )
        LadderChallenge.objects.create(ladder=ladder, challenger=ana, defender=bea, made_at=START, match=match)
        match.refresh_from_db()
        assert services.correctable(match, carlos) == {"winner", "counts"}
        assert services.correctable(match, director) == frozenset()
        correction: dict[str, Any] = {"match_id": match.pk, "winner": "black", "counts": True, "reason": "so"}
        with pytest.raises(Refused, match="not_director"):
            result_correct(**correction, by=director)
        assert result_correct(**correction, by=carlos)

    @pytest.mark.parametrize(
        ("role", "may"),
        [("owner", True), ("director", True), ("member", False), (None, False), ("staff", True), ("player", False)],
    )
    def test_corrections_need_permission(
        self, play: Play, ana: User, carlos: User, role: str | None, may: bool
    ) -> None:
        match = play()
        by = ana if role == "player" else carlos
        if role == "staff":
            User.objects.filter(pk=by.pk).update(is_staff=True)
        elif role in Membership.Role.values:
            Membership.objects.create(club=default_club_ensure(), user=by, role=role)
        correction = {"match_id": match.pk, "by": User.objects.get(pk=by.pk), "winner": "black", "counts": True}
        if may:
            assert result_correct(**correction, reason="so")  # type: ignore[arg-type]
        else:
            with pytest.raises(Refused, match="not_director"):
                result_correct(**correction, reason="so")  # type: ignore[arg-type]


class TestRebuilding:
    def test_differing_rows_are_found_and_repaired(self, play: Play, ana: User, bea: User) -> None:
        play()
        play("black")
        right = list(Rating.objects.order_by("user").values_list("user", *service.STANDING_FIELDS))
        assert check().count(" 0 differences") == 1
        Rating.objects.filter(user=ana).update(rating=1e-9 + standing(ana).rating)
        RatingEvent.objects.filter(user=bea, n=1).delete()
        with pytest.raises(SystemExit):
            check()
        call_command("ratings_rebuild", stdout=StringIO())
        assert check().count(" 0 differences") == 1
        assert list(Rating.objects.order_by("user").values_list("user", *service.STANDING_FIELDS)) == right

    def test_matches_from_before_the_log_are_rated_in_the_order_of_their_end(self, play: Play) -> None:
        matches = [play(), play("black"), play()]
        RatingEvent.objects.all().delete()
        RatedMatch.objects.all().delete()
        RatingPool.objects.all().delete()
        for days, match in zip((3, 1, 2), matches, strict=True):
            Match.objects.filter(pk=match.pk).update(ended_at=START + timedelta(days=days))
        with pytest.raises(SystemExit):
            check()
        assert not RatedMatch.objects.exists()
        call_command("ratings_rebuild", stdout=StringIO())
        assert list(RatedMatch.objects.order_by("n").values_list("match", flat=True)) == [
            matches[i].pk for i in (1, 2, 0)
        ]
        assert check().count(" 0 differences") == 1

    @pytest.mark.parametrize("variant", ["backgammon", "damas"])
    @pytest.mark.looks
    def test_one_by_one_is_the_same_as_all_at_once_after_1500_matches_with_corrections(
        self, person: Callable[..., User], monkeypatch: pytest.MonkeyPatch, variant: str
    ) -> None:
        """Half of them in each system; every so often a result before is corrected, or a match annulled."""
        people = [person(f"player{i}") for i in range(12)]
        choose = random.Random(5)
        monkeypatch.setattr(service, "is_ratable", lambda match, seats: bool(match.winner))
        matches = list(_over(people, choose, variant))
        for at, (match, seats) in enumerate(matches):
            service.match_rate(match, seats)
            if at % 190 == 189:
                corrected, its_seats = matches[choose.randrange(at)]
                corrected.winner = "black" if corrected.winner == "white" else "white"
                service.correct_log(corrected, its_seats, counts=bool(choose.getrandbits(1)))
        pool = RatingPool.objects.get()
        assert pool.matches == len(matches) == 750
        assert services.pool_rebuild(pool_id=pool.pk, check=True) == []
        stored = list(Rating.objects.order_by("user").values_list("user", *service.STANDING_FIELDS))
        Rating.objects.all().delete()
        RatingEvent.objects.all().delete()
        services.pool_rebuild(pool_id=pool.pk)
        assert list(Rating.objects.order_by("user").values_list("user", *service.STANDING_FIELDS)) == stored


def _over(people: list[User], choose: random.Random, variant: str) -> Iterator[tuple[Match, list[Seat]]]:
    """Finished matches between users, without their play."""
    matches = []
    for i in range(750):
        winner = choose.choice(("white", "black"))
        terms = {"variant": variant, "length": choose.choice((1, 3, 5, 7)), "clock_preset": "club", "rated": True}
        at = START + timedelta(hours=7 * i)
        facts = {"status": "over", "winner": winner, "ended_at": at, "created_at": at, "creator": people[0]}
        matches.append(Match(**terms, **facts))
    for match in Match.objects.bulk_create(matches):
        white, black = choose.sample(people, 2)
        yield match, [Seat(match=match, side=s, user=u) for s, u in (("white", white), ("black", black))]


class TestRatingPages:
    def test_a_players_summary_and_series_are_shown(self, play: Play, ana: User, bea: User) -> None:
        play()
        play("black", length=3)
        play(variant="nackgammon")
        summaries = read.rating_cards(ana)
        assert [(summary.variant, summary.matches, summary.wins, summary.rank) for summary in summaries] == [
            ("backgammon", 2, 1, 1),
            ("nackgammon", 1, 1, 1),
        ]
        points = read.rating_history(ana, "backgammon", "live")
        assert [point.n for point in points] == [1, 2]
        assert [point.opponent for point in points] == ["bea", "bea"]
        assert points[-1].rating == summaries[0].rating
        assert points[0].change > 0 > points[1].change

    def test_players_inactive_for_90_days_are_in_the_full_list_only(self, play: Play, ana: User) -> None:
        play()
        Rating.objects.filter(user=ana).update(last_at=START - timedelta(days=400))
        assert [row.user.username for row in read.pool_table("backgammon", "live")] == ["bea"]
        full_list = read.pool_table("backgammon", "live", active_days=None)
        assert [(row.rank, row.user.username) for row in full_list] == [(1, "ana"), (2, "bea")]
        assert read.rating_cards(ana)[0].rank is None

    def test_a_club_sees_its_own_members(self, play: Play, ana: User) -> None:
        play()
        club = default_club_ensure()
        Membership.objects.filter(club=club).delete()
        Membership.objects.create(club=club, user=ana)
        assert [row.user.username for row in read.pool_table("backgammon", "live", club=club)] == ["ana"]
