"""People, and the clubs they belong to."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.names import VALIDATORS, fold


class User(AbstractUser):
    """A player: a member of the club, a guest who plays before signing up, or a labelled bot.

    A guest is a real row, so that his games are his from the first roll; signing up turns the same row into a member.
    """

    class Direction(models.TextChoices):
        ANTICLOCKWISE = "ccw", _("Home on the right")
        CLOCKWISE = "cw", _("Home on the left")

    class Theme(models.TextChoices):
        AUTO = "auto", _("As on my device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    username = models.CharField(
        _("name"),
        max_length=24,
        unique=True,
        validators=VALIDATORS,
        help_text=_("2 to 24 letters, digits, dots, dashes or underscores."),
        error_messages={"unique": _("Somebody already plays under this name.")},
    )
    name_key = models.CharField(max_length=72, unique=True, editable=False)
    is_guest = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)

    language = models.CharField(_("language"), max_length=5, blank=True, default="")
    theme = models.CharField(_("colours"), max_length=5, choices=Theme.choices, default=Theme.AUTO)
    direction = models.CharField(
        _("board direction"), max_length=3, choices=Direction.choices, default=Direction.ANTICLOCKWISE
    )
    sound = models.BooleanField(_("sounds"), default=True)
    auto_roll = models.BooleanField(_("roll for me when there is no cube decision"), default=True)
    auto_forced = models.BooleanField(_("play forced moves for me"), default=False)
    confirm = models.BooleanField(_("ask me to confirm a play"), default=True)

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("email"), name="user_email_once", condition=~models.Q(email="")),
        ]

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keeps `name_key` beside the name: what makes names unique whatever their case, in every alphabet.

        Databases fold the case of ASCII only (SQLite, PostgreSQL in the C locale), so Python does it.
        """
        self.name_key = fold(self.username)
        fields = kwargs.get("update_fields")
        if fields is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)


class Club(models.Model):
    """A club. A site has at least one, made with the database."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(unique=True)
    is_default = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["is_default"], condition=models.Q(is_default=True), name="club_one_default")
        ]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's place in a club."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        DIRECTOR = "director", _("Director")
        MEMBER = "member", _("Member")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} · {self.club} · {self.role}"
