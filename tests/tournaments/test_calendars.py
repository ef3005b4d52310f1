"""Calendar feeds of tournaments, clubs and members."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.database import now
from tests.tournaments.desk_browser import messages
from tournaments import services
from tournaments.icalendar import CalendarEvent, calendar_text
from tournaments.models import CalendarFeed, Tournament
from tournaments.selectors.calendars import feed_path
from tournaments.services.calendar_feeds import calendar_feed_renew

Make = Callable[..., Tournament]
As = Callable[[User], Client]
MOMENT = datetime(2026, 11, 28, 18, 30, tzinfo=UTC)


def test_texts_are_escaped_and_long_lines_folded_between_characters() -> None:
    event = CalendarEvent("x@tablero", MOMENT, "Torneo; a, b\\c\r\nñ" + "ñ" * 40, MOMENT, cancelled=True)
    text = calendar_text("Peña", [event])
    assert text.splitlines()[:4] == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tablero//Tablero//EN",
        "X-WR-CALNAME:Peña",
    ]
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    unfolded = text.replace("\r\n ", "")
    assert "SUMMARY:Torneo\\; a\\, b\\\\c\\n" + "ñ" * 41 + "\r\n" in unfolded
    assert "DTSTART:20261128T183000Z\r\n" in text
    assert "STATUS:CANCELLED\r\n" in text


@pytest.mark.django_db
def test_a_tournament_and_its_club_have_a_calendar(tournament: Make, client: Client) -> None:
    starts = now().replace(microsecond=0) + timedelta(days=3)
    made = tournament(walk_ins=2, starts_at=starts)
    tournament(walk_ins=2)  # without a start
    line = f"DTSTART:{starts:%Y%m%dT%H%M%SZ}"
    for url in (
        reverse("tournament-calendar", args=[made.pk]),
        reverse("club-calendar", args=[made.club.slug]),
    ):
        answer = client.get(url)
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        text = answer.content.decode()
        assert (text.count("BEGIN:VEVENT"), line in text) == (1, True)
        assert f"URL:http://testserver/tournaments/{made.pk}/" in text
    assert client.get(reverse("tournament-calendar", args=["nothing"])).status_code == 404


@pytest.mark.django_db
def test_a_member_sees_their_tournaments_and_deadlines_at_a_secret_address(
    tournament: Make, client: Client, as_user: As, ana: User, bea: User
) -> None:
    made = tournament(starts_at=now() + timedelta(days=1), venue="board", round_hours=48)
    tournament(starts_at=now() + timedelta(days=2))  # which ana does not enter
    for user in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=user)
    services.tournament_start(tournament_id=made.pk, user=made.created_by)
    page = as_user(ana)
    assert page.get(reverse("my-calendar")).context["url"] == ""
    assert messages(page.post(reverse("my-calendar"))) == ["New calendar address created."]
    url = page.get(reverse("my-calendar")).context["url"]
    text = client.get(url).content.decode()
    assert text.count("BEGIN:VEVENT") == 2
    assert "SUMMARY:Deadline: match against bea" in text


@pytest.mark.django_db
def test_a_new_address_or_none_voids_the_old_one(client: Client, as_user: As, ana: User) -> None:
    first = feed_path(calendar_feed_renew(user=ana))
    second = feed_path(calendar_feed_renew(user=ana))
    assert (client.get(first).status_code, client.get(second).status_code) == (404, 200)
    assert client.get(second.replace(".ics", "0.ics")).status_code == 404
    as_user(ana).post(reverse("my-calendar"), {"action": "remove"})
    assert (client.get(second).status_code, CalendarFeed.objects.count()) == (404, 0)
