"""The support pages, opened by every kind of user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.closures import services as closures
from accounts.models import ClubEvent, FormerName, SupportAct, User
from accounts.support import services
from accounts.support.views import KINDS
from accounts.users.services import guest_create
from tests.accounts.support.conftest import REASON, client_of
from tests.games.finished_matches import keep, sample

pytestmark = pytest.mark.django_db


def pages(about: User) -> list[str]:
    acts = [reverse("support-act", args=[about.pk, kind]) for kind in KINDS]
    lists = [reverse(name) for name in ("support", "support-find", "support-record")]
    return [*lists, reverse("support-person", args=[about.pk]), reverse("support-merge", args=[about.pk]), *acts]


def test_only_staff_can_open_the_pages(ana: User, bea: User, dora: User, person: Callable[..., User]) -> None:
    without_mfa = person("rita", is_staff=True)
    for page in pages(ana):
        assert Client().get(page).headers["Location"].startswith("/accounts/login/")
        assert client_of(bea).get(page).status_code == 403
        assert client_of(guest_create()).get(page).status_code == 403
        assert client_of(without_mfa).get(page).status_code == 302  # to set up MFA
        assert client_of(bea).post(page, {"reason": REASON}).status_code in (403, 405)
        assert client_of(dora).get(page).status_code == (403 if page.endswith("/lift/") else 200)


def test_a_user_is_found_by_name_former_name_and_id_but_not_by_address(
    ana: User, bea: User, dora: User, django_assert_max_num_queries: Any
) -> None:
    User.objects.filter(pk=bea.pk).update(email="bea@example.org")
    FormerName.objects.create(user=bea, name="Beatriz", key="beatriz")
    client = client_of(dora)

    def found(q: str) -> list[str]:
        with django_assert_max_num_queries(12):
            answer = client.get(reverse("support"), {"q": q})
        return [user.username for user in (answer.context["page"] or [])]

    assert found("AN") == ["ana"]
    assert found("beatriz") == ["bea"]
    assert found(f"#{ana.pk}") == ["ana"]
    assert found("bea@example.org") == []
    assert found("nobody\0") == []
    assert found("9" * 60) == []
    answer = client.post(reverse("support-find"), {"mail": "bea@example.org", "reason": REASON})
    assert answer.headers["Location"] == reverse("support-person", args=[bea.pk])
    assert client.post(reverse("support-find"), {"mail": "no@example.org", "reason": REASON}).status_code == 422
    assert SupportAct.objects.count() == 2


def test_the_account_page_shows_public_data_and_links_to_the_replay(
    ana: User, bea: User, dora: User, django_assert_max_num_queries: Any
) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@example.org", last_name="Quiroga")
    match = keep(sample("m10.mat"), ana, bea)
    services.account_ban(by=dora, about=ana, span="week", reason="shouted at bea")
    client = client_of(dora)
    with django_assert_max_num_queries(45):
        page = client.get(reverse("support-person", args=[ana.pk])).content.decode()
    for text in (f"/match/{match.pk}/", "shouted at bea", "closed by support", "Reopen account"):
        assert text in page
    for hidden in ("ana@example.org", "Quiroga"):
        assert hidden not in page


def test_the_account_page_takes_as_many_queries_for_three_matches_as_for_one(
    ana: User, bea: User, dora: User, django_assert_num_queries: Any
) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client = client_of(dora)
    counts = []
    for games in (1, 2):
        for _ in range(games):
            keep(sample("m10.mat"), ana, bea)
        client.get(reverse("support-person", args=[ana.pk]))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(reverse("support-person", args=[ana.pk]))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_each_action_has_its_page(ana: User, dora: User) -> None:
    client = client_of(dora)
    forms: dict[str, dict[str, str]] = {
        "look": {"kind": "mail"},
        "rename": {"name": "Anabel"},
        "log-out": {},
        "reset": {},
        "export": {},
        "ban": {"span": "day"},
        "lift": {},
    }
    for kind, more in forms.items():
        url = reverse("support-act", args=[ana.pk, kind])
        assert client.post(url, more).status_code == 422, kind  # no reason
        answer = client.post(url, {**more, "reason": REASON})
        assert answer.status_code == (200 if kind in ("look", "reset") else 302), kind
        assert ("/accounts/password/reset/key/" in answer.content.decode()) == (kind == "reset")
    kinds = [act.kind.replace("_", "-") for act in SupportAct.objects.order_by("pk")]
    assert kinds == list(forms)
    assert client.post(reverse("support-act", args=[ana.pk, "second"]), {"reason": REASON}).status_code == 422
    assert client.get(reverse("support-act", args=[ana.pk, "dance"])).status_code == 404
    assert client.get(reverse("support-act", args=[10**18, "ban"])).status_code == 404


@pytest.mark.parametrize("more", [{"span": "forever"}, {"span": ""}, {"span": "day\0"}, {"name": "x" * 99}])
def test_invalid_input_shows_an_error_and_changes_nothing(ana: User, dora: User, more: dict[str, str]) -> None:
    kind = "ban" if "span" in more else "rename"
    answer = client_of(dora).post(reverse("support-act", args=[ana.pk, kind]), {**more, "reason": REASON})
    assert answer.status_code == 422
    assert not SupportAct.objects.exists()


def test_two_accounts_are_merged_after_a_preview(ana: User, bea: User, dora: User, person: Callable[..., User]) -> None:
    anita = person("anita")
    keep(sample("m10.mat"), anita, bea)
    client, url = client_of(dora), reverse("support-merge", args=[anita.pk])
    assert client.get(url, {"into": "nadie"}).status_code == 422
    page = client.get(url, {"into": "ANA"})
    assert [(count.name, count.number) for count in page.context["preview"].counts] == [("Matches", 1)]
    assert client.post(url, {"into": ana.pk, "reason": REASON}).status_code == 422  # not confirmed
    assert client.post(url, {"into": "x", "reason": REASON, "sure": "on"}).status_code == 422
    answer = client.post(url, {"into": ana.pk, "reason": REASON, "sure": "on"})
    assert answer.headers["Location"] == reverse("support-person", args=[ana.pk])
    assert client.get(url, {"into": "ana"}).status_code == 403
    page = client.get(reverse("support-person", args=[ana.pk])).content.decode()
    assert "includes <bdi>anita</bdi>" in page


def test_the_record_is_filtered_by_action_user_and_date_and_paginated(
    ana: User, bea: User, dora: User, carla: User
) -> None:
    services.account_ban(by=dora, about=ana, span="day", reason="first")
    services.account_ban(by=carla, about=bea, span="day", reason="second")
    for n in range(30):
        services.act_record(by=carla, kind="look", about=bea, reason=f"look {n}")
    client = client_of(dora)

    def shown(**chosen: str) -> tuple[int, int]:
        answer = client.get(reverse("support-record"), chosen)
        page = answer.context["page"]
        return len(page.object_list), page.paginator.count

    assert shown() == (25, 32)
    assert shown(kind="ban") == (2, 2)
    assert shown(kind="ban", by="CARLA") == (1, 1)
    assert shown(about="ana") == (1, 1)
    assert shown(about="nobody") == (0, 0)
    assert shown(since="2199-01-01") == (0, 0)
    assert client.get(reverse("support-record"), {"since": "yesterday"}).status_code == 422


def test_every_page_is_translated_into_spanish(ana: User, dora: User) -> None:
    client = client_of(dora)
    client.cookies["django_language"] = "es"
    page = client.get(reverse("support-person", args=[ana.pk]))
    assert page.headers["Content-Language"] == "es"


# The admin


def test_the_admin_is_open_to_superusers_and_users_with_a_permission(ana: User, dora: User, carla: User) -> None:
    index = reverse("admin:index")
    assert client_of(ana).get(index).status_code == 302
    assert client_of(dora).get(index).status_code == 302
    assert client_of(carla).get(index).status_code == 200


@pytest.mark.parametrize(
    "model",
    [
        *("accounts_supportact", "accounts_ban", "accounts_formername", "accounts_mergedaccount", "accounts_clubevent"),
        *("admin_logentry", "games_match", "games_action", "games_ratedmatch", "games_rating", "games_ratingevent"),
        "games_resultcorrection",
    ],
)
def test_data_written_by_services_is_read_only_in_the_admin(ana: User, bea: User, carla: User, model: str) -> None:
    services.account_ban(by=carla, about=ana, span="day", reason=REASON)
    client = client_of(carla)
    assert client.get(reverse(f"admin:{model}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:{model}_add")).status_code == 403
    assert client.post(reverse(f"admin:{model}_add"), {}).status_code == 403


def test_the_record_cannot_be_changed_or_deleted_in_the_admin(ana: User, carla: User) -> None:
    services.account_ban(by=carla, about=ana, span="day", reason=REASON)
    act, client = SupportAct.objects.get(), client_of(carla)
    assert client.get(reverse("admin:accounts_supportact_change", args=[act.pk])).status_code == 200
    for page in ("change", "delete"):
        answer = client.post(
            reverse(f"admin:accounts_supportact_{page}", args=[act.pk]), {"reason": "x", "post": "yes"}
        )
        assert answer.status_code == 403
    selection = {"action": "delete_selected", "_selected_action": [str(act.pk)], "post": "yes"}
    client.post(reverse("admin:accounts_supportact_changelist"), selection)
    assert SupportAct.objects.get().reason == REASON


def test_the_admin_cannot_close_rename_or_delete_users_and_shows_no_address(ana: User, carla: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")
    client, url = client_of(carla), reverse("admin:accounts_user_change", args=[ana.pk])
    page = client.get(url).content.decode()
    assert "ana@example.org" not in page
    assert 'name="username"' not in page
    assert 'name="is_active"' not in page
    assert client.get(reverse("admin:accounts_user_delete", args=[ana.pk])).status_code == 403
    assert client.get(reverse("admin:auth_user_password_change", args=[ana.pk])).status_code == 403


def test_an_admin_user_cannot_grant_themselves_more_permissions(
    ana: User, dora: User, carla: User, person: Callable[..., User]
) -> None:
    from django.contrib.auth.models import Permission

    dora.user_permissions.add(*Permission.objects.filter(codename__in=["change_user", "view_user"]))
    client = client_of(dora)
    for about in (dora, carla):
        url = reverse("admin:accounts_user_change", args=[about.pk])
        assert client.post(url, {"is_superuser": "on"}).status_code == 403
    page = client.get(reverse("admin:accounts_user_change", args=[ana.pk])).content.decode()
    assert 'name="is_superuser"' not in page
    assert not ClubEvent.objects.exists()
    assert closures.bans_sweep() == 0
