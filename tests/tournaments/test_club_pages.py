"""The pages of clubs: who may open them, what they show, and how many queries that takes."""

from __future__ import annotations

from datetime import date, time, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.clubs import services as clubs
from accounts.models import Club, Invitation, JoinRequest, Membership, User
from accounts.users import services as people
from games.models import Match
from tests.tournaments.conftest import terms
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.models import EventTemplate, Official, OutsideResult, RecurringEvent, Tournament
from tournaments.services import records, recurring, results_sync

pytestmark = pytest.mark.django_db

SHEET = b"date;player;rival;length;score\n2026-10-01;ana;=1+1;5;5-3\nx;ana;bea;5;5-3\n"
OPEN = ("club", "club-people", "club-records")
DIRECTORS = ("club-nights", "club-template-new", "club-import")
OWNERS = ("club-office", "club-settings")
WRITES = ("club-join", "club-ask", "club-leave", "club-invite", "club-revoke", "club-request", "club-member")


def browser(user: User | None, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language})
    if user is not None:
        client.force_login(user, backend=people.BACKEND)
    return client


@pytest.fixture
def club(ana: User, bea: User, dora: User) -> Club:
    """A club that dora owns and bea directs; ana is a member, carlos is not."""
    made = Club.objects.create(name="Peña", slug="pena", timezone="Europe/Madrid")
    for user, role in ((dora, "owner"), (bea, "director"), (ana, "member")):
        Membership.objects.create(club=made, user=user, role=role)
    return made


@pytest.fixture
def template(club: Club, dora: User) -> EventTemplate:
    return recurring.template_save(club=club, by=dora, name="Torneo semanal del club", terms=terms())


def repeat(template: EventTemplate, by: User) -> RecurringEvent:
    recurrence = {"kind": "weekly", "weekdays": [3], "first": "2026-01-01"}
    return recurring.recurring_event_create(
        template_id=template.pk,
        club=template.club,
        by=by,
        name="J {date}",
        recurrence=recurrence,
        hour=time(20),
        opens_days=6,
    )


# Who comes in


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("language", ["en", "es"])
def test_anybody_can_view_a_club(club: Club, name: str, language: str) -> None:
    assert browser(None, language).get(reverse(name, args=[club.slug])).status_code == 200
    assert browser(None).get(reverse(name, args=["nothing"])).status_code == 404


@pytest.mark.parametrize(
    ("names", "allowed"), [(DIRECTORS, {"bea", "dora"}), (OWNERS, {"dora"})], ids=["directors", "owners"]
)
def test_the_other_pages_are_for_directors_and_owners(
    club: Club, ana: User, bea: User, carlos: User, dora: User, names: tuple[str, ...], allowed: set[str]
) -> None:
    for user in (ana, bea, carlos, dora):
        for name in names:
            answer = browser(user).get(reverse(name, args=[club.slug]))
            assert answer.status_code == (200 if user.username in allowed else 403), (user.username, name)


@pytest.mark.parametrize("name", [*DIRECTORS, *OWNERS, *WRITES])
def test_anonymous_visitors_sign_in_and_guests_sign_up_first(club: Club, name: str) -> None:
    url = reverse(name, args=[club.slug])
    for user, page in ((None, "account_login"), (people.guest_create(), "account_signup")):
        client = browser(user)
        answer = client.post(url) if name in WRITES else client.get(url)
        assert answer.headers["Location"].startswith(reverse(page))


