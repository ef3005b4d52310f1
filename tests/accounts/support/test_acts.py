"""What the support does: who may, to whom, and that every act is written down with its reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils import timezone as clock

from accounts import bans, tasks, ties
from accounts.closing import Cause, closings
from accounts.errors import Refused
from accounts.models import Ban, BotToken, DataExport, FormerName, SupportAct, User
from accounts.services import bot_ensure, guest_create
from accounts.support import services
from accounts.support.acts import FITS, acts_for
from notices.models import Notice
from talk.models import Sanction
from tests.accounts.support.conftest import WHY, client_of, looks_after

pytestmark = pytest.mark.django_db

Kind = SupportAct.Kind
MEMBER_ACTS = ["look", "ban", "rename", "merge", "log_out", "reset", "second", "export"]


def acts() -> list[tuple[str, str, str | None]]:
    return [(act.kind, act.by.username, act.about and act.about.username) for act in SupportAct.objects.order_by("pk")]


# Who may


def test_each_sort_of_account_can_be_treated_as_the_table_says(
    ana: User, bea: User, dora: User, carla: User, person: Callable[..., User]
) -> None:
    bot, house, guest = person("motor", is_bot=True, owner=ana), bot_ensure(4), guest_create()
    bans.ban_make(user=bea, by=dora, why=WHY, until=None)
    bea.refresh_from_db()
    gone = person("ida", is_active=False, left_at=clock.now())
    assert {about.username: acts_for(dora, about) for about in (ana, guest, bot, house, bea, gone, carla, dora)} == {
        "ana": MEMBER_ACTS,
        guest.username: ["look", "ban", "merge", "log_out", "export"],
        "motor": ["ban", "rename"],
        house.username: [],
        "bea": ["look", "lift", "rename"],
        "ida": [],
        "carla": [],
        "dora": [],
    }
    assert acts_for(carla, dora) == MEMBER_ACTS


@pytest.mark.parametrize("kind", sorted(FITS))
def test_only_staff_with_a_second_step_may_do_anything(
    ana: User, bea: User, person: Callable[..., User], kind: str
) -> None:
    resting = person("rita", is_staff=True)  # no second step yet
    for by in (bea, resting, guest_create()):
        assert kind not in acts_for(by, ana)
    looks_after(resting)
    assert (kind in acts_for(User.objects.get(pk=resting.pk), ana)) == (kind != Kind.LIFT)


@pytest.mark.parametrize("why", ["", "  ", "ab", "x" * 501, "a\0bcd"])
def test_nothing_is_done_without_a_reason(ana: User, dora: User, why: str) -> None:
    for act in (
        lambda: services.account_ban(by=dora, about=ana, span="day", why=why),
        lambda: services.person_rename(by=dora, about=ana, name="anabel", why=why),
        lambda: services.reset_link(by=dora, about=ana, why=why),
        lambda: services.private_look(by=dora, about=ana, what="mail", why=why),
        lambda: services.person_find(by=dora, mail="ana@example.org", why=why),
    ):
        with pytest.raises(Refused, match="support_why"):
            act()
    assert acts() == []
    assert User.objects.get(pk=ana.pk).username == "ana"


def test_staff_is_out_of_reach_of_staff_and_nobody_acts_on_himself(dora: User, carla: User) -> None:
    with pytest.raises(Refused, match="support_above"):
        services.account_ban(by=dora, about=carla, span="good", why=WHY)
    with pytest.raises(Refused, match="support_own"):
        services.account_ban(by=dora, about=dora, span="good", why=WHY)
    services.account_ban(by=carla, about=dora, span="day", why=WHY)
    assert acts() == [("ban", "carla", "dora")]


# The record


def test_an_act_that_is_written_stays_as_it_is(ana: User, dora: User) -> None:
    services.account_ban(by=dora, about=ana, span="day", why=WHY)
    act = SupportAct.objects.get()
    act.why = "another"
    for change in (
        act.save,
        act.delete,
        SupportAct.objects.all().delete,
        lambda: SupportAct.objects.update(why="another"),
    ):
        with pytest.raises(TypeError):
            change()
    assert SupportAct.objects.get().why == WHY


def test_what_is_refused_is_not_written(ana: User, dora: User) -> None:
    with pytest.raises(Refused, match="support_kind"):
        services.account_lift(by=dora, about=ana, why=WHY)
    with pytest.raises(Refused, match="support_no_step"):
        services.second_step_remove(by=dora, about=ana, why=WHY)
    assert acts() == []


# Bans


def test_a_banned_person_is_out_at_once_reads_why_and_comes_back_when_it_is_lifted(ana: User, dora: User) -> None:
    client = client_of(ana)
    assert client.get("/settings/").status_code == 200
    services.account_ban(by=dora, about=ana, span="week", why="insulted three rivals")
    assert client.get("/settings/").status_code == 302
    answer = client.post("/accounts/login/", {"login": "ana", "password": "correct horse battery"})
    assert answer.status_code == 403
    assert "insulted three rivals" in answer.content.decode()
    assert "dora" not in answer.content.decode()
    wrong = client.post("/accounts/login/", {"login": "ana", "password": "wrong horse"})
    assert "insulted" not in wrong.content.decode()
    services.account_lift(by=dora, about=ana, why="excused herself")
    assert client.post("/accounts/login/", {"login": "ana", "password": "correct horse battery"}).status_code == 302
    assert acts() == [("ban", "dora", "ana"), ("lift", "dora", "ana")]


def test_a_ban_ends_by_itself(ana: User, bea: User, dora: User) -> None:
    for user in (ana, bea):
        services.account_ban(by=dora, about=user, span="day", why=WHY)
    assert tasks.sweep_bans() == 0
    Ban.objects.update(until=clock.now() - timedelta(seconds=1))
    client = client_of(ana)
    answer = client.post("/accounts/login/", {"login": "ana", "password": "correct horse battery"}, follow=True)
    assert "Your account is open again" in answer.content.decode()
    assert tasks.sweep_bans() == 1
    assert User.objects.filter(is_active=True, pk__in=(ana.pk, bea.pk)).count() == 2


def test_what_moderators_closed_stays_closed_when_a_ban_ends(ana: User, dora: User) -> None:
    services.account_ban(by=dora, about=ana, span="day", why=WHY)
    Sanction.objects.create(user=ana, kind="closed", words="cheated", since=clock.now())
    services.account_lift(by=dora, about=ana, why=WHY)
    ana.refresh_from_db()
    assert not ana.is_active
    assert [(one.cause, one.words) for one in closings(ana)] == [(Cause.MODERATED, "cheated")]


def test_a_banned_bot_plays_no_more(ana: User, dora: User, person: Callable[..., User]) -> None:
    from accounts import bots

    bot, token = bots.bot_make(owner=ana, name="motor")
    services.account_ban(by=dora, about=bot, span="good", why=WHY)
    assert bots.bot_of(bots.digest_of(token)) is None
    services.account_lift(by=dora, about=bot, why=WHY)
    assert bots.bot_of(bots.digest_of(token)) == bot
    assert BotToken.objects.count() == 1


# Names


def test_a_new_name_is_told_and_the_old_one_stays_the_persons(
    ana: User, bea: User, dora: User, person: Callable[..., User]
) -> None:
    services.person_rename(by=dora, about=ana, name="Anabel", why="her own wish")
    assert User.objects.get(pk=ana.pk).username == "Anabel"
    assert FormerName.objects.get().name == "ana"
    assert SupportAct.objects.get().data == {"was": "ana", "now": "Anabel"}
    notice = Notice.objects.get(user=ana)
    assert (notice.kind, notice.url) == ("renamed", "/players/Anabel/")
    with pytest.raises(ValidationError) as taken:
        services.person_rename(by=dora, about=bea, name="ANA", why=WHY)
    assert taken.value.code == "name_taken"
    services.person_rename(by=dora, about=User.objects.get(pk=ana.pk), name="ana", why="back again")
    assert [one.name for one in FormerName.objects.all()] == ["Anabel"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("bea", "name_taken"),
        ("be а", "name_shape"),
        ("admin", "name_reserved"),
        ("adrnin", "name_reserved"),
        ("carIos", "name_alike"),
        ("guest-77", "name_reserved"),
    ],
)
def test_a_name_against_the_rules_is_refused(
    ana: User, bea: User, carlos: User, dora: User, name: str, code: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        services.person_rename(by=dora, about=ana, name=name, why=WHY)
    assert refused.value.code == code
    assert acts() == []


# Doors


def test_log_out_reset_link_and_second_step(ana: User, dora: User) -> None:
    client = client_of(ana)
    services.person_log_out(by=dora, about=ana, why=WHY)
    assert client.get("/settings/").status_code == 302
    link = services.reset_link(by=dora, about=ana, why=WHY)
    assert client.get(link).status_code in (200, 302)
    looks_after(ana)
    client = client_of(ana)
    services.second_step_remove(by=dora, about=ana, why=WHY)
    assert not Authenticator.objects.filter(user=ana).exists()
    assert client.get("/settings/").status_code == 302
    assert [kind for kind, _by, _about in acts()] == ["log_out", "reset", "second"]
    written = "".join(f"{act.why}{act.data}" for act in SupportAct.objects.all())
    assert link.rsplit("/", 2)[1] not in written


# Looking


def test_a_look_at_what_is_private_is_written_down(ana: User, bea: User, dora: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@example.org", first_name="Ana")
    ties.note_write(by=ana, about=bea, text="Drops early.")
    ana.refresh_from_db()
    seen = services.private_look(by=dora, about=ana, what="mail", why=WHY)
    assert (seen.addresses, seen.full_name) == (["ana@example.org"], "Ana")
    notes = services.private_look(by=dora, about=ana, what="notes", why=WHY)
    assert [note.text for note in notes.notes] == ["Drops early."]
    assert [act.data for act in SupportAct.objects.order_by("pk")] == [{"what": "mail"}, {"what": "notes"}]


def test_to_look_for_an_address_is_written_down_found_or_not_without_the_address(ana: User, dora: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="Ana@Example.org")
    assert services.person_find(by=dora, mail=" ana@example.ORG ", why=WHY) == ana
    assert services.person_find(by=dora, mail="ana@example.or", why=WHY) is None
    assert acts() == [("find", "dora", "ana"), ("find", "dora", None)]
    assert "example" not in str([act.data for act in SupportAct.objects.all()])


def test_a_person_reads_in_his_own_data_what_was_done_to_him_and_not_who_did_it(ana: User, dora: User) -> None:
    from accounts import data

    services.data_export(by=dora, about=ana, why="lost her telephone")
    assert DataExport.objects.get().user == ana
    table: Any = data.table_of("accounts.SupportAct")
    (row,) = table.export(ana)
    assert (row["kind"], row["why"], row["about"]) == ("export", "lost her telephone", "ana")
    assert "by" not in row
    assert list(table.export(dora)) == []


# Two accounts


def test_a_merge_is_written_for_both_and_told_at_the_log_in(ana: User, dora: User, person: Callable[..., User]) -> None:
    anita = person("anita")
    services.people_merge(by=dora, gone=anita, into=ana, why="forgot her first password")
    assert acts() == [("merge", "dora", "anita"), ("merge", "dora", "ana")]
    client = client_of(dora)
    client.logout()
    answer = client.post("/accounts/login/", {"login": "anita", "password": "correct horse battery"})
    assert answer.status_code == 403
    assert "log in as <bdi>ana</bdi>" in answer.content.decode()
    assert client.get("/players/anita/").headers["Location"] == "/players/ana/"
    assert acts_for(dora, User.objects.get(pk=anita.pk)) == ["look"]
