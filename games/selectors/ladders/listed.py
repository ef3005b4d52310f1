"""The list of all ladders."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.db.models import Count, Prefetch, Q

from accounts.models import Club, User
from games import ladder_words, words
from games.models import Ladder, LadderPlayer

LEADERS = 3


@dataclass(frozen=True, slots=True)
class Listed:
    """A ladder as the list shows it to one viewer."""

    ladder: Ladder
    players: int
    leaders: list[User]
    mine: int | None

    @property
    def kind(self) -> str:
        return ladder_words.kind(self.ladder.kind)

    @property
    def terms(self) -> str:
        return terms(self.ladder)


@dataclass(frozen=True, slots=True)
class OfClub:
    """The ladders of a club."""

    club: Club
    open: list[Listed] = field(default_factory=list)
    closed: list[Listed] = field(default_factory=list)


def of_clubs(user: User | None) -> list[OfClub]:
    """All ladders by club, the open ones first, with the viewer's own place and who leads."""
    found = Ladder.objects.select_related("club").annotate(on=Count("players", filter=Q(players__rank__isnull=False)))
    rungs = LadderPlayer.objects.filter(rank__lte=LEADERS).select_related("user").order_by("rank")
    places = LadderPlayer.objects.filter(user=user, rank__isnull=False) if user else LadderPlayer.objects.none()
    mine = dict(places.values_list("ladder_id", "rank"))
    clubs: dict[int, OfClub] = {}
    for one in found.prefetch_related(Prefetch("players", rungs, "leading")).order_by("club__name", "name"):
        group = clubs.setdefault(one.club_id, OfClub(one.club))
        listed = Listed(one, one.on, [place.user for place in one.leading], mine.get(one.pk))
        (group.open if one.status == Ladder.Status.OPEN else group.closed).append(listed)
    return list(clubs.values())


def terms(ladder: Ladder) -> str:
    """What is played: `Backgammon · match to 5 points · Club · rated`."""
    said = [words.variant(ladder.variant)]
    if ladder.kind != Ladder.Kind.RATING:
        said.append(words.length(ladder.length))
    said.append(words.clock(ladder.clock_preset))
    return " · ".join([*said, *words.terms(ladder.variant, ladder.length, ladder.options)])
