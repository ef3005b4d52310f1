"""Who is away from his matches by correspondence; `services.vacations` writes it, the table only asks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from games.models import Vacation


def away_until(user_ids: Iterable[int | None], moment: datetime) -> datetime | None:
    """Until when at least one of these players is away; None when all of them are here."""
    away = Vacation.objects.filter(user__in=[pk for pk in user_ids if pk], starts_at__lte=moment, ends_at__gt=moment)
    return away.order_by("-ends_at").values_list("ends_at", flat=True).first()
