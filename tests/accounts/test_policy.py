"""Every URL of the site has a declared access policy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from accounts.users import services as users

# Third-party views by module, and what protects them.
THIRD_PARTY = {
    "allauth.account.views": "allauth: its own decorators",
    "allauth.mfa": "allauth: its own decorators",
    "django.contrib.admin": "admin: staff only",
    "django.contrib.auth.admin": "admin: staff only",
    "django.contrib.contenttypes.views": "admin: staff only",
    "django.views.generic.base": "redirects",
    "django.views.i18n": "public: the words of the scripts",
    "allauth.idp.oidc.views": "allauth: OAuth 2, by the client and its codes",
}
GETS = {
    "member": ["ladder-new", "ladder-terms", "tournament-new", "tournament-terms", "train"],
    "player": ["archive", "data", "history", "leave", "settings"],
    "public": [
        *("ladders", "lobby", "lobby-lists", "match-terms", "matches", "players"),
        *("position", "ratings", "ratings-script", "rules", "tournaments"),
        *("daily", "error-ladder", "position-edit"),
    ],
}
WRITES = [
    *("archive-ask", "data-ask", "guest-create", "match-create", "set_language", "set_theme"),
    *("daily-vote", "errors-show", "position-analyse"),
]
MATCH_WRITES = [
    *("match-arrive", "match-join", "match-cancel", "match-decline", "match-rematch"),
    *("match-correct", "match-mark"),
]
TOURNAMENT_WRITES = [
    *("tournament-enter", "tournament-leave", "tournament-here"),
    *("tournament-report", "tournament-confirm", "tournament-dispute"),
    *("desk-entrant-add", "desk-entrant", "desk-draw", "desk-start", "desk-cancel", "desk-round"),
    *("desk-result", "desk-alert", "desk-announce"),
]
LADDER_WRITES = [
    *("ladder-join", "ladder-leave", "ladder-away", "ladder-back", "ladder-challenge"),
    *("ladder-close", "ladder-open", "ladder-undo", "ladder-redo", "ladder-place", "ladder-season-close"),
]
CHALLENGE_WRITES = ["challenge-accept", "challenge-decline", "challenge-withdraw", "challenge-decide"]
OBJECT_WRITES = [*MATCH_WRITES, *TOURNAMENT_WRITES, *LADDER_WRITES]


def patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern, path)
        else:
            yield path, pattern


def policy_of(pattern: URLPattern) -> str | None:
    view = pattern.callback
    origin = getattr(view, "view_class", None) or getattr(view, "cls", None) or view
    inner = next(
        (protection for module, protection in THIRD_PARTY.items() if origin.__module__.startswith(module)), None
    )
    return getattr(view, "policy", None) or inner


def test_every_url_declares_its_policy() -> None:
    found = {path: policy_of(pattern) for path, pattern in patterns(get_resolver())}
    assert [path for path, policy in found.items() if policy is None] == []
    assert found["history/"] == "player"


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*GETS["player"], *GETS["member"]])
def test_an_anonymous_user_is_redirected_to_sign_in_and_back(client: Client, name: str) -> None:
    answer = client.get(reverse(name))
    assert answer.headers["Location"] == f"{reverse('account_login')}?next={reverse(name)}"


@pytest.mark.django_db
@pytest.mark.parametrize("name", GETS["public"])
def test_public_pages_open_for_everyone(client: Client, name: str) -> None:
    assert client.get(reverse(name)).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*WRITES, *OBJECT_WRITES, *CHALLENGE_WRITES])
def test_writing_views_refuse_get_and_forged_posts(ana: User, name: str) -> None:
    about = ["abcdefghjk", 1] if name in CHALLENGE_WRITES else ["abcdefghjk"]
    url = reverse(name, args=[] if name in WRITES else about)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=users.BACKEND)
    assert strict.get(url).status_code == 405
    assert strict.post(url).status_code == 403


@pytest.mark.django_db
def test_pages_carry_a_strict_content_security_policy(client: Client) -> None:
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    page = answer.content.decode()
    assert " style=" not in page
    assert "onclick" not in page
