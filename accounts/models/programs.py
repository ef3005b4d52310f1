"""Access for other software: personal API tokens, and the OAuth tokens of apps that a user authorised."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone as clock

from accounts.models.users import User


class PersonalToken(models.Model):
    """An API token that a member created for their own software; only its digest is stored.

    `scopes` are those of `accounts.programs.scopes`, separated by blanks; `tail` holds the last four characters, by
    which the owner recognises it. It is invalid after `expires_at`.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="personal_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    tail = models.CharField(max_length=4)
    scopes = models.CharField(max_length=200)
    made_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user_id} …{self.tail}"

    @property
    def scope_set(self) -> frozenset[str]:
        return frozenset(self.scopes.split())

    @property
    def expired(self) -> bool:
        """Whether it has expired."""
        return self.expires_at is not None and self.expires_at <= clock.now()


class OAuthGrant(models.Model):
    """A user's authorisation of an app by OAuth 2; the tokens issued from it are revoked with it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="oauth_grants")
    client = models.ForeignKey("allauth_idp_oidc.Client", on_delete=models.CASCADE, related_name="oauth_grants")
    made_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.client_id}"


class UsedOAuthToken(models.Model):
    """The digest of an authorisation code or refresh token that was used: using it again revokes its grant.

    `grant` is empty while the token is being used for the first time.
    """

    grant = models.ForeignKey(OAuthGrant, on_delete=models.CASCADE, null=True, related_name="used_tokens")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=clock.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.grant_id}: {self.digest[:8]}"
