"""The tables of tournaments. The events are the source of truth; all other rows can be rebuilt from them.

A `Tournament` is open for entries, drawn, running, and over or cancelled. Everything that happens to it is a
`TournamentEvent`, appended once and never changed. `Meeting` rows are the pairings of the folded state
(`tournaments.state`), with the columns that pages and sweeps search: the two entrants, the match and its deadlines.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import LONGEST_FEDERATION_NUMBER, Club, User
from games.models import Match, new_match_id
from tournaments.models.weekend import Weekend
from tournaments.roles import Role


class Tournament(models.Model):
    """A tournament. `seed` is secret until the draw is made; its `seed_hash` is public from the beginning."""

    class Phase(models.TextChoices):
        OPEN = "open", _("registration open")
        DRAWN = "drawn", _("draw made")
        RUNNING = "running", _("in progress")
        OVER = "over", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    id = models.CharField(primary_key=True, max_length=16, default=new_match_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    weekend = models.ForeignKey(
        Weekend, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments"
    )  # of which it is a part
    name = models.CharField(_("name"), max_length=80)
    about = models.TextField(_("description"), max_length=2000, blank=True, default="")
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    terms = models.JSONField(default=dict)  # tournaments.terms.Terms, as the last `configured` event says
    capacity = models.PositiveSmallIntegerField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    starts_itself = models.BooleanField(default=False)
    password = models.CharField(max_length=128, blank=True, default="")  # a hash; empty: none
    invitation = models.CharField(max_length=32, blank=True, default="")  # the secret of the link for entering

    phase = models.CharField(max_length=10, choices=Phase.choices, default=Phase.OPEN)
    version = models.PositiveIntegerField(default=0)  # how many events there are
    seed = models.BinaryField(max_length=32)
    seed_hash = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournaments_made")
    created_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    start_at = models.DateTimeField(null=True, blank=True)  # when the sweep starts it; null when it does not
    break_ends_at = models.DateTimeField(null=True, blank=True)  # when the sweep ends the break; null when it does not
    synced_version = models.PositiveIntegerField(
        default=0
    )  # the version that the placings and the results of the club reflect

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["phase", "-created_at"], name="tournament_phase"),
            models.Index(fields=["start_at"], name="tournament_start_at", condition=Q(start_at__isnull=False)),
            models.Index(
                fields=["break_ends_at"], name="tournament_recess_at", condition=Q(break_ends_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def role_of(self, user: User | None) -> str | None:
        """The role of a user at this tournament; None without one."""
        if user is None or user.pk is None:
            return None
        return self.officials.filter(user=user).values_list("role", flat=True).first()

    @property
    def directors(self) -> models.QuerySet[Official]:
        """The officials who direct, in the order of their appointment."""
        return self.officials.filter(role=Role.DIRECTOR).order_by("pk")


class Official(models.Model):
    """A user with a role at a tournament (tournaments.roles); its creator directs it from the beginning.

    Only current officials have a row. Appointments and dismissals are events of the tournament, and stay there.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="officials")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="official_at")
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, db_default=Role.DIRECTOR.value)
    appointed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # None: unknown, from before there were roles
    appointed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "tournaments_director"  # its name before there were other roles
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "user"], name="director_once")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.tournament_id}"


class Entrant(models.Model):
    """A participant of a tournament: an account, a name without one, or a team. `number` counts from 1 and never
    changes.

    The players of a team are entrants, too, who are not drawn: `team` is theirs.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    written_name = models.CharField(max_length=80, blank=True, default="")
    federation_number = models.CharField(
        max_length=LONGEST_FEDERATION_NUMBER, blank=True, default="", db_default=""
    )  # that a director entered; "": that of the account
    team = models.ForeignKey("Team", null=True, blank=True, on_delete=models.CASCADE, related_name="players")
    seed_rank = models.PositiveSmallIntegerField(null=True, blank=True)  # set by the director
    nonce = models.BinaryField(max_length=32)
    checked_in = models.BooleanField(default=False)
    withdrawn = models.BooleanField(default=False)
    waiting = models.BooleanField(default=False)  # on the waiting list
    paid = models.BooleanField(default=False)
    entered_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_number_once"),
            models.UniqueConstraint(fields=["tournament", "user"], name="entrant_user_once"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | ~Q(written_name=""), name="entrant_is_a_player_or_a_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.user.username if self.user is not None else self.written_name

    @property
    def plays(self) -> bool:
        """Whether the entrant has a place in the draw and has not withdrawn."""
        return not (self.withdrawn or self.waiting or self.team_id is not None)


class Team(models.Model):
    """A team: an entrant that is drawn; its name is their `written_name`. Who plays at which board is in the events."""

    entrant = models.OneToOneField(Entrant, primary_key=True, on_delete=models.CASCADE, related_name="as_team")
    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.SET_NULL, related_name="teams")
    captain = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="captain_of"
    )

    def __str__(self) -> str:
        return f"team {self.pk}"


class TournamentEvent(models.Model):
    """An event of a tournament, in order; `kind` and `data` as tournaments.fold and tournaments.undo read them."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    n = models.PositiveIntegerField()
    act = models.PositiveIntegerField()  # the n of the first event of its transaction: these are undone together
    kind = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # None: the site itself
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["n"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "n"], name="tournament_event_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.n} {self.kind}"


