"""Serializers of tournaments: list, page, entrants, pairings, standings, prizes."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.users import PersonSerializer, serialize_person
from games.api.fields import choice
from games.api.state_serializers import OptionsField
from tournaments.models import Tournament
from tournaments.terms import ENTRIES, PACES, SEEDINGS, VENUES

STATES = ("waiting", "ready", "done", "bye", "absent", "void")
HOWS = ("played", "walkover", "withdrawn")
KEY = "The name of a pairing: section, round and number (`main-2-1`)."


class TournamentRowSerializer(serializers.Serializer[Any]):
    """A tournament of a list."""

    id = serializers.CharField(source="tournament.pk")
    name = serializers.CharField(source="tournament.name")
    club = serializers.CharField(source="tournament.club.slug")
    phase = choice(Tournament.Phase, source="tournament.phase")
    format = serializers.CharField(help_text="In words.")
    variant = serializers.CharField(source="terms.variant")
    lengths = serializers.ListField(child=serializers.IntegerField(), source="terms.lengths")
    players = serializers.IntegerField()
    capacity = serializers.IntegerField(source="tournament.capacity", allow_null=True)
    entered = serializers.BooleanField(help_text="Whether the viewer has entered.")
    starts_at = serializers.DateTimeField(source="tournament.starts_at", allow_null=True)
    begun_at = serializers.DateTimeField(source="tournament.begun_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="tournament.ended_at", allow_null=True)
    page = serializers.SerializerMethodField()

    def get_page(self, row: Any) -> str:
        return reverse("tournament", args=[row.tournament.pk])


class TournamentTermsSerializer(serializers.Serializer[Any]):
    """The terms of a tournament (tournaments.terms)."""

    format = serializers.CharField(source="config.format")
    boards = serializers.IntegerField(source="config.boards", help_text="Of a team match; 0: single players.")
    best_of = serializers.IntegerField(source="config.best_of", help_text="Matches of a series; 1: single matches.")
    best_of_rounds = serializers.IntegerField(
        source="config.best_of_rounds", help_text="Of a bracket: how many last rounds are series; 0: all."
    )
    variant = serializers.CharField()
    options = OptionsField()
    clock = serializers.CharField()
    rated = serializers.BooleanField()
    venue = choice(VENUES)
    seeding = choice(SEEDINGS)
    lengths = serializers.ListField(
        child=serializers.IntegerField(), help_text="Points by round, the last for all later."
    )
    side_lengths = serializers.ListField(child=serializers.IntegerField())
    pace = choice(PACES)
    round_minutes = serializers.IntegerField()
    round_hours = serializers.IntegerField()
    clocks = serializers.ListField(child=serializers.CharField())
    hours = serializers.ListField(child=serializers.IntegerField())
    no_show_minutes = serializers.IntegerField()
    penalty_minutes = serializers.IntegerField()
    check_in = serializers.BooleanField()
    entry = choice(ENTRIES)
    club_only = serializers.BooleanField()
    rating_from = serializers.IntegerField()
    rating_to = serializers.IntegerField()
    closes_minutes = serializers.IntegerField()


class FactSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    value = serializers.CharField()


class AnnouncementSerializer(serializers.Serializer[Any]):
    """An announcement; `at` in the tournament's time zone, in words."""

    text = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.CharField()


class NextMatchSerializer(serializers.Serializer[Any]):
    """A pairing that the viewer has to play. `act`: arrive, wait, go, report, told, or nothing while it is not open."""

    key = serializers.CharField(source="card.key")
    rival = serializers.CharField(source="opponent")
    round = serializers.CharField()
    length = serializers.CharField()
    act = serializers.CharField(source="action", allow_blank=True)
    match = serializers.CharField(source="match_id", allow_blank=True)


class ViewerEntrySerializer(serializers.Serializer[Any]):
    """The viewer as an entrant: their next matches, or whom they wait for."""

    number = serializers.IntegerField(source="entrant.number")
    waiting = serializers.BooleanField(source="entrant.waiting")
    withdrawn = serializers.BooleanField(source="entrant.withdrawn")
    checked_in = serializers.BooleanField(source="entrant.checked_in")
    next = NextMatchSerializer(source="next_matches", many=True)
    waits = serializers.CharField(source="next_opponent", allow_blank=True)
    place = serializers.IntegerField(allow_null=True)


