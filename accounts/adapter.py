"""How allauth makes members of guests, and what it takes for a free name."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from accounts.models import User
from accounts.names import fold, normalise


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

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The stored form of a name that nobody has, whatever its case. Raises ValidationError."""
        name: str = super().clean_username(normalise(username), shallow=shallow)
        if not shallow and User.objects.filter(name_key=fold(name)).exists():
            raise self.validation_error("username_taken")
        return name

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Names are matched whatever their case, in alphabets that the database cannot fold too."""
        name = credentials.get("username")
        if name:
            stored = User.objects.filter(name_key=fold(name)).values_list("username", flat=True).first()
            credentials["username"] = stored or name
        return super().authenticate(request, **credentials)
