"""The pages of the support, walked by everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import bans
from accounts.models import ClubEvent, FormerName, SupportAct, User
from accounts.services import guest_create
from accounts.support import services
from accounts.support.views import KINDS
from tests.accounts.support.conftest import WHY, client_of
from tests.games.finished import keep, sample

pytestmark = pytest.mark.django_db


def pages(about: User) -> list[str]:
    acts = [reverse("support-act", args=[about.pk, kind]) for kind in KINDS]
    lists = [reverse(name) for name in ("support", "support-find", "support-record")]
    return [*lists, reverse("support-person", args=[about.pk]), reverse("support-merge", args=[about.pk]), *acts]


def test_only_staff_comes_in(ana: User, bea: User, dora: User, person: Callable[..., User]) -> None:
    resting = person("rita", is_staff=True)
    for page in pages(ana):
        assert Client().get(page).headers["Location"].startswith("/accounts/login/")
        assert client_of(bea).get(page).status_code == 403
        assert client_of(guest_create()).get(page).status_code == 403
        assert client_of(resting).get(page).status_code == 302  # to set a second step up
        assert client_of(bea).post(page, {"why": WHY}).status_code in (403, 405)
        assert client_of(dora).get(page).status_code == (403 if page.endswith("/lift/") else 200)


def test_somebody_is_found_by_name_former_name_and_number_and_never_by_an_address(
    ana: User, bea: User, dora: User, django_assert_max_num_queries: Any
) -> None:
    User.objects.filter(pk=bea.pk).update(email="bea@example.org")
    FormerName.objects.create(user=bea, name="Beatriz", key="beatriz")
    client = client_of(dora)

    def found(q: str) -> list[str]:
        with django_assert_max_num_queries(12):
            answer = client.get(reverse("support"), {"q": q})
        return [one.username for one in (answer.context["page"] or [])]

    assert found("AN") == ["ana"]
    assert found("beatriz") == ["bea"]
    assert found(f"#{ana.pk}") == ["ana"]
    assert found("bea@example.org") == []
    assert found("nobody\0") == []
    assert found("9" * 60) == []
    answer = client.post(reverse("support-find"), {"mail": "bea@example.org", "why": WHY})
    assert answer.headers["Location"] == reverse("support-person", args=[bea.pk])
    assert client.post(reverse("support-find"), {"mail": "no@example.org", "why": WHY}).status_code == 422
    assert SupportAct.objects.count() == 2


def test_the_card_tells_what_is_public_and_leads_to_the_replay(
    ana: User, bea: User, dora: User, django_assert_max_num_queries: Any
) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@example.org", last_name="Quiroga")
    match = keep(sample("m10.mat"), ana, bea)
    services.account_ban(by=dora, about=ana, span="week", why="shouted at bea")
    client = client_of(dora)
    with django_assert_max_num_queries(45):
        page = client.get(reverse("support-person", args=[ana.pk])).content.decode()
    for said in (f"/match/{match.pk}/", "shouted at bea", "closed by the support", "Open the account again"):
        assert said in page
    for hidden in ("ana@example.org", "Quiroga"):
        assert hidden not in page


def test_the_card_takes_as_many_queries_for_three_matches_as_for_one(
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


def test_each_act_is_done_from_its_page(ana: User, dora: User) -> None:
    client = client_of(dora)
    said: dict[str, dict[str, str]] = {
        "look": {"what": "mail"},
        "rename": {"name": "Anabel"},
        "log-out": {},
        "reset": {},
        "export": {},
        "ban": {"span": "day"},
        "lift": {},
    }
    for kind, more in said.items():
        url = reverse("support-act", args=[ana.pk, kind])
        assert client.post(url, more).status_code == 422, kind  # no reason
        answer = client.post(url, {**more, "why": WHY})
        assert answer.status_code == (200 if kind in ("look", "reset") else 302), kind
        assert ("/accounts/password/reset/key/" in answer.content.decode()) == (kind == "reset")
    kinds = [act.kind.replace("_", "-") for act in SupportAct.objects.order_by("pk")]
    assert kinds == list(said)
    assert client.post(reverse("support-act", args=[ana.pk, "second"]), {"why": WHY}).status_code == 422
    assert client.get(reverse("support-act", args=[ana.pk, "dance"])).status_code == 404
    assert client.get(reverse("support-act", args=[10**18, "ban"])).status_code == 404


@pytest.mark.parametrize("more", [{"span": "forever"}, {"span": ""}, {"span": "day\0"}, {"name": "x" * 99}])
def test_bad_input_is_told_and_changes_nothing(ana: User, dora: User, more: dict[str, str]) -> None:
    kind = "ban" if "span" in more else "rename"
    answer = client_of(dora).post(reverse("support-act", args=[ana.pk, kind]), {**more, "why": WHY})
    assert answer.status_code == 422
    assert not SupportAct.objects.exists()


def test_two_accounts_become_one_after_what_moves_was_read(
    ana: User, bea: User, dora: User, person: Callable[..., User]
) -> None:
    anita = person("anita")
    keep(sample("m10.mat"), anita, bea)
    client, url = client_of(dora), reverse("support-merge", args=[anita.pk])
    assert client.get(url, {"into": "nadie"}).status_code == 422
    page = client.get(url, {"into": "ANA"})
    assert [(one.name, one.number) for one in page.context["preview"].counts] == [("Matches", 1)]
    assert client.post(url, {"into": ana.pk, "why": WHY}).status_code == 422  # not sure
    assert client.post(url, {"into": "x", "why": WHY, "sure": "on"}).status_code == 422
    answer = client.post(url, {"into": ana.pk, "why": WHY, "sure": "on"})
    assert answer.headers["Location"] == reverse("support-person", args=[ana.pk])
    assert client.get(url, {"into": "ana"}).status_code == 403
    page = client.get(reverse("support-person", args=[ana.pk])).content.decode()
    assert "took in <bdi>anita</bdi>" in page


def test_the_record_is_chosen_by_act_person_and_day_and_pages_of_it_are_bounded(
    ana: User, bea: User, dora: User, carla: User
) -> None:
    services.account_ban(by=dora, about=ana, span="day", why="first")
    services.account_ban(by=carla, about=bea, span="day", why="second")
    for n in range(30):
        services.act_note(by=carla, kind="look", about=bea, why=f"look {n}")
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


def test_every_page_speaks_spanish(ana: User, dora: User) -> None:
    client = client_of(dora)
    client.cookies["django_language"] = "es"
    page = client.get(reverse("support-person", args=[ana.pk]))
    assert page.headers["Content-Language"] == "es"


# The admin


def test_the_admin_is_for_superusers_and_those_with_a_right_in_it(ana: User, dora: User, carla: User) -> None:
    index = reverse("admin:index")
    assert client_of(ana).get(index).status_code == 302
    assert client_of(dora).get(index).status_code == 302
    assert client_of(carla).get(index).status_code == 200


@pytest.mark.parametrize(
    "model",
    [
        *("accounts_supportact", "accounts_ban", "accounts_formername", "accounts_merged", "accounts_clubevent"),
        *("admin_logentry", "games_match", "games_action", "games_ratedmatch", "games_rating", "games_ratingevent"),
        "games_resultcorrection",
    ],
)
def test_what_services_write_is_only_read_in_the_admin(ana: User, bea: User, carla: User, model: str) -> None:
    services.account_ban(by=carla, about=ana, span="day", why=WHY)
    client = client_of(carla)
    assert client.get(reverse(f"admin:{model}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:{model}_add")).status_code == 403
    assert client.post(reverse(f"admin:{model}_add"), {}).status_code == 403


def test_the_record_cannot_be_changed_or_deleted_in_the_admin(ana: User, carla: User) -> None:
    services.account_ban(by=carla, about=ana, span="day", why=WHY)
    act, client = SupportAct.objects.get(), client_of(carla)
    assert client.get(reverse("admin:accounts_supportact_change", args=[act.pk])).status_code == 200
    for page in ("change", "delete"):
        answer = client.post(reverse(f"admin:accounts_supportact_{page}", args=[act.pk]), {"why": "x", "post": "yes"})
        assert answer.status_code == 403
    many = {"action": "delete_selected", "_selected_action": [str(act.pk)], "post": "yes"}
    client.post(reverse("admin:accounts_supportact_changelist"), many)
    assert SupportAct.objects.get().why == WHY


def test_the_admin_closes_renames_and_deletes_nobody_and_shows_no_address(ana: User, carla: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@example.org")
    client, url = client_of(carla), reverse("admin:accounts_user_change", args=[ana.pk])
    page = client.get(url).content.decode()
    assert "ana@example.org" not in page
    assert 'name="username"' not in page
    assert 'name="is_active"' not in page
    assert client.get(reverse("admin:accounts_user_delete", args=[ana.pk])).status_code == 403
    assert client.get(reverse("admin:auth_user_password_change", args=[ana.pk])).status_code == 403


def test_somebody_with_a_right_in_the_admin_gives_himself_no_more(
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
    assert bans.bans_sweep() == 0
