"""What `ladders` keeps about a person, and how each of it goes: see accounts.privacy.registry."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.privacy import registry as data_registry
from accounts.privacy.anonymize import Anonymizer
from accounts.privacy.registry import SHARED, Table
from ladders import services
from ladders.models import Ladder, LadderEvent, LadderPlayer, LadderSeason

data_registry.register_tables(
    Table(
        "ladders.Ladder",
        {"created_by": SHARED},
        # The state names players by number.
        plain=("id", "name", "variant", "clock_preset", "options", "config", "season_name", "state"),
        withheld=("state",),
    ),
    Table("ladders.LadderEvent", {"by": SHARED}, plain=("type",), erased=("payload",)),
    Table("ladders.LadderPlayer", {"user": SHARED}),
    Table("ladders.LadderChallenge", {"challenger": SHARED, "defender": SHARED, "winner": SHARED}),
    Table("ladders.LadderSeason", {}, plain=("name",), erased=("table",)),
    Table("ladders.LadderPulse", {}),
)


@data_registry.on_delete
def leave_ladders(user: User) -> None:
    """Give up every place on a ladder, after what the user has just resigned has counted there."""
    services.ladders_leave(user=user)


# What is erased


@data_registry.eraser("ladders.LadderEvent.payload")
def forget_reasons_on_ladders(anonymizer: Anonymizer) -> None:
    anonymizer.anonymize_column(
        LadderEvent.objects.filter(ladder__in=_ladders(anonymizer)), "payload", keys=("reason",)
    )


@data_registry.eraser("ladders.LadderSeason.table")
def forget_tables_of_seasons(anonymizer: Anonymizer) -> None:
    anonymizer.anonymize_column(LadderSeason.objects.filter(ladder__in=_ladders(anonymizer)), "table", keys=("name",))


def _ladders(anonymizer: Anonymizer) -> QuerySet[Ladder]:
    """The ladders that the person was on or directed."""
    on = LadderPlayer.objects.filter(user=anonymizer.user).values("ladder")
    by = LadderEvent.objects.filter(by=anonymizer.user).values("ladder")
    return Ladder.objects.filter(Q(pk__in=on) | Q(pk__in=by))
