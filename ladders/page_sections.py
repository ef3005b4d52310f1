"""Sections that ladders add to pages of other apps: see accounts.web.page_sections."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from accounts.models import Club, User
from accounts.web.page_sections import section
from games.engine import Json
from ladders import selectors
from ladders.models import LadderChallenge, LadderPlayer, LadderSeason

MOST_SEASONS = 5


@section("lobby", "ladders/_lobby.html")
def lobby_challenges(user: User | None) -> Sequence[selectors.ChallengeView]:
    """The challenges that the viewer has to answer."""
    return selectors.challenges_to_answer(user)


@section("club", "ladders/_club.html")
def ladders_of_club(club: Club, user: User | None) -> Sequence[selectors.LadderRow]:
    """The open ladders of the club."""
    return selectors.open_ladders(club, user)


@section("club-seasons", "ladders/_club_seasons.html")
def seasons_of_club(club: Club) -> Sequence[LadderSeason]:
    """The last seasons of the club's ladders that are over."""
    return list(selectors.seasons_of_club(club)[:MOST_SEASONS])


@section("club-champions", "ladders/_club_champions.html")
def champions_of_club(club: Club) -> Sequence[tuple[LadderSeason, Json]]:
    """The seasons of the club's ladders with who won each."""
    return selectors.champions_of_club(club)


@section("badges", "ladders/_badges_earned.html")
def ladder_badges(player: User) -> Sequence[str]:
    """What a player has earned on ladders: `climbed` by a won challenge, `top` while on the first place of one."""
    won = LadderChallenge.objects.filter(challenger=OuterRef("pk"), winner=OuterRef("pk"))
    top = LadderPlayer.objects.filter(user=OuterRef("pk"), rank=1, played__gt=0)
    earned = User.objects.filter(pk=player.pk).annotate(climbed=Exists(won), top=Exists(top)).values("climbed", "top")
    return [name for row in earned for name, is_earned in row.items() if is_earned]
