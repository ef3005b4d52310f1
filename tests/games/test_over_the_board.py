"""A match over the board among the others: it has a page and a line in the lists, and nothing to replay or download."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import services
from games.errors import Refused
from games.models import Match
from games.selectors import exports, history, match_files
from games.selectors.players import player_totals
from games.services.exports import matches_of
from games.services.over_the_board import board_match_change, board_match_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    """A match to 5 that ana won over the board."""
    return board_match_record(
        creator=ana,
        variant="backgammon",
        length=5,
        players=(ana, bea),
        points=(5, 3),
        winner="white",
        played_at=datetime(2026, 10, 1, tzinfo=UTC),
        rated=True,
        title="Weekly club tournament",
        from_url="/clubs/tablero/",
    )


def test_its_page_says_so_and_links_to_its_event(match: Match, client: Client) -> None:
    page = client.get(reverse("match", args=[match.pk]), headers={"accept-language": "en"}).content.decode()
    assert "This match was played over the board: there are no moves to replay." in page
    assert 'href="/clubs/tablero/"' in page
    assert "replay-data" not in page


def test_it_cannot_be_downloaded(match: Match, client: Client) -> None:
    assert match_files.available_formats(match) == []
    with pytest.raises(Refused) as found:
        match_files.match_text(match, "mat")
    assert found.value.code == "board_no_moves"
    answer = client.get(reverse("match-file", args=[match.pk, "mat"]))
    assert answer.headers["Location"] == reverse("match", args=[match.pk])


def test_it_is_in_the_lists_of_both_players(match: Match, ana: User, bea: User, client: Client) -> None:
    for user in (ana, bea):
        page = client.get(reverse("player", args=[user.username]), headers={"accept-language": "en"}).content.decode()
        assert "played over the board" in page
        assert player_totals(user).played == 1


def test_it_is_not_marked_as_imported(match: Match, ana: User, carlos: User) -> None:
    Match.objects.filter(pk=match.pk).update(creator=carlos)
    match.refresh_from_db()
    assert list(match_files.imported_matches(carlos)) == []
    assert list(matches_of(carlos)) == []
    assert not history.may_mark(match, carlos)


def test_an_archive_says_how_it_ended(match: Match, ana: User) -> None:
    (found,) = exports.exported_matches().filter(pk__in=matches_of(ana))
    assert exports.match_file(found) == (f"2026-10-01_ana-bea_{match.pk}.txt", "ana 5, bea 3. Played over the board\n")


def test_a_withdrawn_one_is_not_counted(match: Match, ana: User, client: Client) -> None:
    assert board_match_change(match_id=match.pk, by=ana, winner=None, counts=False, reason="Never played")
    assert player_totals(ana).played == 0
    page = client.get(reverse("match", args=[match.pk]), headers={"accept-language": "en"}).content.decode()
    assert "Result annulled" in page
    assert "Never played" in page


def test_a_rematch_is_not_offered_after_it(match: Match, ana: User) -> None:
    with pytest.raises(Refused):
        services.match_rematch(match_id=match.pk, user=ana)
