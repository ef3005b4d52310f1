"""The record of support: every act with its reason, bans, former usernames and merged accounts."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, NoReturn

from django.db import models
from django.db.models import F, Q
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _

from accounts.models.users import User


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Rows that are only inserted: updating or deleting them raises TypeError."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("the record of support acts is append-only")

    def delete(self) -> NoReturn:
        raise TypeError("the record of support acts is append-only")


class SupportAct(models.Model):
    """One act of the support, or one look at private data: who, whom, what, why, when. Append-only.

    `data` holds the details of the act: names before and after, until when, how much was moved. Never an address, a
    password or a link. The manager `rows` is for anonymizing deleted accounts alone.
    """

    class Kind(models.TextChoices):
        FIND = "find", _("searched for an e-mail address")
        VIEW = "look", _("viewed private data")
        BAN = "ban", _("closed the account")
        LIFT = "lift", _("reopened the account")
        RENAME = "rename", _("changed the username")
        MERGE = "merge", _("merged two accounts")
        LOG_OUT = "log_out", _("signed the person out everywhere")
        RESET = "reset", _("created a password reset link")
        SECOND = "second", _("turned off two-factor authentication")
        EXPORT = "export", _("requested an export of the person's data")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    about = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="support_acts")
    reason = models.TextField(max_length=500)
    data = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=clock.now)

    objects = AppendOnlyQuerySet.as_manager()
    rows = models.Manager()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        default_manager_name = "rows"
        indexes: ClassVar = [
            models.Index(fields=["-at", "-id"], name="support_act_last"),
            models.Index(fields=["about", "-at"], name="support_act_about"),
            models.Index(fields=["by", "-at"], name="support_act_by"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} {self.kind} {self.about_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert a new act. Raises TypeError for an existing one."""
        if not self._state.adding:
            raise TypeError("the record of support acts is append-only")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("the record of support acts is append-only")


class Ban(models.Model):
    """A suspension of an account by the support, permanent if `until` is None; the owner sees `reason` at sign-in.

    `ended_at` is when it was lifted, by the support or by time; an account has one current ban at most.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="bans")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.TextField(max_length=500)
    since = models.DateTimeField(default=clock.now)
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-since", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user"], condition=Q(ended_at=None), name="ban_one_at_a_time"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["until"], name="ban_until", condition=Q(ended_at=None, until__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.until or 'for good'}"

    def holds(self, moment: datetime) -> bool:
        """Whether the ban still closes the account at `moment`."""
        return self.ended_at is None and (self.until is None or moment < self.until)


class FormerName(models.Model):
    """A former username: nobody else can take it while the account exists. `key` is the folded name."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=24)
    key = models.CharField(max_length=72, db_index=True)
    until = models.DateTimeField(default=clock.now)

    class Meta:
        ordering: ClassVar = ["-until", "-pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "key"], name="former_name_once")]

    def __str__(self) -> str:
        return self.name


class MergedAccount(models.Model):
    """An account merged into another of the same person: `source` is closed, `target` has all its data."""

    source = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="merged_account")
    target = models.ForeignKey(User, on_delete=models.CASCADE, related_name="absorbed_accounts")
    at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(source=F("target")), name="merged_two_accounts")]

    def __str__(self) -> str:
        return f"{self.source_id} -> {self.target_id}"
