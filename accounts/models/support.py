"""What the support of the site did: every act with its reason, bans, former names, and accounts that became one."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, NoReturn

from django.db import models
from django.db.models import F, Q
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _

from accounts.models.people import User


class Appended(models.QuerySet[Any]):
    """Rows that are written once: nothing changes or deletes them."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("the record of the support is only added to")

    def delete(self) -> NoReturn:
        raise TypeError("the record of the support is only added to")


class SupportAct(models.Model):
    """One act of the support, or one look at what is private: who, whom, what, why, when. Append-only.

    `data` holds what belongs to the act: names before and after, until when, how much was moved. Never an address, a
    password or a link. `rows` is for what takes the names of those who left out of the texts (accounts.data) alone.
    """

    class Kind(models.TextChoices):
        FIND = "find", _("looked for an e-mail address")
        LOOK = "look", _("looked at private data")
        BAN = "ban", _("closed the account")
        LIFT = "lift", _("opened the account again")
        RENAME = "rename", _("changed the name")
        MERGE = "merge", _("made one account of two")
        LOG_OUT = "log_out", _("logged the person out everywhere")
        RESET = "reset", _("made a link for a new password")
        SECOND = "second", _("removed the second step of the log-in")
        EXPORT = "export", _("asked for the person's data")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    about = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="support_acts")
    why = models.TextField(max_length=500)
    data = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=clock.now)

    objects = Appended.as_manager()
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
        """Writes a new act. Raises TypeError for one that is written already."""
        if not self._state.adding:
            raise TypeError("the record of the support is only added to")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("the record of the support is only added to")


class Ban(models.Model):
    """An account that the support closed: `why` is what its owner reads at the log-in, `until` null is for good.

    `ended_at` is when it was lifted, by the support or by time; one at a time holds.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="bans")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    why = models.TextField(max_length=500)
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
        """Whether the account is still closed by it at `moment`."""
        return self.ended_at is None and (self.until is None or moment < self.until)


class FormerName(models.Model):
    """A name that somebody had before: nobody else can take it while he is here. `key` is the name folded."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=24)
    key = models.CharField(max_length=72, db_index=True)
    until = models.DateTimeField(default=clock.now)

    class Meta:
        ordering: ClassVar = ["-until", "-pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "key"], name="former_name_once")]

    def __str__(self) -> str:
        return self.name


class Merged(models.Model):
    """An account that became part of another of the same person: `gone` is closed, all of it is with `into`."""

    gone = models.OneToOneField(User, primary_key=True, on_delete=models.CASCADE, related_name="merged")
    into = models.ForeignKey(User, on_delete=models.CASCADE, related_name="merged_from")
    at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(gone=F("into")), name="merged_two_accounts")]

    def __str__(self) -> str:
        return f"{self.gone_id} -> {self.into_id}"
