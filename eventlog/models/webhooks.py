"""Webhooks: addresses of members' programs, and what was sent to them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.web.encryption import site_cipher
from eventlog.models.events import Event


class Webhook(models.Model):
    """A webhook: a URL that receives what concerns its owner and the `subjects`; only of these `kinds`, or of all.

    Deliveries are signed with its `secret`, which is shown once and stored encrypted with the site's key.
    `failing_since` is null while the URL takes them; after `failures` in a row nothing is sent before `rests_until`.
    One that is not `active` was switched off: by its owner, or by the site after days of failures (`gave_up_at`).
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="hooks")
    url = models.CharField(max_length=2000)
    name = models.CharField(max_length=60, blank=True, default="")
    secret_locked = models.CharField(max_length=200)
    kinds = models.JSONField(default=list, blank=True)
    subjects = models.JSONField(default=list, blank=True)
    active = models.BooleanField(default=True)
    since = models.DateTimeField()
    made_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    rests_until = models.DateTimeField(null=True, blank=True)
    gave_up_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.user_id} {self.pk}"

    @property
    def secret(self) -> str:
        """The signing secret. Raises InvalidTag if no current or fallback key decrypts it."""
        return site_cipher("webhook").decrypt(self.secret_locked)


class Delivery(models.Model):
    """One event on its way to one address. `due_at` is when it is sent, or sent again; null when all is done.

    A worker that takes it moves that moment a little ahead, so that another one takes it if the first is lost. `status`
    is what the address answered last, 0 and `why` where nothing came.
    """

    hook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="deliveries")
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(default=0)
    why = models.CharField(max_length=40, blank=True, default="")
    taken = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name_plural = "deliveries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hook", "event"], name="delivery_once"),
            models.CheckConstraint(condition=Q(taken=False) | Q(due_at=None), name="delivery_taken_is_over"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="delivery_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["hook", "-id"], name="delivery_of_hook"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} to {self.hook_id}"
