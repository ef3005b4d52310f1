"""The pages of ratings: lists, downloads, what a match changed, and the form of a director."""

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

from accounts import services as accounts
from accounts.models import Membership, User
from games import ratings
from games.models import Match, RatedMatch, ResultCorrection, Seat
from games.selectors import ratings as read
from games.services import ratings as service

pytestmark = pytest.mark.django_db

Over = Callable[..., Match]
LOG = "/ratings/backgammon/live/log.jsonl"


@pytest.fixture
def over(monkeypatch: pytest.MonkeyPatch) -> Over:
    """A rated match that has just ended, without its play."""
    monkeypatch.setattr(service, "may_count", lambda match, seats: bool(match.winner))

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


def test_the_pools_lead_to_their_lists(client: Client, over: Over, ana: User, bea: User) -> None:
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


def test_numbers_are_those_of_the_reader(client: Client, over: Over, ana: User, bea: User) -> None:
    over(ana, bea)
    assert "1522,14" in text_of(client, "/ratings/backgammon/live/", headers={"accept-language": "es"})


def test_who_has_not_played_lately_is_under_everybody(client: Client, over: Over, ana: User, bea: User) -> None:
    over(ana, bea, ended_at=timezone.now() - timedelta(days=91))
    assert "1522.14" not in text_of(client, "/ratings/backgammon/live/")
    assert "1522.14" in text_of(client, "/ratings/backgammon/live/?all")


@pytest.mark.parametrize("path", ["tavli/live", "backgammon/never", "backgammon/live%20"])
def test_what_is_no_pool_is_a_404(client: Client, path: str) -> None:
    assert client.get(f"/ratings/{path}/").status_code == 404
    assert client.get(f"/ratings/{path}/log.jsonl").status_code == 404


@pytest.mark.parametrize("page", ["x", "0", "-1", "999999999999"])
def test_a_page_that_does_not_exist_shows_another(client: Client, page: str) -> None:
    assert client.get("/ratings/backgammon/live/", {"page": page}).status_code == 200


