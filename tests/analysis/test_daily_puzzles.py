"""Users vote on the daily puzzle; its answer is shown when the day is over."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from analysis.errors import Refused
from analysis.models import DailyPuzzle, DailyVote, Puzzle
from analysis.services import daily_puzzles, tallies
from analysis.tasks import pick_daily_puzzle
from games.models import Match
from tests.analysis.cards import play, played, report_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    """A match with one decision worth a vote, and one in the opening that is not."""
    match = played(ana, bea)
    report = report_of(match, play(4, "white", loss=0.1), play(6, "black", loss=0.2, phase="opening"))
    tallies.report_count(report_id=report.pk)
    return match


@pytest.fixture
def daily(match: Match) -> DailyPuzzle:
    """Today's puzzle: White's 3-1."""
    found = daily_puzzles.daily_pick(day=daily_puzzles.today())
    assert found is not None
    return found


def test_a_day_has_one_position_and_no_other_day_has_it(daily: DailyPuzzle) -> None:
    assert daily.puzzle == Puzzle.objects.get(n=4)
    assert daily_puzzles.daily_pick(day=daily.day) == daily
    assert daily_puzzles.daily_pick(day=daily.day + timedelta(days=1)) is None


def test_a_vote_is_final(daily: DailyPuzzle, carlos: User) -> None:
    vote = daily_puzzles.daily_vote(user=carlos, row=daily, answer="6/5 8/5")
    assert (vote.answer, vote.loss) == ("8/5 6/5", 0.0)
    with pytest.raises(Refused, match="daily_voted"):
        daily_puzzles.daily_vote(user=carlos, row=daily, answer="24/20")
    with pytest.raises(Refused, match="puzzle_answer"):
        daily_puzzles.daily_vote(user=carlos, row=daily, answer="double")
    assert DailyVote.objects.count() == 1


def test_there_is_no_voting_after_the_day(daily: DailyPuzzle, carlos: User) -> None:
    DailyPuzzle.objects.update(day=daily.day - timedelta(days=1))
    daily.refresh_from_db()
    with pytest.raises(Refused, match="daily_over"):
        daily_puzzles.daily_vote(user=carlos, row=daily, answer="8/5 6/5")


def test_the_answer_is_hidden_today(daily: DailyPuzzle, carlos: User, client: Client) -> None:
    assert "Sign in to vote" in client.get(reverse("daily")).content.decode()
    client.force_login(carlos, backend=user_services.BACKEND)
    assert "24/23 13/10" not in client.get(reverse("daily")).content.decode()
    html = client.post(reverse("daily-vote"), {"answer": "24/23 13/10"}, headers=HTMX).content.decode()
    assert "Your vote: 24/23 13/10." in html
    assert "1 vote so far" in html
    assert "8/5 6/5" not in html
    page = client.get(reverse("daily")).content.decode()
    assert "Your vote: 24/23 13/10." in page
    assert "<form" not in page.split('id="content"')[1].split("</main>")[0]
    assert client.get(reverse("daily-past", args=[daily.day])).status_code == 404


def test_the_answer_and_the_votes_are_shown_tomorrow(
    daily: DailyPuzzle, carlos: User, dora: User, ana: User, client: Client
) -> None:
    for user, answer in ((carlos, "8/5 6/5"), (dora, "24/20"), (ana, "6/5 8/5")):
        daily_puzzles.daily_vote(user=user, row=daily, answer=answer)
    yesterday = daily.day - timedelta(days=1)
    DailyPuzzle.objects.update(day=yesterday)
    page = client.get(reverse("daily-past", args=[yesterday])).content.decode()
    assert "8/5 6/5 ✓" in page
    assert "Best: 8/5 6/5" in page  # a user who did not vote sees neither right nor wrong
    assert "67%" in page
    assert "33%" in page
    assert reverse("match", args=[daily.puzzle.match_id]) in page
    assert reverse("daily-past", args=[yesterday]) in client.get(reverse("daily")).content.decode()


def test_days_without_a_puzzle_are_not_found(db: None, client: Client) -> None:
    assert client.get(reverse("daily-past", args=["soon"])).status_code == 404
    assert client.get(reverse("daily-past", args=[date(2020, 1, 1)])).status_code == 404
    assert "No puzzle yet" in client.get(reverse("daily")).content.decode()


def test_the_offline_page_shows_the_last_puzzle_whose_answer_may_be_told(daily: DailyPuzzle, client: Client) -> None:
    best = daily.puzzle.options[0][0]
    page = client.get(reverse("offline")).content.decode()
    assert "hero-svg" not in page
    DailyPuzzle.objects.update(day=daily.day - timedelta(days=1))
    page = client.get(reverse("offline")).content.decode()
    assert "hero-svg" in page
    assert best in page
    assert "csrf" not in page


def test_the_lobby_shows_the_puzzle_of_the_day_until_it_is_old(daily: DailyPuzzle, client: Client) -> None:
    assert "Solve today's puzzle" in client.get(reverse("lobby")).content.decode()
    DailyPuzzle.objects.update(day=daily.day - timedelta(days=3))
    cache.clear()  # it is drawn once a minute
    assert "Solve today" not in client.get(reverse("lobby")).content.decode()


def test_a_task_picks_the_puzzle_of_the_day_once(match: Match) -> None:
    for _ in range(2):
        pick_daily_puzzle()
    assert DailyPuzzle.objects.get().day == daily_puzzles.today()
