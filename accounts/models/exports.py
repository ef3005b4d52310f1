"""Archives of everything that the site keeps about a person."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from accounts.models.users import User


class DataExport(models.Model):
    """Everything kept about a person as a zip file, written in the background: `done` of `total` files are in `body`.

    The row is the job (accounts.privacy.services). `touched_at` is the claim of the worker that writes.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        MAKING = "making"
        READY = "ready"
        FAILED = "failed"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="data_exports")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    touched_at = models.DateTimeField()
    body = models.BinaryField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-asked_at"], name="data_export_user")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(status__in=["waiting", "making"]), name="data_export_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.status} {self.done}/{self.total}"
