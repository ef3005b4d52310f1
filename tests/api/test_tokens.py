"""API tokens: their scopes, expiry and revocation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.idp.oidc.models import Client as OAuthClient
from allauth.idp.oidc.models import Token as OAuthToken
from django.test import Client
from django.utils import timezone

from accounts.errors import Refused
from accounts.models import PersonalToken, User
from accounts.programs import credentials
from accounts.programs import services as programs
from accounts.programs.credentials import Credential
from accounts.users import services as users

pytestmark = pytest.mark.django_db
ME = "/api/v1/me/"


def with_token(text: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {text}", "Accept-Language": "en"})


def oauth_token(user: User, scopes: list[str]) -> str:
    client = OAuthClient.objects.create(id="board", name="Board", scopes="read\nplay")
    token = OAuthToken(client=client, user=user, type=OAuthToken.Type.ACCESS_TOKEN)
    token.expires_at = timezone.now() + timedelta(hours=1)
    token.set_value("an-access-token")
    token.set_scopes(scopes)
    token.save()
    return "an-access-token"


def test_a_token_names_its_user_and_scopes(ana: User) -> None:
    token, text = programs.token_create(user=ana, name="  my   board ", scopes=["play", "read"], days=7)
    assert text.startswith("tablero_pat_")
    assert (token.name, token.scopes, token.tail) == ("my board", "read play", text[-4:])
    assert with_token(text).get(ME).json() == {
        "name": "ana",
        "kind": "member",
        "scopes": ["read", "play"],
        "token": "personal",
    }


def test_the_text_of_a_token_is_not_stored(ana: User) -> None:
    token, text = programs.token_create(user=ana, name="board", scopes=["read"])
    columns = " ".join(str(value) for value in PersonalToken.objects.values_list().get(pk=token.pk))
    assert text not in columns
    assert text.removeprefix("tablero_pat_") not in columns


def test_a_request_with_a_token_costs_one_query(ana: User, django_assert_num_queries: Callable[..., object]) -> None:
    _token, text = programs.token_create(user=ana, name="board", scopes=["read"])
    client = with_token(text)
    assert client.get(ME).status_code == 200  # the first use in a minute is recorded
    with django_assert_num_queries(1):  # type: ignore[attr-defined]
        client.get(ME)
    assert PersonalToken.objects.get().used_at is not None


@pytest.mark.parametrize("text", ["tablero_pat_nothing", "tablero_nothing", "nothing", "x" * 5000, ""])
def test_an_invalid_token_is_refused(text: str) -> None:
    answer = with_token(text).get(ME)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_without_the_scope_is_refused_with_its_name(ana: User) -> None:
    _token, text = programs.token_create(user=ana, name="board", scopes=["play"])
    answer = with_token(text).get(ME)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope")
    assert 'scope="read"' in answer.headers["WWW-Authenticate"]


def test_a_token_expires(ana: User) -> None:
    token, text = programs.token_create(user=ana, name="board", scopes=["read"], days=1)
    PersonalToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert with_token(text).get(ME).status_code == 401


def test_a_closed_account_ends_its_tokens(ana: User) -> None:
    _token, text = programs.token_create(user=ana, name="board", scopes=["read"])
    access = oauth_token(ana, ["read"])
    assert with_token(access).get(ME).json()["token"] == "oauth"
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert [with_token(token).get(ME).status_code for token in (text, access)] == [401, 401]


def test_a_new_password_ends_tokens_but_not_those_of_bots(ana: User) -> None:
    _token, text = programs.token_create(user=ana, name="board", scopes=["read"])
    access = oauth_token(ana, ["read"])
    _bot, of_bot = programs.bot_create(owner=ana, name="ana-bot")
    client = Client()
    client.force_login(ana, backend=users.BACKEND)
    from allauth.account.signals import password_changed

    request = client.get("/").wsgi_request
    request.user = ana
    password_changed.send(sender=User, request=request, user=ana)
    assert [with_token(token).get(ME).status_code for token in (text, access, of_bot)] == [401, 401, 200]


def test_open_connections_learn_that_a_token_is_revoked(ana: User) -> None:
    token, text = programs.token_create(user=ana, name="board", scopes=["read"])
    bot, of_bot = programs.bot_create(owner=ana, name="ana-bot")
    access = oauth_token(ana, ["read"])
    grants = [credentials.credential_from_header(f"Bearer {token}") for token in (text, of_bot, access)]
    keys = [grant.key for grant in grants if isinstance(grant, Credential)]
    assert credentials.valid_credential_keys(keys) == set(keys)
    programs.token_revoke(user=ana, token_id=token.pk)
    assert credentials.valid_credential_keys(keys) == set(keys[1:])
    programs.bot_retire(bot=bot)
    assert credentials.valid_credential_keys(keys) == {keys[2]}
    programs.client_revoke(user=ana, client_id="board")
    assert credentials.valid_credential_keys(keys) == set()


def test_a_bot_token_plays_and_cannot_direct(ana: User) -> None:
    _bot, text = programs.bot_create(owner=ana, name="ana-bot")
    me = with_token(text).get(ME).json()
    assert (me["kind"], me["token"], me["scopes"]) == ("bot", "bot", ["read", "play", "talk", "hooks"])


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"name": " "}, "token_name"),
        ({"name": "x" * 61}, "token_name"),
        ({"scopes": []}, "token_scopes"),
        ({"scopes": ["read", "everything"]}, "token_scopes"),
        ({"days": 0}, "token_days"),
        ({"days": 366}, "token_days"),
    ],
)
def test_an_invalid_token_request_is_refused(ana: User, facts: dict[str, object], code: str) -> None:
    with pytest.raises(Refused) as refused:
        programs.token_create(user=ana, **{"name": "board", "scopes": ["read"], "days": 7, **facts})  # type: ignore[arg-type]
    assert refused.value.code == code
    assert not PersonalToken.objects.exists()


def test_the_number_of_tokens_is_limited(ana: User) -> None:
    for number in range(programs.MAX_TOKENS):
        programs.token_create(user=ana, name=f"board {number}", scopes=["read"])
    with pytest.raises(Refused, match="token_most"):
        programs.token_create(user=ana, name="one more", scopes=["read"])


def test_guests_and_bots_cannot_create_tokens(ana: User) -> None:
    bot, _text = programs.bot_create(owner=ana, name="ana-bot")
    for user in (users.guest_create(), bot):
        with pytest.raises(Refused, match="token_member"):
            programs.token_create(user=user, name="board", scopes=["read"])


def test_a_token_of_another_user_cannot_be_revoked(ana: User, bea: User) -> None:
    token, _text = programs.token_create(user=ana, name="board", scopes=["read"])
    _own, text = programs.token_create(user=bea, name="board", scopes=["settings"])
    answer = with_token(text).delete(f"{ME}tokens/{token.pk}/")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_token")
    assert PersonalToken.objects.filter(pk=token.pk).exists()


def test_an_app_lists_and_revokes_tokens_and_cannot_create_them(ana: User) -> None:
    token, text = programs.token_create(user=ana, name="board", scopes=["settings"])
    client = with_token(text)
    rows = client.get(f"{ME}tokens/").json()["results"]
    assert [(row["id"], row["name"], row["tail"]) for row in rows] == [(token.pk, "board", text[-4:])]
    assert client.post(f"{ME}tokens/", {"name": "more"}, content_type="application/json").status_code == 405
    assert client.delete(f"{ME}tokens/{token.pk}/").status_code == 204
    assert client.get(f"{ME}tokens/").status_code == 401
