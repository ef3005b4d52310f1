"""What came of one yes to a program (OAuth 2): it ends together, a year after the yes at the latest.

A code, and a token that renews, is good for once. Who shows one that was used has it from somebody else, or somebody
else has it from him: nobody can tell which, so all that came of that yes ends, and the person is asked again (RFC 6749
4.1.2, RFC 9700 4.14.2). allauth gives and checks them; here stands what was used, and what belongs together.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.idp.oidc.models import Token as OAuthToken
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone as clock

from accounts.bots import digest_of
from accounts.models import Admission, Spent
from accounts.signals import tokens_ended

LONGEST = timedelta(days=365)
"""How long a program renews its tokens before the person is asked again."""
GOES_ON = (OAuthToken.Type.ACCESS_TOKEN, OAuthToken.Type.REFRESH_TOKEN)
OF = "admission"
"""Where a token says in its data which admission it came of."""


def token_spend(*, shown: str) -> Spent | None:
    """Note that a code or a renewing token is shown, before it is looked at; the caller takes that back where it was
    no good. None for one that was used before: all that came of its yes has ended then.

    Of two who show what came of the same yes at once, the second waits here for the first: call it in a transaction.
    """
    digest, admission = digest_of(shown), renews(shown=shown)
    try:
        with transaction.atomic():
            return Spent.objects.create(digest=digest, admission=admission)
    except IntegrityError:
        spent = Spent.objects.select_related("admission").filter(digest=digest).first()
        if spent is not None and spent.admission is not None:
            admission_end(admission=spent.admission)
        return None


def token_given(*, spent: Spent, answer: dict[str, Any]) -> dict[str, Any]:
    """The answer to a program that was given tokens, which from now on belong to the yes that they came of."""
    digests = [digest_of(str(answer.get(name) or "")) for name in ("access_token", "refresh_token")]
    tokens = list(OAuthToken.objects.filter(type__in=GOES_ON, hash__in=digests).select_related("user", "client"))
    owned = next((one for one in tokens if one.user is not None and one.client is not None), None)
    if owned is None:
        return answer
    moment = clock.now()
    admission = spent.admission
    if admission is None:
        admission = Admission.objects.create(user=owned.user, client=owned.client, made_at=moment)
        Spent.objects.filter(pk=spent.pk).update(admission=admission)
    for token in tokens:
        token.data = {**(token.data or {}), OF: admission.pk}
        if token.type == OAuthToken.Type.REFRESH_TOKEN:
            token.expires_at = min(token.expires_at or admission.made_at + LONGEST, admission.made_at + LONGEST)
            answer = {**answer, "refresh_expires_in": max(0, int((token.expires_at - moment).total_seconds()))}
    OAuthToken.objects.bulk_update(tokens, ["data", "expires_at"])
    return answer


def renews(*, shown: str) -> Admission | None:
    """The yes that a renewing token came of, locked: call it in a transaction. None for any other text.

    Who gives such a token back gives back all that came of that yes (RFC 7009 2.1); one for an hour ends alone.
    """
    token = OAuthToken.objects.filter(type=OAuthToken.Type.REFRESH_TOKEN, hash=digest_of(shown)).first()
    return None if token is None else _of(token)


def admission_end(*, admission: Admission) -> None:
    """End all that came of one yes."""
    with transaction.atomic():
        if Admission.objects.select_for_update().filter(pk=admission.pk).first() is None:
            return  # whoever was first has ended it
        theirs = OAuthToken.objects.filter(user=admission.user_id, client=admission.client_id, type__in=GOES_ON)
        theirs.filter(data__admission=admission.pk).delete()
        Admission.objects.filter(pk=admission.pk).delete()
        tokens_ended.send(sender=OAuthToken, user_id=admission.user_id)


def admissions_sweep() -> int:
    """Forget what can open nothing any more: tokens whose time is over, what was used as long ago as the longest of
    them lasts, and the yeses that nothing is left of. How many rows went."""
    moment = clock.now()
    longest = timedelta(seconds=settings.IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN)
    gone = OAuthToken.objects.expired().delete()[0]
    gone += Spent.objects.filter(made_at__lt=moment - longest).delete()[0]
    return gone + Admission.objects.filter(made_at__lt=moment - longest, spent=None).delete()[0]


def _of(token: OAuthToken) -> Admission | None:
    """The admission of a token, locked; one that was given before admissions were kept has none."""
    known = (token.data or {}).get(OF)
    if known is None:
        return None
    return Admission.objects.select_for_update().filter(pk=known, user_id=token.user_id).first()
