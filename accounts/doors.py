"""The doors to an account tell nobody whether an address is known: the same words, the same status, the same time.

Names are public here: every player has a page. What is nobody's business is which e-mail belongs to whom, whether it
belongs to anybody, and how near a wrong password came. docs/security.md tells the whole of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.forms import ResetPasswordForm, SignupForm
from allauth.account.models import EmailAddress
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from accounts import letters
from accounts.holders import holder_of
from accounts.models import User


class ResetForm(ResetPasswordForm):
    """Nobody looks for the address while its asker waits: a worker does, and writes to whoever has it."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **more: Any) -> str:
        address: str = self.cleaned_data["email"].lower()
        letters.reset_ask(address=address, base=request.build_absolute_uri("/"))
        return address


class JoinForm(SignupForm):
    """Signs up with any address: the new member sees no difference when another account has it.

    Then it stays a claim until he shows that it is his: nobody logs in by it, and the site writes nothing to it but
    that it was typed here.
    """

    def save(self, request: HttpRequest) -> User:
        address = self.cleaned_data.get("email", "")
        if not address or holder_of(address) is None:
            user: User = super().save(request)
            return user
        self.cleaned_data["email"] = ""
        user = super().save(request)
        EmailAddress.objects.create(user=user, email=address.lower(), primary=True)
        self.cleaned_data["email"] = address
        return user


def evenly(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A form that is sent is answered no sooner than `settings.ANSWER_AFTER` seconds later; one that logs in, at once.

    What is different behind two answers (a row more, another letter) takes milliseconds: it ends before that moment.
    """

    @wraps(view)
    def even(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        began = time.monotonic()
        answer = view(request, *args, **kwargs)
        if request.method == "POST" and not getattr(request, "came_in", False):
            time.sleep(max(0.0, began + settings.ANSWER_AFTER - time.monotonic()))
        return answer

    return even
