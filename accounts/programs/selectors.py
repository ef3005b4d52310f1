"""Read a member's API tokens, authorised apps and bots."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.idp.oidc.models import Token as OAuthToken
from django.db.models import QuerySet

from accounts.models import PersonalToken, User
from accounts.programs.scopes import SCOPES


def tokens_of(user: User) -> QuerySet[PersonalToken]:
    """The personal tokens of a member, the newest first, expired ones as well."""
    return PersonalToken.objects.filter(user=user)


@dataclass(frozen=True, slots=True)
class AuthorisedApp:
    """An app that a user authorised by OAuth, and its scopes."""

    id: str
    name: str
    scopes: tuple[str, ...]


def authorised_apps(user: User) -> list[AuthorisedApp]:
    """The apps that hold a valid token of the user, by name; one query."""
    valid = OAuthToken.objects.valid().filter(user=user, client__isnull=False).select_related("client")
    tokens = valid.filter(type__in=(OAuthToken.Type.ACCESS_TOKEN, OAuthToken.Type.REFRESH_TOKEN))
    scopes_by_client: dict[tuple[str, str], set[str]] = {}
    for token in tokens[:500]:
        if token.client is not None:
            scopes_by_client.setdefault((token.client.pk, token.client.name), set()).update(token.get_scopes())
    apps = [
        AuthorisedApp(pk, name, tuple(scope for scope in SCOPES if scope in scopes))
        for (pk, name), scopes in scopes_by_client.items()
    ]
    return sorted(apps, key=lambda app: app.name.casefold())


def bots_of(owner: User) -> QuerySet[User]:
    """The active bots of a member, by name."""
    return User.objects.filter(owner=owner, is_active=True).select_related("bot_token").order_by("name_key")
