"""Clubs: members, invitations, join requests and the activity log."""

from __future__ import annotations

import secrets
from datetime import date
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _

from accounts.models.users import User


class Club(models.Model):
    """A club: its page, who may join, and which of its events are rated.

    A site has at least one, created with the database: the default club, to which every member of the site belongs.
    `timezone` is that of its recurring events; `rated` says whether its events count in the ratings, and `outside`
    whether results played over the board count as well (ruling K5).
    """

    class Joining(models.TextChoices):
        OPEN = "open", _("Anyone can join")
        ASK = "ask", _("On request: an owner approves each one")
        INVITED = "invited", _("By invitation only")

    class Makers(models.TextChoices):
        DIRECTORS = "directors", _("Directors")
        MEMBERS = "members", _("Any member")

    class Rated(models.TextChoices):
        ALL = "all", _("All events")
        CHOOSE = "choose", _("The director decides")
        NONE = "none", _("None")

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(unique=True)
    is_default = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    about = models.TextField(_("about the club"), max_length=2000, blank=True, default="")
    place = models.CharField(_("location"), max_length=120, blank=True, default="")
    meets = models.CharField(_("when it meets"), max_length=120, blank=True, default="")
    website = models.URLField(_("website"), blank=True, default="")
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    joining = models.CharField(_("how to join"), max_length=8, choices=Joining.choices, default=Joining.ASK)
    makers = models.CharField(
        _("who can create events"), max_length=10, choices=Makers.choices, default=Makers.DIRECTORS
    )
    rated = models.CharField(_("rated events"), max_length=8, choices=Rated.choices, default=Rated.CHOOSE)
    outside = models.BooleanField(_("over-the-board results count for ratings"), default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["is_default"], condition=Q(is_default=True), name="club_one_default")
        ]

    def __str__(self) -> str:
        return self.name

    def today(self) -> date:
        """The current date where the club meets."""
        return clock.now().astimezone(ZoneInfo(self.timezone)).date()


class Membership(models.Model):
    """A membership of a club; `until` is the last day of it, None for no end."""

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
        """Whether the last day is over in the time zone of the club."""
        return self.until is not None and self.until < self.club.today()


def new_invitation_token() -> str:
    """The secret in the link of an invitation: 128 bits."""
    return secrets.token_urlsafe(16)


class Invitation(models.Model):
    """A link to join a club, valid until `expires_at` for `most_uses` people (None: any number)."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=32, unique=True, default=new_invitation_token, editable=False)
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
    def used_up(self) -> bool:
        """Whether it has been used by as many people as it allows."""
        return self.most_uses is not None and self.uses >= self.most_uses

    @property
    def is_valid(self) -> bool:
        """Whether somebody can still join with it."""
        return self.revoked_at is None and not self.used_up and self.expires_at > clock.now()


class JoinRequest(models.Model):
    """A request to join a club; `accepted` is None until an owner has answered."""

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
    """An entry of a club's activity log: who did what to whom (`by`, `kind`, `about`), and changes. Append-only."""

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
