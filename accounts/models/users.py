"""Users: members, guests and bots; and the tokens of bots."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _

from accounts.names.lookalikes import skeleton
from accounts.names.validation import VALIDATORS, fold

BOT_LEVEL_STEP = 10
"""The difference between the levels of two house bots of the same strength."""

APPEARANCE = ("board", "checkers", "dice", "animation", "volume", "haptics")
"""The preferences about how a match looks, sounds and feels; visitors have them in a cookie."""

LONGEST_FEDERATION_NUMBER = 20
FEDERATION_NUMBER = RegexValidator(
    r"^[0-9A-Za-z][0-9A-Za-z ./-]{0,19}\Z", _("Use up to 20 letters, digits, spaces, dots, dashes or slashes.")
)
"""What a member number of a federation looks like; no two federations agree on more."""


class User(AbstractUser):
    """A player: a member, a guest who plays before signing up, or a labelled bot.

    A guest is a real row, so that they keep their games from the first roll; signing up turns the same row into a
    member. A bot is either a house bot, which plays at its `strength` (games.bots.strength), or a member's: its `owner`
    connects an engine over the API (docs/bots.md). `bot_level` is unique: for the first bot of a strength it is the
    strength, the next ones have `BOT_LEVEL_STEP` more each (accounts.users.services.house_bots_at).
    A deleted account (`left_at`) is a row without a name, so that the matches of others keep their two sides
    (accounts.privacy.services).
    """

    class Direction(models.TextChoices):
        ANTICLOCKWISE = "ccw", _("Home on the right")
        CLOCKWISE = "cw", _("Home on the left")

    class Theme(models.TextChoices):
        AUTO = "auto", _("Same as my device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Board(models.TextChoices):
        WALNUT = "walnut", _("Walnut")
        LEATHER = "leather", _("Leather")
        OCEAN = "ocean", _("Ocean")
        SLATE = "slate", _("Slate")
        MAPLE = "maple", _("Maple")
        CONTRAST = "contrast", _("High contrast")

    class Checkers(models.TextChoices):
        IVORY = "ivory", _("Ivory and ebony")
        AMBER = "amber", _("Amber and navy")
        ROSE = "rose", _("Rose and burgundy")
        MINT = "mint", _("Mint and plum")
        CONTRAST = "contrast", _("White and black")

    class Dice(models.TextChoices):
        PLAYER = "player", _("Colour of the player")
        IVORY = "ivory", _("Ivory")
        RUBY = "ruby", _("Ruby")
        SAPPHIRE = "sapphire", _("Sapphire")

    class Animation(models.TextChoices):
        OFF = "off", _("Off")
        FAST = "fast", _("Fast")
        NORMAL = "normal", _("Normal")
        SLOW = "slow", _("Slow")

    username = models.CharField(
        _("name"),
        max_length=24,
        unique=True,
        validators=VALIDATORS,
        help_text=_("2 to 24 letters, digits, dots, dashes or underscores."),
        error_messages={"unique": _("That username is already taken.")},
    )
    name_key = models.CharField(max_length=72, unique=True, editable=False)
    name_skeleton = models.CharField(max_length=96, db_index=True, default="", editable=False)
    is_guest = models.BooleanField(default=False)
    is_bot = models.BooleanField(default=False)
    bot_level = models.PositiveSmallIntegerField(null=True, blank=True, unique=True)
    owner = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="bots")
    left_at = models.DateTimeField(null=True, blank=True, editable=False)

    language = models.CharField(_("language"), max_length=5, blank=True, default="")
    theme = models.CharField(_("theme"), max_length=5, choices=Theme.choices, default=Theme.AUTO)
    direction = models.CharField(
        _("board direction"), max_length=3, choices=Direction.choices, default=Direction.ANTICLOCKWISE
    )
    sound = models.BooleanField(_("sounds"), default=True)
    auto_roll = models.BooleanField(_("roll automatically when there is no cube decision"), default=True)
    auto_forced = models.BooleanField(_("play forced moves automatically"), default=True)
    board = models.CharField(_("board"), max_length=8, choices=Board.choices, default=Board.WALNUT)
    checkers = models.CharField(_("checkers"), max_length=8, choices=Checkers.choices, default=Checkers.IVORY)
    dice = models.CharField(_("dice and cube"), max_length=8, choices=Dice.choices, default=Dice.PLAYER)
    animation = models.CharField(
        _("animation speed"), max_length=6, choices=Animation.choices, default=Animation.NORMAL
    )
    volume = models.PositiveSmallIntegerField(
        _("sound volume"), default=60, validators=[MaxValueValidator(100)], help_text=_("0 to 100 percent")
    )
    haptics = models.BooleanField(_("vibrate on a phone"), default=True)
    confirm = models.BooleanField(_("ask me to confirm each play"), default=True)
    federation_number = models.CharField(
        _("federation member number"),
        max_length=LONGEST_FEDERATION_NUMBER,
        blank=True,
        default="",
        db_default="",
        validators=[FEDERATION_NUMBER],
        help_text=_("For example of the USBGF or UKBGF. Only the directors of your tournaments and clubs see it."),
    )

    has_mfa_cached: bool | None = None  # no column: set by accounts.web.staff on the row of a request

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("email"), name="user_email_once", condition=~Q(email="")),
            models.CheckConstraint(
                condition=Q(is_bot=True) | Q(bot_level=None, owner=None), name="user_level_and_owner_of_bots"
            ),
            models.CheckConstraint(condition=Q(bot_level=None) | Q(owner=None), name="user_bot_of_house_or_member"),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def strength(self) -> int | None:
        """How strong a house bot is, 1 to 5; None for everybody else."""
        return None if self.bot_level is None else self.bot_level % BOT_LEVEL_STEP

    @property
    def is_house_bot(self) -> bool:
        """Whether the site itself plays for this account."""
        return self.is_bot and self.owner_id is None

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the user with `name_key`, by which names are unique whatever their case, in every alphabet.

        Databases fold the case of ASCII only (SQLite, PostgreSQL in the C locale), so Python does it. By
        `name_skeleton` confusable names are found (accounts.users.name_availability).
        """
        self.name_key, self.name_skeleton = fold(self.username), skeleton(self.username)
        fields = kwargs.get("update_fields")
        if fields is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key", "name_skeleton"}
        super().save(*args, **kwargs)


class BotToken(models.Model):
    """The API token of a member's bot; only its digest is stored."""

    bot = models.OneToOneField(User, on_delete=models.CASCADE, related_name="bot_token")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=clock.now)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.bot_id}"
