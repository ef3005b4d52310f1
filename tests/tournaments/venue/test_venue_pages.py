"""The pages of venue mode: taken out, brought to the venue's site, and brought back with a preview."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from tests.tournaments.conftest import fresh, ready
from tests.tournaments.venue.venue_site import played_at_venue, taken_out
from tournaments import services
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.looks]
Make = Callable[..., Tournament]


def upload(browser: Client, address: str, data: bytes) -> Any:
    return browser.post(address, {"file": SimpleUploadedFile("results.json", data)})


def texts(answer: Any) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_a_director_takes_a_tournament_out_and_brings_its_results_back(
    tournament: Make, desk: Client, dora: User, person: Callable[..., User]
) -> None:
    made = tournament(walk_ins=4, start=True, venue="board")
    address, results = reverse("desk-venue", args=[made.pk]), reverse("desk-venue-results", args=[made.pk])
    assert "Take it to the venue" in desk.get(address).content.decode()
    answer = desk.post(address, {"action": "take"})
    assert texts(answer) == ["The tournament is ready for the venue. Download its file now."]
    out = desk.get(reverse("desk-venue-file", args=[made.pk]))
    assert out.headers["Content-Disposition"] == 'attachment; filename="torneo-semanal-del-club-venue.json"'

    person("rosa")
    with played_at_venue(out.content, director=dora) as venue:
        here = desk.get(address).content.decode()
        assert "Download the results" in here
        services.entrant_substitute(tournament_id=made.pk, user=dora, number=4, name="Rosa")
        key = ready(venue.tournament)[0]
        winner = fresh(venue.tournament).by_key[key].entrants[0]
        services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=winner, points=(3, 1))
        assert desk.get(reverse("desk-venue-file", args=[made.pk])).status_code == 200

    preview = upload(desk, results, venue.results)
    html = preview.content.decode()
    assert "1-1: W1 won 3–1." in html
    assert "It's the member <bdi>rosa</bdi>" in html
    assert fresh(made).results == {}
    answer = desk.post(results, {"action": "bring", "text": preview.context["text"], "member": ["rosa"]})
    assert (answer.status_code, texts(answer)) == (302, ["1 result brought back."])
    assert fresh(made).by_key[key].winner == winner
    assert made.entrants.get(number=4).name == "rosa"
    again = upload(desk, results, venue.results)
    assert texts(again)[-1] == "Everything in this file is already here. Nothing was changed."


def test_conflicts_are_shown_with_who_and_what(tournament: Make, desk: Client, dora: User) -> None:
    made = tournament(walk_ins=2, start=True, venue="board")
    enter = {"tournament_id": made.pk, "user": dora, "key": "main-1-1"}
    with played_at_venue(taken_out(made, dora), director=dora) as venue:
        services.result_enter(**enter, winner=1, points=(3, 0))
    answer = desk.post(reverse("desk-venue", args=[made.pk]), {"action": "give-up"})
    assert texts(answer) == ["The copy was not given up. Tick the box to confirm."]
    desk.post(reverse("desk-venue", args=[made.pk]), {"action": "give-up", "sure": "1"})
    services.result_enter(**enter, winner=2, points=(2, 3))
    html = upload(desk, reverse("desk-venue-results", args=[made.pk]), venue.results).content.decode()
    assert "1-1: W2 won 3–2." in html
    assert "At the venue: 1-1: W1 won 3–0." in html
    assert "<bdi>dora</bdi>" in html


def test_while_a_tournament_is_away_its_pages_say_so_and_offer_nothing_else(
    tournament: Make, desk: Client, dora: User
) -> None:
    made = tournament(walk_ins=4, venue="board")
    taken_out(made, dora)
    page = desk.get(reverse("tournament", args=[made.pk])).content.decode()
    assert "Results appear here when they are back." in page
    assert reverse("tournament-enter", args=[made.pk]) not in page
    html = desk.get(reverse("tournament-desk", args=[made.pk])).content.decode()
    assert "Nothing can be changed here until its results are back." in html
    assert reverse("desk-start", args=[made.pk]) not in html
    assert reverse("desk-entrant-add", args=[made.pk]) not in html
    answer = desk.post(reverse("desk-start", args=[made.pk]))
    assert [text.partition(" since ")[0] for text in texts(answer)] == ["This tournament has been at its venue"]


def test_the_owner_of_the_site_brings_a_tournament_here(
    tournament: Make, desk: Client, dora: User, ana: User, as_user: Callable[[User], Client]
) -> None:
    made = tournament(walk_ins=4, venue="board")
    out, address = taken_out(made, dora), reverse("venue-bring-here")
    assert as_user(ana).get(address).status_code == 403
    Membership.objects.create(club=default_club_ensure(), user=dora, role="owner")
    assert address in desk.get(reverse("tournament-new")).content.decode()
    assert upload(desk, address, out).status_code == 422  # it is its own site
    Tournament.objects.all().delete()
    answer = upload(desk, address, out)
    assert answer.headers["Location"] == reverse("tournament-desk", args=[made.pk])
    assert texts(answer)[-1] == "Torneo semanal del club is here, and you direct it."
    assert "This is the venue's copy" in desk.get(answer.headers["Location"]).content.decode().replace("&#x27;", "'")
    for data, text in (
        (b"nothing", "This is not a file of a tournament"),
        (out, "This tournament is already here"),
        (b"x" * 1_000_001, "The file is too large"),
    ):
        refused = upload(desk, address, data)
        assert (refused.status_code, text in refused.content.decode()) == (422, True)


def test_no_file_and_a_wrong_file_are_told(tournament: Make, desk: Client, dora: User) -> None:
    made = tournament(walk_ins=4, venue="board")
    results = reverse("desk-venue-results", args=[made.pk])
    assert desk.get(reverse("desk-venue-file", args=[made.pk])).status_code == 404
    out = taken_out(made, dora)
    assert "Choose a file." in desk.post(results).content.decode()
    answer = upload(desk, results, out)
    assert answer.status_code == 422
    assert "This file takes a tournament to its venue." in answer.content.decode()


def test_the_preview_asks_the_database_as_often_for_three_results_as_for_one(
    tournament: Make, desk: Client, dora: User
) -> None:
    made = tournament(walk_ins=8, start=True, venue="board")
    out = taken_out(made, dora)
    files: list[bytes] = []
    for number in (1, 3):
        with played_at_venue(out, director=dora) as venue:
            for key in ready(venue.tournament)[:number]:
                a, _b = fresh(venue.tournament).by_key[key].entrants
                services.entrant_substitute(tournament_id=made.pk, user=dora, number=a, name=f"S{a}")
                services.result_enter(tournament_id=made.pk, user=dora, key=key, winner=a, points=(3, 0))
        files.append(venue.results)
    counts = []
    for data in files:
        with CaptureQueriesContext(connection) as queries:
            assert upload(desk, reverse("desk-venue-results", args=[made.pk]), data).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
