"""The tables of tournaments. The events are the truth; all other rows can be rebuilt from them (services/desk.py).

A `Tournament` is open for entrants, drawn, running, and over or cancelled. Everything that happens to it is a
`TournamentEvent`, appended once and never changed. `Meeting` rows are the pairings of the fold (`tournaments.fold`),
with what pages and sweeps search for: who plays whom, on which board, and until when.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games.models import Match, new_match_id


class Tournament(models.Model):
    """One tournament. `seed` is the draw's secret until the draw is made; `seed_hash` is shown from the beginning."""

    class Phase(models.TextChoices):
        OPEN = "open", _("open for entries")
        DRAWN = "drawn", _("drawn")
        RUNNING = "running", _("running")
        OVER = "over", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    id = models.CharField(primary_key=True, max_length=16, default=new_match_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=80)
    about = models.TextField(_("what players should know"), max_length=2000, blank=True, default="")
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC")
    terms = models.JSONField(default=dict)  # tournaments.terms.Terms, as the last `configured` event says
    capacity = models.PositiveSmallIntegerField(null=True, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    starts_itself = models.BooleanField(default=False)
    password = models.CharField(max_length=128, blank=True, default="")  # a hash: who knows the word may enter
    invitation = models.CharField(max_length=32, blank=True, default="")  # what the link says that lets people in

    phase = models.CharField(max_length=10, choices=Phase.choices, default=Phase.OPEN)
    version = models.PositiveIntegerField(default=0)  # how many events there are
    seed = models.BinaryField(max_length=32)
    seed_hash = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournaments_made")
    created_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    start_at = models.DateTimeField(null=True, blank=True)  # when the sweep starts it; null when it does not
    recess_at = models.DateTimeField(null=True, blank=True)  # when the sweep ends the break; null when it does not
    books_version = models.PositiveIntegerField(default=0)  # after which event the books of the club followed it

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["phase", "-created_at"], name="tournament_phase"),
            models.Index(fields=["start_at"], name="tournament_start_at", condition=Q(start_at__isnull=False)),
            models.Index(fields=["recess_at"], name="tournament_recess_at", condition=Q(recess_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.name


class Director(models.Model):
    """Who may direct a tournament; its maker is one from the beginning."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="directors")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="directs")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "user"], name="director_once")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.tournament_id}"


class Entrant(models.Model):
    """Who plays in a tournament: a member, or a name without an account. `number` counts from 1 and never changes."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    written_name = models.CharField(max_length=80, blank=True, default="")
    seed_rank = models.PositiveSmallIntegerField(null=True, blank=True)  # a place given by the director
    nonce = models.BinaryField(max_length=32)
    checked_in = models.BooleanField(default=False)
    withdrawn = models.BooleanField(default=False)
    waiting = models.BooleanField(default=False)  # for a place that becomes free
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
        """Whether he has a place and has not left it."""
        return not (self.withdrawn or self.waiting)


class TournamentEvent(models.Model):
    """One thing that happened, in order; `kind` and `data` as tournaments.fold and tournaments.acts read them."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="events")
    n = models.PositiveIntegerField()
    act = models.PositiveIntegerField()  # the n of the first event of what was done at once: what is undone together
    kind = models.CharField(max_length=20)
    data = models.JSONField(default=dict)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # nobody: the site itself
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["n"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "n"], name="tournament_event_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.n} {self.kind}"


class Meeting(models.Model):
    """A pairing that two entrants play or played. Rows exist from the moment when both are known."""

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

    # From when its time counts: the moment when it opened, or later by what an outage or a pause took since then.
    opened_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)  # the deadline that is announced
    # What the sweep does next, and when; null when there is nothing to do.
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
    """A round that opens at a time, or did; `stalled_at`: when the director is told that it does not end."""

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


class NightTemplate(models.Model):
    """A kind of evening that a club plays again: the terms and facts of a tournament without its date."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="night_templates")
    name = models.CharField(_("name"), max_length=80)
    terms = models.JSONField()  # tournaments.terms.Terms
    facts = models.JSONField(default=dict)  # what else `tournament_create` takes, see services.nights.FACTS
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "name"], name="night_template_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """Its name among the kinds of evening, beside those of the blueprints."""
        return f"template-{self.pk}"


class Recurrence(models.Model):
    """Evenings that open themselves: a template, the days on which it is played, and when their entries open.

    `rhythm` is what tournaments.rhythm.Rhythm reads; days and `hour` are those of the club's time zone. `due_at` is
    when the next one is made: null where nothing is due, because it is paused, stopped or at its end.
    """

    class Status(models.TextChoices):
        ON = "on", _("runs")
        PAUSED = "paused", _("paused")
        STOPPED = "stopped", _("stopped")

    template = models.ForeignKey(NightTemplate, on_delete=models.PROTECT, related_name="recurrences")
    name = models.CharField(_("name"), max_length=80)  # {date} and {number} are filled in
    rhythm = models.JSONField()
    hour = models.TimeField()
    opens_days = models.PositiveSmallIntegerField(default=6)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.ON)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="recurrence_due_at", condition=Q(due_at__isnull=False))
        ]

    def __str__(self) -> str:
        return self.name


class Night(models.Model):
    """One date of a recurrence that was dealt with: its tournament, or none where it was skipped or refused (`why`)."""

    recurrence = models.ForeignKey(Recurrence, on_delete=models.CASCADE, related_name="nights")
    date = models.DateField()
    tournament = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.SET_NULL, related_name="night"
    )
    why = models.CharField(max_length=40, blank=True, default="")  # `skipped`, or the code of a refusal

    class Meta:
        ordering: ClassVar = ["date"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["recurrence", "date"], name="night_once")]

    def __str__(self) -> str:
        return f"{self.recurrence_id} {self.date}"


class OutsideResult(models.Model):
    """A match played over the board that the club keeps: `key` is its pairing, or the hash of its line in a file."""

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
    """Where somebody ended in a tournament that is over, and the master points for it (tournaments.masterpoints).

    `division` counts from 1; `place` is among all of the tournament, shared by `sharing`.
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
        """All of the master points, in thousandths."""
        return self.master_wins + self.master_placement


class Season(models.Model):
    """A table over the tournaments of a club that end from `first` to `last`; `terms` as tournaments.seasons has them.

    `variants` are the games that count; none: all of them. Its table is counted when somebody looks.
    """

    class Rule(models.TextChoices):
        PLACES = "places", _("points for places")
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


class ClubRecords(models.Model):
    """The records of a club's members as they were last counted; `found` as services.records writes it."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="records")
    found = models.JSONField(default=dict)
    counted_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"records of {self.club_id}"
