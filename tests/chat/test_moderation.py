"""Reports and cases: access, moderation actions, and the log of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.errors import Refused
from accounts.models import Club, Membership, User
from accounts.users import services as user_services
from chat import moderators, services
from chat.models import Case, CaseEvent, Message, Report, Sanction
from chat.selectors import cases
from games.models import Match
from games.signals import user_notified
from tests.games.clock_control import Time

pytestmark = pytest.mark.django_db


@pytest.fixture
def notified() -> Any:
    """The messages of moderation sent to users, as (user id, message)."""
    sent: list[tuple[int, dict[str, Any]]] = []

    def receive(sender: object, user_id: int, message: dict[str, Any], **more: Any) -> None:
        if message["t"] in ("case", "report_closed", "warned"):
            sent.append((user_id, message))

    user_notified.connect(receive)
    yield sent
    user_notified.disconnect(receive)


@pytest.fixture
def case(say: Callable[..., Message], carlos: User, bea: User, ana: User) -> Case:
    """bea was rude to ana, and ana reports it."""
    message = say(bea, "you are a fool")
    return services.report_make(by=ana, reason="rude", words="again", message_id=message.pk).case


def signed_in(client: Client, user: User) -> Client:
    client.force_login(user, backend=user_services.BACKEND)
    return client


# Reporting


def test_a_new_case_alerts_the_moderators_and_more_reports_join_it(
    notified: list[Any], say: Callable[..., Message], owner: User, ana: User, bea: User
) -> None:
    first_message, second_message = say(bea, "fool"), say(bea, "idiot")
    first = services.report_make(by=ana, reason="rude", message_id=first_message.pk)
    repeated = services.report_make(by=ana, reason="rude", message_id=first_message.pk)
    second = services.report_make(by=ana, reason="threat", message_id=second_message.pk)
    assert first == repeated
    assert first.case == second.case
    assert (first.case.about, first.case.match_id, first.message) == (bea, first_message.match_id, first_message)
    alert = {"t": "case", "id": first.case.pk, "url": f"/moderation/{first.case.pk}/"}
    assert [(names, {key: expected.get(key) for key in alert}) for names, expected in notified] == [(owner.pk, alert)]


def test_a_moderator_who_plays_in_the_match_or_is_reported_is_not_notified(
    notified: list[Any], say: Callable[..., Message], owner: User, match: Match, ana: User, carlos: User, person: Any
) -> None:
    club = Club.objects.get(is_default=True)
    Membership.objects.create(club=club, user=ana, role=Membership.Role.DIRECTOR)
    services.report_make(by=person("eva"), reason="advice", about=carlos, match_id=match.pk)
    assert [names for names, _ in notified] == [owner.pk]
    services.report_make(by=ana, reason="rude", about=owner)
    assert [names for names, _ in notified] == [owner.pk, ana.pk]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"reason": "boredom", "about": "bea"}, "report_reason"),
        ({"reason": "rude"}, "report_nothing"),
        ({"reason": "rude", "about": "ana"}, "report_self"),
        ({"reason": "rude", "about": "bea", "words": "a" * 1001}, "report_words"),
        ({"reason": "rude", "message_id": 999}, "no_message"),
    ],
)
def test_an_invalid_report_is_refused(ana: User, bea: User, fields: dict[str, Any], code: str) -> None:
    about = {"about": User.objects.get(username=fields.pop("about"))} if "about" in fields else {}
    with pytest.raises(Refused, match=code):
        services.report_make(by=ana, **about, **fields)


def test_a_player_cannot_report_a_message_they_cannot_read(
    say: Callable[..., Message], ana: User, carlos: User
) -> None:
    message = say(carlos, "secret")
    with pytest.raises(Refused, match="no_message"):
        services.report_make(by=ana, reason="advice", message_id=message.pk)


def test_a_user_may_send_twenty_reports_a_day(person: Callable[..., User], ana: User) -> None:
    for n in range(20):
        services.report_make(by=ana, reason="name", about=person(f"member{n}"))
    with pytest.raises(Refused, match="report_most"):
        services.report_make(by=ana, reason="name", about=person("one-more"))


# Who moderates


def test_staff_owners_and_directors_of_the_default_club_moderate(person: Callable[..., User]) -> None:
    club, other = Club.objects.get(is_default=True), Club.objects.create(name="Other", slug="other")
    found = {}
    for name, facts in {
        "staff": {"is_staff": True},
        "left": {"is_staff": True, "is_active": False},
        "guest-9": {"is_guest": True},
        "machine": {"is_bot": True},
        "member": {},
        "owner-of-another": {},
        "owner2": {},
        "director2": {},
        "plain": {},
    }.items():
        found[name] = person(name, **facts)
    for name, role, place in (
        ("owner2", "owner", club),
        ("director2", "director", club),
        ("plain", "member", club),
        ("owner-of-another", "owner", other),
    ):
        Membership.objects.create(club=place, user=found[name], role=role)
    names = {name for name, user in found.items() if moderators.is_moderator(user)}
    assert names == {"staff", "owner2", "director2"}
    assert {user.username for user in moderators.moderators()} == names
    assert not moderators.is_moderator(None)


def test_the_moderation_pages_do_not_exist_for_everyone_else(case: Case, client: Client, ana: User) -> None:
    paths = [reverse("moderation"), reverse("moderation-log"), reverse("case", args=[case.pk])]
    for path in paths:
        assert client.get(path).status_code == 302
    signed_in(client, ana)
    for path in paths:
        assert client.get(path).status_code == 404
    assert client.post(paths[2], {"act": "dismiss", "why": "x"}).status_code == 404
    with pytest.raises(Refused, match="moderator_only"):
        services.case_act(case_id=case.pk, by=ana, act="dismiss", why="x")


def test_moderators_do_not_see_cases_of_a_match_they_play(case: Case, owner: User, bea: User, ana: User) -> None:
    Membership.objects.create(club=Club.objects.get(is_default=True), user=ana, role=Membership.Role.OWNER)
    assert list(cases.queue(ana)) == []
    assert list(cases.queue(owner)) == [case]
    with pytest.raises(Refused, match="no_case"):
        services.case_act(case_id=case.pk, by=ana, act="dismiss", why="x")


def test_moderators_do_not_decide_their_own_case(
    case: Case, finish: Callable[[], None], bea: User, client: Client
) -> None:
    Membership.objects.create(club=Club.objects.get(is_default=True), user=bea, role=Membership.Role.OWNER)
    finish()
    with pytest.raises(Refused, match="case_own"):
        services.case_act(case_id=case.pk, by=bea, act="dismiss", why="x")
    assert b"another moderator" in signed_in(client, bea).get(reverse("case", args=[case.pk])).content


def test_a_director_does_not_close_the_account_of_staff(person: Callable[..., User], owner: User, ana: User) -> None:
    staff = person("eva", is_staff=True)
    case = services.report_make(by=ana, reason="rude", about=staff).case
    for act in ("silence", "close"):
        with pytest.raises(Refused, match="case_above"):
            services.case_act(case_id=case.pk, by=owner, act=act, why="x", span="day")
    assert services.case_act(case_id=case.pk, by=owner, act="warn", why="x").act == "warn"


# Acts


def test_a_dismissed_case_is_closed_and_its_reporter_is_notified(
    notified: list[Any], case: Case, owner: User, ana: User
) -> None:
    event = services.case_act(case_id=case.pk, by=owner, act="dismiss", why="a joke between friends")
    case.refresh_from_db()
    assert (case.outcome, event.by, event.why) == ("dismissed", owner, "a joke between friends")
    report = Report.objects.get()
    expected = {"t": "report_closed", "id": report.pk, "url": "/reports/", "outcome": "dismissed"}
    assert [message for names, message in notified if names == ana.pk and message["t"] == "report_closed"] == [expected]
    with pytest.raises(Refused, match="case_act"):
        services.case_act(case_id=case.pk, by=owner, act="dismiss", why="x")


def test_a_removed_message_is_hidden_from_everyone_but_moderators(
    case: Case, owner: User, ana: User, reads: Callable[..., list[str]], client: Client
) -> None:
    [message] = Message.objects.all()
    services.case_act(case_id=case.pk, by=owner, act="remove", why="an insult", message_id=message.pk)
    assert reads(ana) == [""]
    assert b"you are a fool" in signed_in(client, owner).get(reverse("case", args=[case.pk])).content
    with pytest.raises(Refused, match="no_message"):
        services.case_act(case_id=case.pk, by=owner, act="remove", why="x", message_id=message.pk)


def test_only_messages_of_the_reported_user_in_that_match_can_be_removed(
    case: Case, say: Callable[..., Message], owner: User, ana: User
) -> None:
    with pytest.raises(Refused, match="no_message"):
        services.case_act(case_id=case.pk, by=owner, act="remove", why="x", message_id=say(ana, "mine").pk)


def test_a_silence_lasts_for_the_chosen_time(
    time: Time, case: Case, owner: User, bea: User, ana: User, say: Callable[..., Message]
) -> None:
    services.case_act(case_id=case.pk, by=owner, act="silence", why="calm down", span="hour")
    with pytest.raises(Refused, match="talk_silenced"):
        say(bea, phrase="sorry")
    time(minutes=61)
    say(bea, phrase="sorry")
    services.case_act(case_id=case.pk, by=owner, act="silence", why="again", span="good")
    with pytest.raises(Refused, match="talk_silenced_for_good"):
        say(bea, "why")
    services.case_act(case_id=case.pk, by=owner, act="lift", why="he asked nicely")
    say(bea, "thanks")
    assert [event.act for event in CaseEvent.objects.all()] == ["silence", "silence", "lift"]


def test_a_warned_user_must_read_the_warning_before_writing_again(
    notified: list[Any], case: Case, owner: User, bea: User, say: Callable[..., Message], client: Client
) -> None:
    services.case_act(case_id=case.pk, by=owner, act="warn", why="no insults here")
    sanction = Sanction.objects.get()
    assert (bea.pk, {"t": "warned", "id": sanction.pk, "url": "/reports/about-me/"}) in notified
    with pytest.raises(Refused, match="talk_warned"):
        say(bea, "Hi")
    signed_in(client, bea)
    assert b"no insults here" in client.get(reverse("about-me")).content
    client.post(reverse("warning-read", args=[sanction.pk]))
    say(bea, "Hi")
    assert b"no insults here" not in client.get(reverse("about-me")).content


def test_a_user_cannot_mark_another_users_warning_as_read(case: Case, owner: User, ana: User) -> None:
    services.case_act(case_id=case.pk, by=owner, act="warn", why="no insults here")
    services.warning_read(user=ana, sanction_id=Sanction.objects.get().pk)
    assert Sanction.objects.get().read_at is None


def test_an_account_is_closed_and_reopened(case: Case, owner: User, bea: User) -> None:
    services.case_act(case_id=case.pk, by=owner, act="close", why="threats")
    bea.refresh_from_db()
    assert not bea.is_active
    services.case_act(case_id=case.pk, by=owner, act="reopen", why="a mistake")
    bea.refresh_from_db()
    assert bea.is_active
    with pytest.raises(Refused, match="case_act"):
        services.case_act(case_id=case.pk, by=owner, act="reopen", why="x")


def test_an_account_its_owner_deactivated_is_not_reopened(case: Case, owner: User, bea: User) -> None:
    bea.is_active = False
    bea.save()
    with pytest.raises(Refused, match="case_act"):
        services.case_act(case_id=case.pk, by=owner, act="reopen", why="x")


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"act": "banish", "why": "x"}, "case_act"),
        ({"act": "dismiss", "why": " "}, "case_why"),
        ({"act": "silence", "why": "x", "span": "year"}, "case_act"),
        ({"act": "lift", "why": "x"}, "case_act"),
    ],
)
def test_an_invalid_moderation_action_is_refused(case: Case, owner: User, fields: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused, match=code):
        services.case_act(case_id=case.pk, by=owner, **fields)
    assert not CaseEvent.objects.exists()


def test_a_case_about_a_match_has_no_user_to_sanction(match: Match, owner: User, carlos: User) -> None:
    case = services.report_make(by=carlos, reason="other", match_id=match.pk).case
    with pytest.raises(Refused, match="case_about_nobody"):
        services.case_act(case_id=case.pk, by=owner, act="warn", why="x")


# Pages


def test_a_case_shows_the_messages_around_it_and_earlier_cases(
    say: Callable[..., Message], time: Time, owner: User, ana: User, bea: User
) -> None:
    earlier = services.report_make(by=ana, reason="name", about=bea).case
    lines = []
    for n in range(30):
        lines.append(say(bea, f"line {n}"))
        time(seconds=5)
    case = services.report_make(by=ana, reason="rude", message_id=lines[15].pk).case
    page = cases.case_page(case_id=case.pk, user=owner)
    assert [line.message.text for line in page.lines] == [f"line {n}" for n in range(7, 24)]
    assert [line.message.text for line in page.lines if line.reported] == ["line 15"]
    assert page.lines[0].start
    assert page.earlier == [earlier]
    assert page.acts == ["dismiss", "remove", "warn", "silence", "close"]


def test_the_queue_lists_the_oldest_case_first_with_a_constant_number_of_queries(
    time: Time, owner: User, ana: User, person: Callable[..., User], client: Client
) -> None:
    signed_in(client, owner)
    first = services.report_make(by=ana, reason="name", about=person("eva1")).case
    client.get(reverse("moderation"))
    with CaptureQueriesContext(connection) as queries_for_one:
        client.get(reverse("moderation"))
    for n in (2, 3):
        time(hours=1)
        services.report_make(by=ana, reason="name", about=person(f"eva{n}"))
    with CaptureQueriesContext(connection) as three:
        page = client.get(reverse("moderation"))
    assert len(three) == len(queries_for_one)
    assert [case.about.username for case in page.context["page"]] == ["eva1", "eva2", "eva3"]
    services.case_act(case_id=first.pk, by=owner, act="dismiss", why="fine")
    assert "eva1" not in client.get(reverse("moderation")).content.decode()
    assert "eva1" in client.get(reverse("moderation") + "?show=closed").content.decode()
    assert "fine" in client.get(reverse("moderation-log")).content.decode()


def test_a_moderator_decides_with_the_form_of_the_case(case: Case, owner: User, client: Client) -> None:
    signed_in(client, owner)
    url, message = reverse("case", args=[case.pk]), Message.objects.get()
    page = client.get(url).content.decode()
    assert f'value="{message.pk}" form="act" checked' in page
    assert client.post(url, {"act": "remove", "why": ""}).status_code == 422
    answer = client.post(url, {"act": "remove", "why": "an insult", "message": message.pk}, follow=True)
    assert "Done. The decision is in the log." in answer.content.decode()
    message.refresh_from_db()
    assert message.removed_at is not None


def test_a_user_reports_with_the_form_and_sees_the_outcome(
    say: Callable[..., Message], ana: User, bea: User, owner: User, client: Client
) -> None:
    message = say(bea, "you are a fool")
    url = f"{reverse('report-new')}?message={message.pk}"
    signed_in(client, ana)
    assert "you are a fool" in client.get(url).content.decode()
    assert client.post(url, {}).status_code == 422
    answer = client.post(url, {"reason": "rude", "words": "not nice"}, follow=True)
    assert "Thank you." in answer.content.decode()
    assert "waiting" in answer.content.decode()
    services.case_act(case_id=Case.objects.get().pk, by=owner, act="warn", why="no insults")
    assert "action taken" in client.get(reverse("reports")).content.decode()
    assert client.get(f"{reverse('report-new')}?player=bea").status_code == 200
    assert client.get(f"{reverse('report-new')}?player=ana").status_code == 404
    assert client.get(reverse("report-new")).status_code == 404
