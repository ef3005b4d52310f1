"""How allauth makes members of guests, and what it takes for a free name."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sites.shortcuts import get_current_site
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts import letters
from accounts.bans import ban_expire
from accounts.closing import closings
from accounts.holders import address_release, holder_of
from accounts.models import User
from accounts.names import fold, normalise
from accounts.naming import like_check


class AccountAdapter(DefaultAccountAdapter):
    """A guest who signs up keeps his row, and with it every game he played."""

    def new_user(self, request: HttpRequest) -> User:
        """The guest's own row, fetched anew so that a sign-up that fails leaves the guest of this request a guest."""
        if request.user.is_authenticated:
            guest = User.objects.filter(pk=request.user.pk, is_guest=True).first()
            if guest is not None:
                guest.is_guest = False
                return guest
        return User()

    def is_safe_url(self, url: str) -> bool:
        """Whether one may be led there; what cannot be read as an address (`http://[::1`) leads nowhere."""
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
            like_check(name)
        return name

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Who typed a name, whatever its case and alphabet, or an e-mail. One password is hashed, whoever it is.

        Tries are counted by what was typed: were they counted by account, two counts that run out together would tell
        whose an address is.
        """
        typed = str(credentials.get("username") or credentials.get("email") or "")
        self._typed = fold(typed)
        held = holder_of(typed) if "@" in typed else None
        stored = User.objects.filter(name_key=self._typed).values_list("username", flat=True).first()
        name = stored or (held.username if held is not None else typed)
        return super().authenticate(request, username=name, password=credentials.get("password"))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        typed = getattr(self, "_typed", None) or fold(
            str(credentials.get("email") or credentials.get("username") or "")
        )
        return f"typed:{typed}"

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """He has shown that the address is his: nobody else keeps it who only said so."""
        with transaction.atomic():
            if email_address.can_set_verified():
                address_release(address=email_address.email, to=email_address.user)
            done: bool = super().confirm_email(request, email_address)
            if done and email_address.primary:
                User.objects.filter(pk=email_address.user_id).update(email=email_address.email)
        return done

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """A link to confirm; to the holder of a taken address instead the word that somebody typed it."""
        claim = emailconfirmation.email_address
        if claim.can_set_verified():
            super().send_confirmation_mail(request, emailconfirmation, signup)
        else:
            self.send_account_already_exists_mail(claim.email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Written down for a worker to send: no answer waits for a mail server."""
        facts = {"request": self.request, "email": email, "current_site": get_current_site(self.request), **context}
        made = self.render_mail(template_prefix, email, facts)
        letters.letter_post(address=email, subject=made.subject, body=str(made.body))

    def respond_user_inactive(self, request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
        """Who gave the right password of a closed account reads why it is closed, and until when.

        A ban whose time is over ends here; then he logs in once more.
        """
        if isinstance(user, User):
            if ban_expire(user=user):
                messages.success(request, _("Your account is open again: log in."))
                return redirect("account_login")
            return render(request, "account/closed.html", {"closings": closings(user)}, status=403)
        response: HttpResponse = super().respond_user_inactive(request, user)
        return response