class SectionSerializer(serializers.Serializer[Any]):
    """A section: a bracket, group or table."""

    key = serializers.CharField()
    kind = choice(("bracket", "table", "cross"))
    title = serializers.CharField()


class LinkSerializer(serializers.Serializer[Any]):
    """A file of the tournament, and its URL."""

    kind = serializers.CharField()
    url = serializers.CharField()


class TournamentSerializer(serializers.Serializer[Any]):
    """A tournament as this viewer sees it; entrants, pairings, standings and prizes are lists of their own."""

    id = serializers.CharField(source="tournament.pk")
    version = serializers.IntegerField(source="tournament.version", help_text="How many events there are.")
    name = serializers.CharField(source="tournament.name")
    about = serializers.CharField(source="tournament.about", allow_blank=True)
    club = serializers.CharField(source="tournament.club.slug")
    phase = choice(Tournament.Phase, source="state.phase")
    format = serializers.CharField()
    facts = serializers.SerializerMethodField(help_text="The settings, in words.")
    terms = TournamentTermsSerializer()
    timezone = serializers.CharField(source="tournament.timezone")
    capacity = serializers.IntegerField(source="tournament.capacity", allow_null=True)
    players = serializers.IntegerField()
    full = serializers.BooleanField(source="is_full")
    starts_at = serializers.DateTimeField(source="tournament.starts_at", allow_null=True)
    begun_at = serializers.DateTimeField(source="tournament.begun_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="tournament.ended_at", allow_null=True)
    seed_hash = serializers.CharField(source="tournament.seed_hash", help_text="The hash of the seed of the draw.")
    directors = serializers.SerializerMethodField()
    directs = serializers.BooleanField(source="is_director", help_text="Whether the viewer does.")
    role = serializers.CharField(
        help_text="The role of the viewer: `scorekeeper`, `referee`, `director`; empty: none.", allow_blank=True
    )
    mine = ViewerEntrySerializer(source="viewer_entry", allow_null=True)
    announcements = AnnouncementSerializer(many=True)
    sections = SectionSerializer(many=True)
    champions = serializers.ListField(child=serializers.CharField())
    files = serializers.SerializerMethodField()
    page = serializers.CharField(source="path")

    @extend_schema_field(FactSerializer(many=True))
    def get_facts(self, view: Any) -> list[dict[str, str]]:
        return [{"name": str(name), "value": str(value)} for name, value in view.facts]

    @extend_schema_field(PersonSerializer(many=True))
    def get_directors(self, view: Any) -> list[Any]:
        return [serialize_person(director) for director in view.directors]

    @extend_schema_field(LinkSerializer(many=True))
    def get_files(self, view: Any) -> list[dict[str, str]]:
        named = {
            "csv": "tournament-csv",
            "json": "tournament-json",
            **({"draw": "tournament-draw"} if view.has_draw_document else {}),
        }
        return [{"kind": kind, "url": reverse(name, args=[view.tournament.pk])} for kind, name in named.items()]


class EntrantSerializer(serializers.Serializer[Any]):
    """An entrant: a member, a walk-in without an account (`player` null), or a team (`is_team`)."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.SerializerMethodField()
    is_team = serializers.SerializerMethodField()
    team = serializers.IntegerField(
        source="team.entrant.number", allow_null=True, default=None, help_text="The team that this player plays for."
    )
    seed_rank = serializers.IntegerField(allow_null=True, help_text="Set by a director.")
    checked_in = serializers.BooleanField()
    withdrawn = serializers.BooleanField()
    waiting = serializers.BooleanField(help_text="On the waiting list.")
    entered_at = serializers.DateTimeField()

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_player(self, entrant: Any) -> dict[str, str] | None:
        return serialize_person(entrant.user)

    def get_is_team(self, entrant: Any) -> bool:
        return getattr(entrant, "as_team", None) is not None


class TeamSerializer(serializers.Serializer[Any]):
    """A team; `players` are the numbers of its players in the order of the boards, then its reserves."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    club = serializers.CharField(source="team.club.slug", allow_null=True, default=None)
    captain = serializers.SerializerMethodField()
    players = serializers.ListField(child=serializers.IntegerField())
    withdrawn = serializers.BooleanField(source="entrant.withdrawn")
    page = serializers.CharField()

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_captain(self, row: Any) -> dict[str, str] | None:
        return serialize_person(row.team.captain)


class PairingSideSerializer(serializers.Serializer[Any]):
    """A player of a pairing: an entrant, or where the entrant comes from (`seed 3`, `winner main-1-2`, `bye`)."""

    entrant = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(allow_blank=True)
    comes_from = serializers.CharField()


class PairingSerializer(serializers.Serializer[Any]):
    """A pairing. `winner` is the number of an entrant; without one a result is a double walkover, or a drawn team match
    (`how` is `played`).
    """

    key = serializers.CharField(source="pairing.key", help_text=KEY)
    section = serializers.CharField(source="pairing.section")
    round = serializers.IntegerField(source="pairing.round")
    number = serializers.IntegerField(source="pairing.number")
    team_match = serializers.CharField(allow_null=True, help_text="Of a board: the key of its team match.")
    board = serializers.IntegerField(allow_null=True, help_text="Of a board: its number in the team match.")
    series = serializers.CharField(allow_null=True, help_text="Of a match of a series: the key of the series.")
    number_in_series = serializers.IntegerField(allow_null=True, help_text="Of a match of a series, from 1.")
    best_of = serializers.IntegerField(
        help_text="Of a whole series: of how many matches it is the best, and its points are matches won; else 1."
    )
    state = choice(STATES, source="pairing.state")
    length = serializers.IntegerField(help_text="The length of its match in points, of a series of each match.")
    a = PairingSideSerializer()
    b = PairingSideSerializer()
    winner = serializers.IntegerField(allow_null=True)
    points = serializers.ListField(child=serializers.FloatField(), allow_null=True, help_text="Those of a, then of b.")
    how = choice(HOWS, allow_null=True)
    why = serializers.CharField(allow_blank=True, help_text="The reason of a director's ruling or correction.")
    match = serializers.CharField(allow_null=True)
    open = serializers.BooleanField(help_text="Whether it can be played now.")
    due_at = serializers.DateTimeField(allow_null=True)


@extend_schema_field({"type": "object", "additionalProperties": {"type": ["number", "string", "null"]}})
class ValuesField(serializers.DictField):
    """The tie-breaks by their names."""


class TournamentStandingSerializer(serializers.Serializer[Any]):
    """A line of the standings."""

    section = serializers.CharField(allow_blank=True)
    place = serializers.IntegerField()
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    replaced = serializers.ListField(
        child=serializers.CharField(), help_text="Those whose place this player took, in order."
    )
    played = serializers.IntegerField()
    wins = serializers.IntegerField()
    losses = serializers.IntegerField()
    draws = serializers.IntegerField(help_text="Of teams.")
    tie_breaks = ValuesField()
    note = serializers.CharField(allow_blank=True)


class PrizeSerializer(serializers.Serializer[Any]):
    """A prize and its winner; empty while that is unknown."""

    place = serializers.IntegerField()
    percent = serializers.IntegerField(allow_null=True)
    amount = serializers.CharField()
    name = serializers.CharField(allow_blank=True)


class SidePoolSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    stake = serializers.CharField()
    total = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField())
    rows = PrizeSerializer(many=True)


class PurseSerializer(serializers.Serializer[Any]):
    """Fees and side pools, for directors only."""

    paid = serializers.IntegerField(help_text="How many have paid the entry fee.")
    players = serializers.IntegerField()
    collected = serializers.CharField()
    total = serializers.CharField()
    pools = SidePoolSerializer(many=True)


class PrizesSerializer(serializers.Serializer[Any]):
    """The prizes by place. Amounts are formatted text."""

    shown = serializers.BooleanField(source="purse.shown", help_text="To everybody.")
    fee = serializers.CharField()
    added = serializers.CharField(allow_blank=True, help_text="Added by the club.")
    rows = PrizeSerializer(many=True)


class PrizeSheetSerializer(PrizesSerializer):
    """The prize sheet; `books` is null for everybody except directors."""

    books = PurseSerializer(allow_null=True)


class TournamentVersionSerializer(serializers.Serializer[Any]):
    """The version and phase of a tournament after an act."""

    version = serializers.IntegerField()
    phase = choice(Tournament.Phase)
