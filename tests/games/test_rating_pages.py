"""The pages of ratings: rankings, downloads, the changes of a match, and the director's form."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.clubs import services as clubs
from accounts.models import Membership, User
from accounts.users import services as accounts
from games import ratings
from games.models import Match, RatedMatch, ResultCorrection, Seat
from games.selectors import ratings as read
from games.services import correctable
from games.services import ratings as service

pytestmark = pytest.mark.django_db

Over = Callable[..., Match]
LOG = "/ratings/backgammon/live/log.jsonl"


@pytest.fixture
def over(monkeypatch: pytest.MonkeyPatch) -> Over:
    """A rated match that has just ended, without its play."""
    monkeypatch.setattr(service, "is_ratable", lambda match, seats: bool(match.winner))

    def make(white: User, black: User, winner: str = "white", **facts: Any) -> Match:
        at = timezone.now() - timedelta(hours=1)
        terms = {"variant": "backgammon", "length": 5, "clock_preset": "club", "rated": True, "creator": white}
        ended = {"status": "over", "winner": winner, "ended_at": at, "started_at": at, "created_at": at}
        match = Match.objects.create(**{**terms, **ended, "ended_by": "score", "snapshot": _snapshot(), **facts})
        seats = [
            Seat.objects.create(match=match, side=side, user=user, won=winner == side, ended_at=at)
            for side, user in (("white", white), ("black", black))
        ]
        service.match_rate(match, seats)
        return match

    return make


def _snapshot() -> dict[str, Any]:
    from games import replay
    from games.registry import RULES

    state = replay.start(RULES["backgammon"], 5, {}).after("black", "resign match")
    return state.snapshot()


def text_of(client: Client, url: str, **more: Any) -> str:
    answer = client.get(url, **more)
    assert answer.status_code == 200
    return answer.content.decode()


def streamed(client: Client, url: str) -> list[str]:
    answer = client.get(url)
    assert answer.status_code == 200
    with pytest.warns(Warning, match="consume asynchronous iterators"):
        return b"".join(answer).decode().splitlines()


def test_the_pools_link_to_their_rankings(client: Client, over: Over, ana: User, bea: User) -> None:
    over(ana, bea)
    over(ana, bea, variant="nackgammon")
    page = text_of(client, "/ratings/")
    assert 'href="/ratings/backgammon/live/"' in page
    assert 'href="/ratings/nackgammon/live/"' in page
    listed = text_of(client, "/ratings/backgammon/live/")
    assert "1522.14" in listed
    assert "+22.14" in listed
    assert "1477.86" in listed
    assert "−22.14" in listed
    assert listed.count("provisional") == 2


def test_numbers_are_formatted_for_the_reader(client: Client, over: Over, ana: User, bea: User) -> None:
    over(ana, bea)
    assert "1522,14" in text_of(client, "/ratings/backgammon/live/", headers={"accept-language": "es"})


def test_inactive_players_are_listed_under_all_players(client: Client, over: Over, ana: User, bea: User) -> None:
    over(ana, bea, ended_at=timezone.now() - timedelta(days=91))
    assert "1522.14" not in text_of(client, "/ratings/backgammon/live/")
    assert "1522.14" in text_of(client, "/ratings/backgammon/live/?all")


@pytest.mark.parametrize("path", ["tavli/live", "backgammon/never", "backgammon/live%20"])
def test_an_unknown_pool_is_a_404(client: Client, path: str) -> None:
    assert client.get(f"/ratings/{path}/").status_code == 404
    assert client.get(f"/ratings/{path}/log.jsonl").status_code == 404


@pytest.mark.parametrize("page", ["x", "0", "-1", "999999999999"])
def test_a_page_out_of_range_shows_the_nearest(client: Client, page: str) -> None:
    assert client.get("/ratings/backgammon/live/", {"page": page}).status_code == 200


def test_pages_take_the_same_queries_for_one_row_and_for_three(
    client: Client, over: Over, person: Callable[..., User], ana: User, bea: User
) -> None:
    over(ana, bea)

    def query_counts() -> list[int]:
        counts = []
        for url in ("/ratings/", "/ratings/backgammon/live/", "/ratings/backgammon/live/?all"):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert client.get(url).status_code == 200
            counts.append(len(queries))
        return counts

    before = query_counts()
    people = [person(f"more{i}") for i in range(4)]
    over(people[0], people[1])
    over(people[2], people[3], variant="nackgammon")
    assert query_counts() == before
    assert max(before) <= 6


def test_anyone_can_recompute_the_list_from_the_log(
    client: Client, over: Over, ana: User, bea: User, carlos: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read, "LINES", 2)
    over(ana, bea)
    over(bea, carlos, "black", length=7)
    over(carlos, ana, length=3)
    RatedMatch.objects.filter(n=3).update(counts=False)
    service.pool_rebuild(pool_id=RatedMatch.objects.get(n=1).pool_id)
    rows = streamed(client, LOG)
    assert json.loads(rows[0]) == {"variant": "backgammon", "pace": "live", "system": "fibs"}
    (tmp_path / "log.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "ratings.py").write_bytes(client.get("/ratings/recompute.py").content)
    output = subprocess.run(
        [sys.executable, "-I", "-S", "ratings.py", "log.jsonl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    listed = [(row.user.username, round(row.rating, 4)) for row in read.pool_table("backgammon", "live")]
    assert [(row.split()[3], float(row.split()[1])) for row in output.stdout.splitlines()] == listed
    system, lines = ratings.read(rows)
    assert {name: standing.rating for name, standing in ratings.fold(lines, system=system).items()} == {
        row.user.username: row.rating for row in read.pool_table("backgammon", "live")
    }


def test_the_log_of_a_pool_without_matches_is_its_header(client: Client) -> None:
    assert streamed(client, "/ratings/damas/live/log.jsonl") == [
        '{"variant": "damas", "pace": "live", "system": "glicko2"}'
    ]


def test_a_finished_match_shows_its_rating_changes(client: Client, over: Over, ana: User, bea: User) -> None:
    match = over(ana, bea)
    page = text_of(client, f"/match/{match.pk}/")
    assert "+22.14 = 4 × 4.95 × √5 × 0.500" in page
    assert "−22.14 = −4 × 4.95 × √5 × 0.500" in page
    spanish = text_of(client, f"/match/{match.pk}/", headers={"accept-language": "es"})
    assert "+22,14 = 4 × 4,95 × √5 × 0,500" in spanish


def test_a_damas_match_shows_the_expected_score() -> None:
    formula = {"change": -40.25, "games": 3, "scored": 1.5, "expected": 1.75, "factor": 161.0}
    with override("en"):
        shown = read.formula_text(formula)
    assert shown == "−40.25 = 161.0 × (1½ scored − 1.75 expected)"


def test_the_player_strips_show_the_ratings(client: Client, over: Over, ana: User, bea: User) -> None:
    over(ana, bea)
    match = over(ana, bea)
    page = text_of(client, f"/match/{match.pk}/")
    assert page.count('class="player-rating"') == 2
    assert "1522</span>" in page


class TestTheForm:
    @pytest.fixture
    def directing(self, client: Client, dora: User) -> Client:
        Membership.objects.create(club=clubs.default_club_ensure(), user=dora, role=Membership.Role.DIRECTOR)
        client.force_login(dora, backend=accounts.BACKEND)
        return client

    def test_a_director_corrects_a_result_and_everyone_sees_it(
        self, directing: Client, over: Over, ana: User, bea: User
    ) -> None:
        match = over(ana, bea)
        assert "/correct/" in text_of(directing, f"/match/{match.pk}/")
        posted = {"winner": "black", "counts": "on", "reason": "Both say <so>"}
        answer = directing.post(f"/match/{match.pk}/correct/", posted, follow=True)
        page = answer.content.decode()
        assert "Result corrected." in page
        assert "Corrected: <bdi>bea</bdi> won." in page
        stranger = text_of(Client(), f"/match/{match.pk}/")
        assert "Both say &lt;so&gt;" in stranger
        assert "/correct/" not in stranger
        assert Match.objects.get(pk=match.pk).winner == "black"

    def test_a_tournament_match_shows_whether_it_counts_and_links_to_the_directors_desk(
        self, directing: Client, over: Over, ana: User, bea: User
    ) -> None:
        match = over(ana, bea)
        part = {"arranged": True, "title": "Torneo semanal del club", "from_url": "/tournaments/abc/"}
        Match.objects.filter(pk=match.pk).update(**part)
        page = text_of(directing, f"/match/{match.pk}/")
        assert '<input type="hidden" name="winner" value="white">' in page
        assert "at the director's desk" in page
        directing.post(f"/match/{match.pk}/correct/", {"winner": "white", "reason": "wrong terms"})
        assert "It no longer counts towards the ratings." in text_of(directing, f"/match/{match.pk}/")

    def test_an_annulled_match_says_so_in_place_of_the_change(
        self, directing: Client, over: Over, ana: User, bea: User
    ) -> None:
        match = over(ana, bea)
        directing.post(f"/match/{match.pk}/correct/", {"winner": "white", "reason": "wrong terms"})
        page = text_of(directing, f"/match/{match.pk}/")
        assert "This match was annulled, so no ratings changed." in page
        assert "It no longer counts towards the ratings." in page

    @pytest.mark.parametrize("posted", [{}, {"winner": "x", "reason": "y"}, {"winner": "black"}, {"reason": "\x00"}])
    def test_an_invalid_form_shows_an_error(
        self, directing: Client, over: Over, ana: User, bea: User, posted: dict[str, str]
    ) -> None:
        match = over(ana, bea)
        answer = directing.post(f"/match/{match.pk}/correct/", posted)
        assert answer.status_code == 302
        assert not ResultCorrection.objects.exists()

    def test_an_unknown_match_is_a_404(self, directing: Client) -> None:
        posted = {"winner": "black", "counts": "on", "reason": "so"}
        assert directing.post(reverse("match-correct", args=["nosuchid"]), posted).status_code == 404

    @pytest.mark.parametrize("role", [None, "member", "guest", "passer-by"])
    def test_nobody_else_may_correct_a_result(
        self, client: Client, over: Over, ana: User, bea: User, carlos: User, role: str | None
    ) -> None:
        match = over(ana, bea)
        if role == "member":
            Membership.objects.create(club=clubs.default_club_ensure(), user=carlos)
        if role == "guest":
            User.objects.filter(pk=carlos.pk).update(is_guest=True)
        if role != "passer-by":
            client.force_login(carlos, backend=accounts.BACKEND)
        answer = client.post(f"/match/{match.pk}/correct/", {"winner": "black", "reason": "so"})
        assert answer.status_code == 302
        assert Match.objects.get(pk=match.pk).winner == "white"


def test_the_page_of_a_finished_match_takes_few_queries(
    client: Client, person: Callable[..., User], over: Over
) -> None:
    ana, bea, carlos = (person(name) for name in ("ana", "bea", "carlos"))
    match = over(ana, bea)
    for viewer, most in ((None, 11), (carlos, 11), (ana, 13)):  # a player has tags, notes and a rematch to be offered
        if viewer is not None:
            client.force_login(viewer)
        client.get(f"/match/{match.pk}/")
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/match/{match.pk}/").status_code == 200
        assert len(queries) <= most, (viewer, [each["sql"][:300] for each in queries])


def test_a_membership_that_has_ended_corrects_nothing(person: Callable[..., User], over: Over) -> None:
    match, dora = over(person("ana"), person("bea")), person("dora")
    row = Membership.objects.create(club=clubs.default_club_ensure(), user=dora, role=Membership.Role.DIRECTOR)
    assert correctable(match, dora) == {"winner", "counts"}
    Membership.objects.filter(pk=row.pk).update(until=timezone.localdate() - timedelta(days=2))
    assert correctable(match, dora) == frozenset()
