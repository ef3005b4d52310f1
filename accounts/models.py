"""People, and the clubs they belong to."""

from __future__ import annotations

import secrets
from datetime import date
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _

from accounts.names import VALIDATORS, fold


class User(AbstractUser):
    """A player: a member of the club, a guest who plays before signing up, or a labelled bot.

    A guest is a real row, so that his games are his from the first roll; signing up turns the same row into a member.
    A bot is the house's, which plays at its `bot_level` (games.bots.strength), or a member's, who is its `owner` and
    brings its engine over the API (docs/bots.md).
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
    bot_level = models.PositiveSmallIntegerField(null=True, blank=True, unique=True)
    owner = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="bots")

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
            models.UniqueConstraint(Lower("email"), name="user_email_once", condition=~Q(email="")),
            models.CheckConstraint(
                condition=Q(is_bot=True) | Q(bot_level=None, owner=None), name="user_level_and_owner_of_bots"
            ),
            models.CheckConstraint(condition=Q(bot_level=None) | Q(owner=None), name="user_bot_of_house_or_member"),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def is_house_bot(self) -> bool:
        """Whether the site itself moves for this account."""
        return self.is_bot and self.owner_id is None

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keeps `name_key` beside the name: what makes names unique whatever their case, in every alphabet.

        Databases fold the case of ASCII only (SQLite, PostgreSQL in the C locale), so Python does it.
        """
        self.name_key = fold(self.username)
        fields = kwargs.get("update_fields")
        if fields is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key"}
        super().save(*args, **kwargs)


class BotToken(models.Model):
    """What a member's bot shows to act over the API: only its digest is kept, so nobody can read it later."""

    bot = models.OneToOneField(User, on_delete=models.CASCADE, related_name="token")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=clock.now)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.bot_id}"


class Club(models.Model):
    """A club: what its page says, who may join it, and what its events count for.

    A site has at least one, made with the database: the default club, to which every member of the site belongs.
    `timezone` is that of its nights; `rated` says whether its events count in the ratings, and `outside` whether what
    is played over the board does, too (ruling K5).
    """

    class Joining(models.TextChoices):
        OPEN = "open", _("Anybody may join")
        ASK = "ask", _("One asks, and an owner answers")
        INVITED = "invited", _("By invitation")

    class Makers(models.TextChoices):
        DIRECTORS = "directors", _("Directors")
        MEMBERS = "members", _("Any member")

    class Rated(models.TextChoices):
        ALL = "all", _("All of them")
        CHOOSE = "choose", _("As the director chooses")
        NONE = "none", _("None")

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(unique=True)
    is_default = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    about = models.TextField(_("about the club"), max_length=2000, blank=True, default="")
    place = models.CharField(_("place"), max_length=120, blank=True, default="")
    meets = models.CharField(_("when it meets"), max_length=120, blank=True, default="")
    website = models.URLField(_("web page"), blank=True, default="")
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    joining = models.CharField(_("how one joins"), max_length=8, choices=Joining.choices, default=Joining.ASK)
    makers = models.CharField(_("who opens events"), max_length=10, choices=Makers.choices, default=Makers.DIRECTORS)
    rated = models.CharField(_("rated events"), max_length=8, choices=Rated.choices, default=Rated.CHOOSE)
    outside = models.BooleanField(_("results over the board count for the ratings"), default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["is_default"], condition=Q(is_default=True), name="club_one_default")
        ]

    def __str__(self) -> str:
        return self.name

    def today(self) -> date:
        """The day that it is where the club meets."""
        return clock.now().astimezone(ZoneInfo(self.timezone)).date()


class Membership(models.Model):
    """A person's place in a club; `until` is his last day as a member, None while there is no end to it."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        DIRECTOR = "director", _("Director")
        MEMBER = "member", _("Member")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(auto_now_add=True)
    until = models.DateField(_("member until"), null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} · {self.club} · {self.role}"

    @property
    def expired(self) -> bool:
        """Whether his last day is over, where the club is."""
        return self.until is not None and self.until < self.club.today()


def new_token() -> str:
    """The secret of an invitation: 128 bits that stand in its link."""
    return secrets.token_urlsafe(16)


class Invitation(models.Model):
    """A link by which one joins a club, until a moment, as often as `most_uses` says (None: without limit)."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    made_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    most_uses = models.PositiveSmallIntegerField(null=True, blank=True)
    uses = models.PositiveSmallIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)
    email = models.EmailField(blank=True, default="")

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(most_uses=None) | Q(uses__lte=F("most_uses")), name="invitation_not_used_up_twice"
            )
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.uses}/{self.most_uses}"

    @property
    def spent(self) -> bool:
        """Whether it was used as often as it could be."""
        return self.most_uses is not None and self.uses >= self.most_uses

    @property
    def good(self) -> bool:
        """Whether somebody can still join by it."""
        return self.revoked_at is None and not self.spent and self.expires_at > clock.now()


class JoinRequest(models.Model):
    """Somebody asks to join a club; `accepted` is None until an owner has answered."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="requests")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="club_requests")
    text = models.CharField(max_length=200, blank=True, default="")
    asked_at = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)
    answered_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["asked_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "user"], condition=Q(accepted=None), name="join_request_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.club_id} {self.user_id} {self.accepted}"


class ClubEvent(models.Model):
    """What was done to a club and its people: who did it, to whom, and what changed. Append-only."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=16)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    about = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    data = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["club", "-at", "-id"], name="club_event_last")]

    def __str__(self) -> str:
        return f"{self.club_id} {self.kind}"