@pytest.mark.parametrize("name", WRITES)
def test_writes_refuse_get_and_posts_without_a_token(club: Club, dora: User, name: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(dora, backend=people.BACKEND)
    url = reverse(name, args=[club.slug])
    assert (strict.get(url).status_code, strict.post(url).status_code) == (405, 403)


@pytest.mark.parametrize("username", ["ana", "bea", "carlos"])
def test_only_an_owner_changes_members(club: Club, ana: User, dora: User, username: str) -> None:
    made = clubs.invitation_create(club=club, by=dora, days=7)
    asked = JoinRequest.objects.create(club=club, user=User.objects.create_user("eva"), asked_at=made.made_at)
    client = browser(User.objects.get_or_create(username=username, defaults={"name_key": username})[0])
    forms: dict[str, dict[str, Any]] = {
        "club-invite": {"days": "7", "uses": "1"},
        "club-revoke": {"invitation": made.pk},
        "club-request": {"request": asked.pk, "answer": "yes"},
        "club-member": {"user": dora.pk, "role": "member"},
        "club-settings": {"name": "Mine"},
    }
    for name, form in forms.items():
        client.post(reverse(name, args=[club.slug]), form)
    client.post(reverse("club-member", args=[club.slug]), {"user": dora.pk, "action": "remove"})
    made.refresh_from_db()
    club.refresh_from_db()
    assert (made.revoked_at, Invitation.objects.count(), club.name) == (None, 1, "Peña")
    assert Membership.objects.get(club=club, user=dora).role == "owner"
    assert JoinRequest.objects.get().accepted is None


@pytest.mark.parametrize("username", ["ana", "carlos"])
def test_only_a_director_changes_recurring_events_and_results(
    club: Club, ana: User, carlos: User, dora: User, template: EventTemplate, username: str
) -> None:
    event = repeat(template, dora)
    client = browser({"ana": ana, "carlos": carlos}[username])
    posts = {
        reverse("club-night", args=[club.slug, event.pk]): {"action": "stop"},
        reverse("club-template-remove", args=[club.slug, template.pk]): {},
        reverse("club-template", args=[club.slug, template.pk]): {"name": "Mine"},
        reverse("club-repeat", args=[club.slug, template.pk]): {"name": "Mine"},
        reverse("club-import", args=[club.slug]): {"action": "import", "text": SHEET.decode()},
        reverse("tournament-new"): {"club": club.pk, "name": "Mine", "format": "knockout", "lengths": "5"},
    }
    for url, form in posts.items():
        client.post(url, form)
    event.refresh_from_db()
    assert (event.status, EventTemplate.objects.get().name, RecurringEvent.objects.count()) == (
        "on",
        "Torneo semanal del club",
        1,
    )
    assert not OutsideResult.objects.exists()
    assert not Tournament.objects.filter(club=club).exists()


# The list and the front page


def test_a_site_with_one_club_redirects_to_it(ana: User) -> None:
    slug = clubs.default_club_ensure().slug
    assert browser(ana).get(reverse("clubs")).headers["Location"] == reverse("club", args=[slug])


def test_several_clubs_are_listed_with_the_viewers_own_first(club: Club, ana: User) -> None:
    page = browser(ana).get(reverse("clubs"))
    first = page.context["clubs"][0]
    assert (first.club.name, first.role, first.people) == ("Peña", "Member", 3)


def test_the_front_page_shows_what_the_club_plays_and_nothing_of_others(
    club: Club, dora: User, ana: User, bea: User
) -> None:
    services.tournament_create(creator=dora, club=club, name="Ours", terms=terms())
    services.tournament_create(creator=dora, name="Theirs", terms=terms())
    over = staged("knockout", 2, people=(ana, bea), played=1.0)
    Tournament.objects.filter(pk=over.pk).update(club=club, name="Last week", phase="over", ended_at=over.created_at)
    results_sync.tournament_sync_results(tournament_id=over.pk)
    page = browser(ana).get(reverse("club", args=[club.slug])).content.decode()
    assert "Ours" in page
    assert "Theirs" not in page
    assert "Last week" in page


def test_the_page_says_how_to_join(club: Club, carlos: User) -> None:
    url, words = reverse("club", args=[club.slug]), {"open": "Join club", "ask": "Ask to join"}
    for joining, text in {**words, "invited": "You can join this club by invitation only."}.items():
        Club.objects.filter(pk=club.pk).update(joining=joining)
        assert text in browser(carlos).get(url).content.decode()
    browser(carlos).post(reverse("club-ask", args=[club.slug]), {"text": "Hi"})
    assert not JoinRequest.objects.exists()  # by invitation only
    Club.objects.filter(pk=club.pk).update(joining="ask")
    browser(carlos).post(reverse("club-ask", args=[club.slug]), {"text": "Hi"})
    assert "Your request is pending." in browser(carlos).get(url).content.decode()


def test_an_invitation_lets_a_stranger_join(club: Club, carlos: User, dora: User) -> None:
    made = clubs.invitation_create(club=club, by=dora, days=7)
    url = reverse("club-invitation", args=[made.token])
    assert f"{reverse('account_signup')}?next={url}" in browser(None).get(url).content.decode()
    assert browser(None).post(url).status_code == 200
    assert browser(carlos).post(url).headers["Location"] == reverse("club", args=[club.slug])
    assert browser(carlos).get(url).status_code == 410
    assert browser(None).get(reverse("club-invitation", args=["nothing"])).status_code == 404


def test_an_owner_answers_invites_and_gives_roles_on_the_pages(club: Club, ana: User, carlos: User, dora: User) -> None:
    client, args = browser(dora), [club.slug]
    asked = clubs.join_request_create(club=club, user=carlos, text="Let me in")
    assert "Let me in" in client.get(reverse("club-office", args=args)).content.decode()
    client.post(reverse("club-request", args=args), {"request": asked.pk, "answer": "yes"})
    client.post(reverse("club-invite", args=args), {"days": "7", "uses": "0"})
    until = (date.today() + timedelta(days=30)).isoformat()
    client.post(reverse("club-member", args=args), {"user": carlos.pk, "role": "director", "until": until})
    row = Membership.objects.get(club=club, user=carlos)
    assert (row.role, row.until.isoformat() if row.until else None) == ("director", until)
    office = client.get(reverse("club-office", args=args)).content.decode()
    assert Invitation.objects.get().token in office
    assert "carlos: role changed from member to director." in office
    client.post(reverse("club-member", args=args), {"user": ana.pk, "action": "remove"})
    assert not Membership.objects.filter(club=club, user=ana).exists()


def test_an_expired_membership_is_shown_and_its_date_only_to_owners(club: Club, ana: User, dora: User) -> None:
    Membership.objects.filter(club=club, user=ana).update(until=date(2026, 1, 31))
    url = reverse("club-people", args=[club.slug])
    assert "membership expired" in browser(None).get(url).content.decode()
    assert "31 Jan 2026" not in browser(None).get(url).content.decode()
    assert "31 Jan 2026" in browser(dora).get(url).content.decode()


def test_the_roster_is_searched_by_name_and_role(club: Club, dora: User) -> None:
    url = reverse("club-people", args=[club.slug])
    usernames = [membership.user.username for membership in browser(None).get(url).context["rows"]]
    assert usernames == ["dora", "bea", "ana"]
    assert [membership.user.username for membership in browser(None).get(url, {"q": "AN"}).context["rows"]] == ["ana"]
    assert [
        membership.user.username for membership in browser(None).get(url, {"role": "director"}).context["rows"]
    ] == ["bea"]


# Recurring events


def test_a_template_is_made_and_used_on_the_pages(club: Club, bea: User) -> None:
    client = browser(bea)
    form = {
        "name": "Torneo semanal del club",
        "format": "swiss",
        "lengths": "5",
        "rounds": "4",
        "timezone": "Europe/Madrid",
    }
    assert client.post(reverse("club-template-new", args=[club.slug]), form).status_code == 302
    kept = EventTemplate.objects.get()
    page = client.get(reverse("tournament-new"), {"template": kept.pk})
    assert page.context["form"].initial["format"] == "swiss"
    assert page.context["club_form"].first == club
    assert client.get(reverse("club-template", args=[club.slug, kept.pk])).status_code == 200
    url = reverse("club-repeat", args=[club.slug, kept.pk])
    assert client.post(url, {"name": "J", "kind": "weekly", "hour": "20:00"}).status_code == 422
    days = {
        "kind": "weekly",
        "weekdays": ["3"],
        "every": "1",
        "hour": "20:00",
        "opens_days": "6",
        "first": "2026-01-01",
    }
    assert client.post(url, {"name": "J {date}", **days}).status_code == 302
    event = RecurringEvent.objects.get()
    shown = client.get(reverse("club-nights", args=[club.slug])).content.decode()
    assert "Thursday, every week, 20:00" in shown
    day = recurring.upcoming_dates(event, 1)[0][0].isoformat()
    client.post(reverse("club-night", args=[club.slug, event.pk]), {"action": "skip", "date": day})
    assert event.occurrences.get().reason == "skipped"


def test_a_tournament_is_created_for_the_chosen_club(club: Club, bea: User) -> None:
    form = {"name": "Ours", "format": "knockout", "lengths": "5", "timezone": "UTC", "club": str(club.pk)}
    assert browser(bea).post(reverse("tournament-new"), form).status_code == 302
    assert Tournament.objects.get().club == club


def test_an_owner_takes_over_from_the_page_of_the_tournament(club: Club, bea: User, dora: User, ana: User) -> None:
    made = services.tournament_create(creator=bea, club=club, name="Hers", terms=terms())
    url = reverse("tournament", args=[made.pk])
    assert "Become a director" not in browser(ana).get(url).content.decode()
    assert "Become a director" in browser(dora).get(url).content.decode()
    for user in (ana, dora):
        browser(user).post(reverse("tournament-take-over", args=[made.pk]))
    assert set(Official.objects.values_list("user", flat=True)) == {bea.pk, dora.pk}


def test_a_director_saves_a_tournament_as_a_template(club: Club, bea: User) -> None:
    made = services.tournament_create(creator=bea, club=club, name="Hers", terms=terms())
    browser(bea).post(reverse("desk-template", args=[made.pk]), {"name": "Every week"})
    assert EventTemplate.objects.get().name == "Every week"


# Results from a file


def test_a_file_is_previewed_and_then_imported(club: Club, bea: User) -> None:
    client, url = browser(bea), reverse("club-import", args=[club.slug])
    page = client.post(url, {"file": SimpleUploadedFile("r.csv", SHEET)})
    assert [(line.number, line.status) for line in page.context["lines"]] == [(2, "new"), (3, "error")]
    assert "&#x27;=1+1" in page.content.decode()
    assert not Match.objects.exists()
    client.post(url, {"action": "import", "text": page.context["text"]})
    match = Match.objects.get()
    shown = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "This match was played over the board: there are no moves to replay." in shown
    repeated = client.post(url, {"file": SimpleUploadedFile("r.csv", SHEET)})
    assert "This file has no new results." in repeated.content.decode()


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"", "empty"), (b"a;b\n1;2\n", "Missing: date, player"), (b"x" * 1_048_577, "too large")],
)
def test_an_unreadable_file_is_refused_with_a_reason(club: Club, bea: User, data: bytes, text: str) -> None:
    url = reverse("club-import", args=[club.slug])
    answer = browser(bea).post(url, {"file": SimpleUploadedFile("r.csv", data)})
    assert answer.status_code == 422
    assert text in answer.content.decode()