class Meeting(models.Model):
    """A pairing of two entrants. Rows exist from the moment when both are known."""

    class State(models.TextChoices):
        READY = "ready", _("to be played")
        DONE = "done", _("played")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="meetings")
    key = models.CharField(max_length=40)
    section = models.CharField(max_length=24)
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    a = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="meetings_a")
    b = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="meetings_b")
    state = models.CharField(max_length=8, choices=State.choices, default=State.READY)
    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="meeting")

    board = models.PositiveSmallIntegerField(null=True, blank=True)  # to which the two are called now

    # When the pairing opened, moved by the duration of outages and pauses since then.
    opened_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)  # the announced deadline
    # When the sweep acts next; null when there is nothing to do.
    remind_at = models.DateTimeField(null=True, blank=True)
    no_show_at = models.DateTimeField(null=True, blank=True)
    lock_at = models.DateTimeField(null=True, blank=True)

    DEADLINES = ("due_at", "remind_at", "no_show_at", "lock_at")

    class Meta:
        ordering: ClassVar = ["section", "round", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "key"], name="meeting_key_once")]
        indexes: ClassVar = [
            models.Index(fields=["remind_at"], name="meeting_remind_at", condition=Q(remind_at__isnull=False)),
            models.Index(fields=["no_show_at"], name="meeting_no_show_at", condition=Q(no_show_at__isnull=False)),
            models.Index(fields=["lock_at"], name="meeting_lock_at", condition=Q(lock_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.key}"


class TournamentRound(models.Model):
    """A round that opens at a time, or did; `stalled_at`: when the directors are alerted that it takes too long."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="round_rows")
    section = models.CharField(max_length=24)
    round = models.PositiveSmallIntegerField()
    open_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    stalled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["section", "round"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "section", "round"], name="tournament_round_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["open_at"], name="round_open_at", condition=Q(open_at__isnull=False)),
            models.Index(fields=["stalled_at"], name="round_stalled_at", condition=Q(stalled_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.section} {self.round}"


class OutsideResult(models.Model):
    """A match over the board in a club's records: `key` is its pairing, or the hash of its line in a file."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="outside_results")
    key = models.CharField(max_length=80)
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="outside_result")
    event = models.CharField(max_length=80, blank=True, default="")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "key"], name="outside_result_once")]

    def __str__(self) -> str:
        return f"{self.club_id} {self.key}"


class Placing(models.Model):
    """The place of an entrant in a tournament that is over, and its master points (tournaments.masterpoints).

    `division` counts from 1; `place` is in the whole tournament, shared by `sharing` entrants.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="placings")
    number = models.PositiveSmallIntegerField()  # of the entrant
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="placings"
    )
    name = models.CharField(max_length=80)
    place = models.PositiveSmallIntegerField()
    sharing = models.PositiveSmallIntegerField()
    division = models.PositiveSmallIntegerField(default=1)
    wins = models.PositiveSmallIntegerField()
    master_wins = models.PositiveIntegerField(default=0)  # thousandths of a master point, for matches won
    master_placement = models.PositiveIntegerField(default=0)  # and for the place

    class Meta:
        ordering: ClassVar = ["place", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "number"], name="placing_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.place} {self.name}"

    @property
    def master(self) -> int:
        """The sum of the master points, in thousandths."""
        return self.master_wins + self.master_placement


class Season(models.Model):
    """A table over the tournaments of a club that end from `first` to `last`; `terms` as tournaments.seasons has them.

    `variants` are the games that count; none: all of them. Its table is computed when a page shows it.
    """

    class Rule(models.TextChoices):
        PLACES = "places", _("points by place")
        MASTER = "master", _("master points")
        WINS = "wins", _("matches won")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    first = models.DateField()
    last = models.DateField()
    rule = models.CharField(max_length=8, choices=Rule.choices, default=Rule.PLACES)
    points = models.JSONField(default=list)  # for the first, second ... place
    presence = models.PositiveSmallIntegerField(default=0)  # for all other places
    best = models.PositiveSmallIntegerField(default=0)  # how many results of each count; 0: all of them
    variants = models.JSONField(default=list)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-last", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "name"], name="season_once"),
            models.CheckConstraint(condition=Q(last__gte=models.F("first")), name="season_days"),
        ]

    def __str__(self) -> str:
        return self.name


class CalendarFeed(models.Model):
    """The calendar feed of a member; `key` names it in its address, beside a seal (selectors.calendars)."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="calendar_feed")
    key = models.CharField(max_length=32, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"


class ClubRecords(models.Model):
    """The records of a club's members as they were last counted; `found` as services.records writes it."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="records")
    found = models.JSONField(default=dict)
    counted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"records of {self.club_id}"
