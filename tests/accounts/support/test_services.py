"""Support actions: who may act on whom, and that every action is recorded with its reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils import timezone as clock

from accounts import tasks
from accounts.closures import services as closures
from accounts.closures.registry import Cause, closures_of
from accounts.errors import Refused
from accounts.models import Ban, BotToken, DataExport, FormerName, SupportAct, User
from accounts.programs import credentials, tokens
from accounts.programs import services as programs
from accounts.relationships import services as relationships
from accounts.support import services
from accounts.support.permissions import ALLOWED_TYPES, allowed_acts
from accounts.users.services import guest_create, house_bot_ensure
from chat.models import Sanction
from notifications.models import Notification
from tests.accounts.support.conftest import REASON, client_of, with_mfa

pytestmark = pytest.mark.django_db

Kind = SupportAct.Kind
MEMBER_ACTS = ["look", "ban", "rename", "merge", "log_out", "reset", "second", "export"]


def acts() -> list[tuple[str, str, str | None]]:
    return [(act.kind, act.by.username, act.about and act.about.username) for act in SupportAct.objects.order_by("pk")]


# Permissions


def test_each_kind_of_account_allows_the_actions_of_the_table(
    ana: User, bea: User, dora: User, carla: User, person: Callable[..., User]
) -> None:
    bot, house, guest = person("motor", is_bot=True, owner=ana), house_bot_ensure(4), guest_create()
    closures.ban_create(user=bea, by=dora, reason=REASON, until=None)
    bea.refresh_from_db()
    closed = person("ida", is_active=False, left_at=clock.now())
    assert {
        about.username: allowed_acts(dora, about) for about in (ana, guest, bot, house, bea, closed, carla, dora)
    } == {
        "ana": MEMBER_ACTS,
        guest.username: ["look", "ban", "merge", "log_out", "export"],
        "motor": ["ban", "rename"],
        house.username: [],
        "bea": ["look", "lift", "rename"],
        "ida": [],
        "carla": [],
        "dora": [],
    }
    assert allowed_acts(carla, dora) == MEMBER_ACTS


@pytest.mark.parametrize("kind", sorted(ALLOWED_TYPES))
def test_only_staff_with_mfa_may_act(ana: User, bea: User, person: Callable[..., User], kind: str) -> None:
    without_mfa = person("rita", is_staff=True)  # no MFA yet
    for by in (bea, without_mfa, guest_create()):
        assert kind not in allowed_acts(by, ana)
    with_mfa(without_mfa)
    assert (kind in allowed_acts(User.objects.get(pk=without_mfa.pk), ana)) == (kind != Kind.LIFT)


@pytest.mark.parametrize("reason", ["", "  ", "ab", "x" * 501, "a\0bcd"])
def test_every_action_needs_a_reason(ana: User, dora: User, reason: str) -> None:
    for act in (
        lambda: services.account_ban(by=dora, about=ana, span="day", reason=reason),
        lambda: services.user_rename(by=dora, about=ana, name="anabel", reason=reason),
        lambda: services.password_reset_link_create(by=dora, about=ana, reason=reason),
        lambda: services.private_data_reveal(by=dora, about=ana, kind="mail", reason=reason),
        lambda: services.user_find_by_email(by=dora, mail="ana@example.org", reason=reason),
    ):
        with pytest.raises(Refused, match="support_why"):
            act()
    assert acts() == []
    assert User.objects.get(pk=ana.pk).username == "ana"


def test_staff_cannot_act_on_staff_or_on_themselves(dora: User, carla: User) -> None:
    with pytest.raises(Refused, match="support_above"):
        services.account_ban(by=dora, about=carla, span="good", reason=REASON)
    with pytest.raises(Refused, match="support_own"):
        services.account_ban(by=dora, about=dora, span="good", reason=REASON)
    services.account_ban(by=carla, about=dora, span="day", reason=REASON)
    assert acts() == [("ban", "carla", "dora")]


# The record


def test_a_recorded_action_is_immutable(ana: User, dora: User) -> None:
    services.account_ban(by=dora, about=ana, span="day", reason=REASON)
    act = SupportAct.objects.get()
    act.reason = "another"
    for change in (
        act.save,
        act.delete,
        SupportAct.objects.all().delete,
        lambda: SupportAct.objects.update(reason="another"),
    ):
        with pytest.raises(TypeError):
            change()
    assert SupportAct.objects.get().reason == REASON


def test_a_refused_action_is_not_recorded(ana: User, dora: User) -> None:
    with pytest.raises(Refused, match="support_kind"):
        services.account_reopen(by=dora, about=ana, reason=REASON)
    with pytest.raises(Refused, match="support_no_step"):
        services.mfa_remove(by=dora, about=ana, reason=REASON)
    assert acts() == []


# Suspensions


def test_a_suspended_user_is_signed_out_reads_why_and_returns_when_it_is_lifted(ana: User, dora: User) -> None:
    client = client_of(ana)
    assert client.get("/settings/").status_code == 200
    services.account_ban(by=dora, about=ana, span="week", reason="insulted three rivals")
    assert client.get("/settings/").status_code == 302
    answer = client.post("/accounts/login/", {"login": "ana", "password": "correct horse battery"})
    assert answer.status_code == 403
    assert "insulted three rivals" in answer.content.decode()
    assert "dora" not in answer.content.decode()
    wrong = client.post("/accounts/login/", {"login": "ana", "password": "wrong horse"})
    assert "insulted" not in wrong.content.decode()
    services.account_reopen(by=dora, about=ana, reason="excused herself")
    assert client.post("/accounts/login/", {"login": "ana", "password": "correct horse battery"}).status_code == 302
    assert acts() == [("ban", "dora", "ana"), ("lift", "dora", "ana")]


def test_a_suspension_ends_automatically(ana: User, bea: User, dora: User) -> None:
    for user in (ana, bea):
        services.account_ban(by=dora, about=user, span="day", reason=REASON)
    assert tasks.sweep_bans() == 0
    Ban.objects.update(until=clock.now() - timedelta(seconds=1))
    client = client_of(ana)
    answer = client.post("/accounts/login/", {"login": "ana", "password": "correct horse battery"}, follow=True)
    assert "Your account is active again" in answer.content.decode()
    assert tasks.sweep_bans() == 1
    assert User.objects.filter(is_active=True, pk__in=(ana.pk, bea.pk)).count() == 2


def test_an_account_closed_by_moderators_stays_closed_when_a_suspension_ends(ana: User, dora: User) -> None:
    services.account_ban(by=dora, about=ana, span="day", reason=REASON)
    Sanction.objects.create(user=ana, kind="closed", words="cheated", since=clock.now())
    services.account_reopen(by=dora, about=ana, reason=REASON)
    ana.refresh_from_db()
    assert not ana.is_active
    assert [(closure.cause, closure.reason) for closure in closures_of(ana)] == [(Cause.MODERATED, "cheated")]


def test_a_suspended_bot_cannot_play(ana: User, dora: User, person: Callable[..., User]) -> None:

    bot, token = programs.bot_create(owner=ana, name="motor")
    services.account_ban(by=dora, about=bot, span="good", reason=REASON)
    assert credentials.bot_by_digest(tokens.token_digest(token)) is None
    services.account_reopen(by=dora, about=bot, reason=REASON)
    assert credentials.bot_by_digest(tokens.token_digest(token)) == bot
    assert BotToken.objects.count() == 1


# Names


def test_a_rename_notifies_the_user_and_keeps_the_former_name_reserved(
    ana: User, bea: User, dora: User, person: Callable[..., User]
) -> None:
    services.user_rename(by=dora, about=ana, name="Anabel", reason="her own wish")
    assert User.objects.get(pk=ana.pk).username == "Anabel"
    assert FormerName.objects.get().name == "ana"
    assert SupportAct.objects.get().data == {"was": "ana", "now": "Anabel"}
    notification = Notification.objects.get(user=ana)
    assert (notification.kind, notification.url) == ("renamed", "/players/Anabel/")
    with pytest.raises(ValidationError) as refused:
        services.user_rename(by=dora, about=bea, name="ANA", reason=REASON)
    assert refused.value.code == "name_taken"
    services.user_rename(by=dora, about=User.objects.get(pk=ana.pk), name="ana", reason="back again")
    assert [former_name.name for former_name in FormerName.objects.all()] == ["Anabel"]


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
def test_an_invalid_name_is_refused(ana: User, bea: User, carlos: User, dora: User, name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        services.user_rename(by=dora, about=ana, name=name, reason=REASON)
    assert refused.value.code == code
    assert acts() == []


# Credentials


def test_sign_out_reset_link_and_mfa_removal_are_recorded(ana: User, dora: User) -> None:
    client = client_of(ana)
    services.user_sign_out(by=dora, about=ana, reason=REASON)
    assert client.get("/settings/").status_code == 302
    link = services.password_reset_link_create(by=dora, about=ana, reason=REASON)
    assert client.get(link).status_code in (200, 302)
    with_mfa(ana)
    client = client_of(ana)
    services.mfa_remove(by=dora, about=ana, reason=REASON)
    assert not Authenticator.objects.filter(user=ana).exists()
    assert client.get("/settings/").status_code == 302
    assert [kind for kind, _by, _about in acts()] == ["log_out", "reset", "second"]
    written = "".join(f"{act.reason}{act.data}" for act in SupportAct.objects.all())
    assert link.rsplit("/", 2)[1] not in written


# Private data


def test_viewing_private_data_is_recorded(ana: User, bea: User, dora: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@example.org", first_name="Ana")
    relationships.note_save(by=ana, about=bea, text="Drops early.")
    ana.refresh_from_db()
    private_data = services.private_data_reveal(by=dora, about=ana, kind="mail", reason=REASON)
    assert (private_data.addresses, private_data.full_name) == (["ana@example.org"], "Ana")
    notes = services.private_data_reveal(by=dora, about=ana, kind="notes", reason=REASON)
    assert [note.text for note in notes.notes] == ["Drops early."]
    assert [act.data for act in SupportAct.objects.order_by("pk")] == [{"what": "mail"}, {"what": "notes"}]


def test_an_address_search_is_recorded_without_the_address(ana: User, dora: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="Ana@Example.org")
    assert services.user_find_by_email(by=dora, mail=" ana@example.ORG ", reason=REASON) == ana
    assert services.user_find_by_email(by=dora, mail="ana@example.or", reason=REASON) is None
    assert acts() == [("find", "dora", "ana"), ("find", "dora", None)]
    assert "example" not in str([act.data for act in SupportAct.objects.all()])


def test_a_data_export_lists_support_actions_but_not_the_staff_member(ana: User, dora: User) -> None:
    from accounts.privacy import registry as data_registry

    services.data_export_request(by=dora, about=ana, reason="lost her telephone")
    assert DataExport.objects.get().user == ana
    table: Any = data_registry.table_for("accounts.SupportAct")
    (row,) = table.export(ana)
    assert (row["kind"], row["reason"], row["about"]) == ("export", "lost her telephone", "ana")
    assert "by" not in row
    assert list(table.export(dora)) == []


# Merging


def test_a_merge_is_recorded_for_both_accounts_and_explained_at_sign_in(
    ana: User, dora: User, person: Callable[..., User]
) -> None:
    anita = person("anita")
    services.users_merge(by=dora, source=anita, target=ana, reason="forgot her first password")
    assert acts() == [("merge", "dora", "anita"), ("merge", "dora", "ana")]
    client = client_of(dora)
    client.logout()
    answer = client.post("/accounts/login/", {"login": "anita", "password": "correct horse battery"})
    assert answer.status_code == 403
    assert "Sign in as <bdi>ana</bdi>" in answer.content.decode()
    assert client.get("/players/anita/").headers["Location"] == "/players/ana/"
    assert allowed_acts(dora, User.objects.get(pk=anita.pk)) == ["look"]
