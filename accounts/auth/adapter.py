"""The adapter of allauth: sign-up of guests, free usernames, sign-in by name or e-mail, confirmed addresses, mail."""

from __future__ import annotations

import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sites.shortcuts import get_current_site
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.auth import mail_queue
from accounts.auth.email_ownership import email_assign, owner_of_email
from accounts.closures.registry import closures_of
from accounts.closures.services import ban_expire
from accounts.models import User
from accounts.names.validation import fold, normalise
from accounts.users.name_availability import validate_not_confusable


def entered_attempts_key(entered: str) -> str:
    """The key under which wrong passwords for what was entered are counted."""
    return f"typed:{fold(entered)}"


def account_attempts_key(username: str) -> str:
    """The key under which wrong passwords for an account are counted, by whatever name or address."""
    return f"account:{fold(username)}"


class AccountAdapter(DefaultAccountAdapter):
    """Allauth with our rules; a guest who signs up keeps their row, and with it every game they played."""

    def new_user(self, request: HttpRequest) -> User:
        """The guest's own row, fetched again so that a failed sign-up leaves the guest of this request a guest."""
        if request.user.is_authenticated:
            guest = User.objects.filter(pk=request.user.pk, is_guest=True).first()
            if guest is not None:
                guest.is_guest = False
                return guest
        return User()

    def is_safe_url(self, url: str) -> bool:
        """Whether a redirect may lead there; a URL that cannot be parsed (`http://[::1`) is unsafe."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The stored form of a name that nobody has, whatever its case. Raises ValidationError."""
        name: str = super().clean_username(normalise(username), shallow=shallow)
        if not shallow and User.objects.filter(name_key=fold(name)).exists():
            raise self.validation_error("username_taken")
        if not shallow:
            validate_not_confusable(name)
        return name

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Authenticate by username, whatever its case, or by e-mail. One password is hashed in every case.

        Attempts are counted by what was entered, and together by account. Only what was entered is said to be blocked:
        a name and an address that are blocked together would tell whose the address is. So beyond the limit of the
        account every password is wrong.
        """
        entered = str(credentials.get("username") or credentials.get("email") or "")
        self._entered = fold(entered)
        owner = owner_of_email(entered) if "@" in entered else None
        stored = User.objects.filter(name_key=self._entered).values_list("username", flat=True).first()
        name = stored or (owner.username if owner is not None else entered)
        usage = ratelimit.consume(
            request, app="allauth.account", action="login_failed_account", key=account_attempts_key(name)
        )
        password = credentials.get("password") if usage is not None else secrets.token_urlsafe()
        user: AbstractBaseUser | None = super().authenticate(request, username=name, password=password)
        if user is not None and usage is not None:
            usage.rollback()
        return user

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        entered = getattr(self, "_entered", None) or fold(
            str(credentials.get("email") or credentials.get("username") or "")
        )
        return entered_attempts_key(entered)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address: accounts that only claimed it lose it."""
        with transaction.atomic():
            if email_address.can_set_verified():
                email_assign(address=email_address.email, to=email_address.user)
            confirmed: bool = super().confirm_email(request, email_address)
            if confirmed and email_address.primary:
                User.objects.filter(pk=email_address.user_id).update(email=email_address.email)
        return confirmed

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the link to confirm an address; the owner of a taken one is told instead that somebody entered it."""
        claim = emailconfirmation.email_address
        if claim.can_set_verified():
            super().send_confirmation_mail(request, emailconfirmation, signup)
        else:
            self.send_account_already_exists_mail(claim.email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the e-mail: no response waits for a mail server."""
        values = {"request": self.request, "email": email, "current_site": get_current_site(self.request), **context}
        message = self.render_mail(template_prefix, email, values)
        mail_queue.email_enqueue(address=email, subject=message.subject, body=str(message.body))

    def respond_user_inactive(self, request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
        """Tell whoever gave the right password of a closed account why it is closed, and until when.

        A ban that has expired ends here; then the user signs in again.
        """
        if isinstance(user, User):
            if ban_expire(user=user):
                messages.success(request, _("Your account is active again. Please sign in."))
                return redirect("account_login")
            return render(request, "account/closed.html", {"closures": closures_of(user)}, status=403)
        response: HttpResponse = super().respond_user_inactive(request, user)
        return response
