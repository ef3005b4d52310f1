"""The grants of OAuth 2: all tokens of one authorisation are revoked together, a year after it at the latest.

An authorisation code or refresh token can be used once. Whoever uses one again got it from the app, or the app got it
from them: nobody can tell which, so the grant is revoked, and the user is asked again (RFC 6749 4.1.2, RFC 9700
4.14.2). allauth issues and checks tokens; this module records which were used, and which belong together.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.idp.oidc.models import Token as OAuthToken
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone as clock

from accounts.models import OAuthGrant, UsedOAuthToken
from accounts.programs.tokens import token_digest
from accounts.signals import tokens_revoked

MAX_AGE = timedelta(days=365)
"""How long an app can refresh its tokens before the user is asked again."""
TOKEN_TYPES = (OAuthToken.Type.ACCESS_TOKEN, OAuthToken.Type.REFRESH_TOKEN)
GRANT_KEY = "grant"
"""The key in the data of a token at which its grant is stored."""


def token_mark_used(*, token: str) -> UsedOAuthToken | None:
    """Mark a code or refresh token as used, before it is checked; the caller rolls back if it is invalid.

    None for one that was used before: its grant is revoked then. Of two requests with tokens of the same grant the
    second waits here for the first: call it in a transaction.
    """
    digest, grant = token_digest(token), grant_of_refresh_token(token=token)
    try:
        with transaction.atomic():
            return UsedOAuthToken.objects.create(digest=digest, grant=grant)
    except IntegrityError:
        used = UsedOAuthToken.objects.select_related("grant").filter(digest=digest).first()
        if used is not None and used.grant is not None:
            grant_revoke(grant=used.grant)
        return None


def grant_record_tokens(*, used: UsedOAuthToken, answer: dict[str, Any]) -> dict[str, Any]:
    """Assign newly issued tokens to the grant of the used one, or to a new grant; returns the answer to the app."""
    digests = [token_digest(str(answer.get(name) or "")) for name in ("access_token", "refresh_token")]
    tokens = list(OAuthToken.objects.filter(type__in=TOKEN_TYPES, hash__in=digests).select_related("user", "client"))
    owned = next((token for token in tokens if token.user is not None and token.client is not None), None)
    if owned is None:
        return answer
    moment = clock.now()
    grant = used.grant
    if grant is None:
        grant = OAuthGrant.objects.create(user=owned.user, client=owned.client, made_at=moment)
        UsedOAuthToken.objects.filter(pk=used.pk).update(grant=grant)
    for token in tokens:
        token.data = {**(token.data or {}), GRANT_KEY: grant.pk}
        if token.type == OAuthToken.Type.REFRESH_TOKEN:
            token.expires_at = min(token.expires_at or grant.made_at + MAX_AGE, grant.made_at + MAX_AGE)
            answer = {**answer, "refresh_expires_in": max(0, int((token.expires_at - moment).total_seconds()))}
    OAuthToken.objects.bulk_update(tokens, ["data", "expires_at"])
    return answer


def grant_of_refresh_token(*, token: str) -> OAuthGrant | None:
    """The grant of a refresh token, locked: call it in a transaction. None for any other text.

    Revoking a refresh token revokes its grant (RFC 7009 2.1); an access token is revoked alone.
    """
    row = OAuthToken.objects.filter(type=OAuthToken.Type.REFRESH_TOKEN, hash=token_digest(token)).first()
    return None if row is None else _grant_of(row)


def grant_revoke(*, grant: OAuthGrant) -> None:
    """Revoke a grant with all its tokens; again changes nothing."""
    with transaction.atomic():
        if OAuthGrant.objects.select_for_update().filter(pk=grant.pk).first() is None:
            return  # revoked by another request
        tokens = OAuthToken.objects.filter(user=grant.user_id, client=grant.client_id, type__in=TOKEN_TYPES)
        tokens.filter(data__grant=grant.pk).delete()
        OAuthGrant.objects.filter(pk=grant.pk).delete()
        tokens_revoked.send(sender=OAuthToken, user_id=grant.user_id)


def grants_sweep() -> int:
    """Delete expired tokens, used ones that would have expired, and grants without any. Returns how many rows."""
    moment = clock.now()
    longest = timedelta(seconds=settings.IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN)
    deleted = OAuthToken.objects.expired().delete()[0]
    deleted += UsedOAuthToken.objects.filter(made_at__lt=moment - longest).delete()[0]
    return deleted + OAuthGrant.objects.filter(made_at__lt=moment - longest, used_tokens=None).delete()[0]


def _grant_of(token: OAuthToken) -> OAuthGrant | None:
    """The grant of a token, locked; None for a token issued before grants were recorded."""
    grant_id = (token.data or {}).get(GRANT_KEY)
    if grant_id is None:
        return None
    return OAuthGrant.objects.select_for_update().filter(pk=grant_id, user_id=token.user_id).first()