def test_pages_ask_as_many_questions_of_three_rows_as_of_one(
    client: Client, over: Over, person: Callable[..., User], ana: User, bea: User
) -> None:
    over(ana, bea)

    def asked() -> list[int]:
        counts = []
        for url in ("/ratings/", "/ratings/backgammon/live/", "/ratings/backgammon/live/?all"):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                assert client.get(url).status_code == 200
            counts.append(len(queries))
        return counts

    before = asked()
    people = [person(f"more{i}") for i in range(4)]
    over(people[0], people[1])
    over(people[2], people[3], variant="nackgammon")
    assert asked() == before
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
    said = subprocess.run(
        [sys.executable, "-I", "-S", "ratings.py", "log.jsonl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    listed = [(row.user.username, round(row.rating, 4)) for row in read.table("backgammon", "live")]
    assert [(row.split()[3], float(row.split()[1])) for row in said.stdout.splitlines()] == listed
    system, lines = ratings.read(rows)
    assert {name: one.rating for name, one in ratings.fold(lines, system=system).items()} == {
        row.user.username: row.rating for row in read.table("backgammon", "live")
    }


def test_the_log_of_a_pool_without_matches_is_its_head(client: Client) -> None:
    assert streamed(client, "/ratings/damas/live/log.jsonl") == [
        '{"variant": "damas", "pace": "live", "system": "glicko2"}'
    ]


def test_a_finished_match_shows_what_it_changed_and_how(client: Client, over: Over, ana: User, bea: User) -> None:
    match = over(ana, bea)
    page = text_of(client, f"/match/{match.pk}/")
    assert "+22.14 = 4 × 4.95 × √5 × 0.500" in page
    assert "−22.14 = −4 × 4.95 × √5 × 0.500" in page
    spanish = text_of(client, f"/match/{match.pk}/", headers={"accept-language": "es"})
    assert "+22,14 = 4 × 4,95 × √5 × 0,500" in spanish


def test_a_match_of_damas_says_what_was_expected() -> None:
    formula = {"change": -40.25, "games": 3, "scored": 1.5, "expected": 1.75, "factor": 161.0}
    with override("en"):
        said = read.sentence(formula)
    assert said == "−40.25 = 161.0 × (1½ scored − 1.75 expected)"


def test_the_strips_say_with_which_ratings_they_sit(client: Client, over: Over, ana: User, bea: User) -> None:
    over(ana, bea)
    match = over(ana, bea)
    page = text_of(client, f"/match/{match.pk}/")
    assert page.count('class="player-rating"') == 2
    assert "1522</span>" in page


class TestTheForm:
    @pytest.fixture
    def directing(self, client: Client, dora: User) -> Client:
        Membership.objects.create(club=accounts.club_ensure_default(), user=dora, role=Membership.Role.DIRECTOR)
        client.force_login(dora, backend=accounts.BACKEND)
        return client

    def test_a_director_corrects_a_result_and_everybody_sees_it(
        self, directing: Client, over: Over, ana: User, bea: User
    ) -> None:
        match = over(ana, bea)
        assert "/correct/" in text_of(directing, f"/match/{match.pk}/")
        said = {"winner": "black", "counts": "on", "reason": "Both say <so>"}
        answer = directing.post(f"/match/{match.pk}/correct/", said, follow=True)
        page = answer.content.decode()
        assert "The result is corrected." in page
        assert "Corrected: <bdi>bea</bdi> won." in page
        stranger = text_of(Client(), f"/match/{match.pk}/")
        assert "Both say &lt;so&gt;" in stranger
        assert "/correct/" not in stranger
        assert Match.objects.get(pk=match.pk).winner == "black"

    def test_of_a_match_of_a_tournament_one_says_whether_it_counts_and_is_led_to_the_desk(
        self, directing: Client, over: Over, ana: User, bea: User
    ) -> None:
        match = over(ana, bea)
        part = {"arranged": True, "title": "Jueves", "from_url": "/tournaments/abc/"}
        Match.objects.filter(pk=match.pk).update(**part)
        page = text_of(directing, f"/match/{match.pk}/")
        assert '<input type="hidden" name="winner" value="white">' in page
        assert "corrected at the desk of the tournament" in page
        directing.post(f"/match/{match.pk}/correct/", {"winner": "white", "reason": "wrong terms"})
        assert "It no longer counts in the ratings." in text_of(directing, f"/match/{match.pk}/")

    def test_annulling_is_said_in_place_of_the_change(
        self, directing: Client, over: Over, ana: User, bea: User
    ) -> None:
        match = over(ana, bea)
        directing.post(f"/match/{match.pk}/correct/", {"winner": "white", "reason": "wrong terms"})
        page = text_of(directing, f"/match/{match.pk}/")
        assert "This match was annulled: it changes no rating." in page
        assert "It no longer counts in the ratings." in page

    @pytest.mark.parametrize("said", [{}, {"winner": "x", "reason": "y"}, {"winner": "black"}, {"reason": "\x00"}])
    def test_a_bad_form_is_a_message(
        self, directing: Client, over: Over, ana: User, bea: User, said: dict[str, str]
    ) -> None:
        match = over(ana, bea)
        answer = directing.post(f"/match/{match.pk}/correct/", said)
        assert answer.status_code == 302
        assert not ResultCorrection.objects.exists()

    def test_a_match_that_is_not_there_is_a_404(self, directing: Client) -> None:
        said = {"winner": "black", "counts": "on", "reason": "so"}
        assert directing.post(reverse("match-correct", args=["nosuchid"]), said).status_code == 404

    @pytest.mark.parametrize("role", [None, "member", "guest", "passer-by"])
    def test_nobody_else_may(
        self, client: Client, over: Over, ana: User, bea: User, carlos: User, role: str | None
    ) -> None:
        match = over(ana, bea)
        if role == "member":
            Membership.objects.create(club=accounts.club_ensure_default(), user=carlos)
        if role == "guest":
            User.objects.filter(pk=carlos.pk).update(is_guest=True)
        if role != "passer-by":
            client.force_login(carlos, backend=accounts.BACKEND)
        answer = client.post(f"/match/{match.pk}/correct/", {"winner": "black", "reason": "so"})
        assert answer.status_code == 302
        assert Match.objects.get(pk=match.pk).winner == "white"
