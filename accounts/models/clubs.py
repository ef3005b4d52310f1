"""Clubs, and who belongs to them."""

from __future__ import annotations

import secrets
from datetime import date
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _

from accounts.models.people import User


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