# Queries


@pytest.mark.parametrize("name", [*OPEN, *DIRECTORS, *OWNERS])
def test_pages_take_a_constant_number_of_queries(club: Club, template: EventTemplate, dora: User, name: str) -> None:
    def count() -> int:
        client = browser(dora)
        with CaptureQueriesContext(connection) as found:
            assert client.get(reverse(name, args=[club.slug])).status_code == 200
        return len(found)

    def more(n: int) -> None:
        user = User.objects.create_user(f"player{n}")
        Membership.objects.create(club=club, user=user)
        JoinRequest.objects.create(club=club, user=User.objects.create_user(f"asks{n}"), asked_at=template.made_at)
        clubs.invitation_create(club=club, by=dora, days=7)
        services.tournament_create(creator=dora, club=club, name=f"Open {n}", terms=terms())
        over = staged("knockout", 2, people=(user, dora), played=1.0)
        Tournament.objects.filter(pk=over.pk).update(club=club, phase="over", ended_at=over.created_at)
        results_sync.tournament_sync_results(tournament_id=over.pk)
        repeat(recurring.template_save(club=club, by=dora, name=f"T{n}", terms=terms()), dora)

    more(1)
    records.records_count(club_id=club.pk)
    baseline = count()
    more(2)
    more(3)
    assert count() <= baseline
