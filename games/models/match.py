"""Matches, their seats, games and actions.

The life of a `Match`:

- open: anybody may join, or it is a challenge (`invited`), with one `Seat`; an arranged match has both from the start;
- live: once the second seat is taken, or both players of an arranged match have arrived;
- over or cancelled; one read from a file is over from the start.

Everything that happens in it is an `Action`, appended once and never changed: the games can be replayed from the
actions alone. `Match.snapshot` and `Match.version` only spare that replay.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.engine import SIDES, Json, Side

OVER_THE_BOARD = "board"  # the `source` of a match that was played over the board: a result without moves
FILTERED = ("variant", "rated", "ended_by", "clock_preset", "length")
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def new_match_id() -> str:
    """Ten characters that cannot be misread aloud: 57 bits, enough that nobody guesses a private URL."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


class Match(models.Model):
    """A match to N between two seats, from the open game to its last action; `length` 0 is a money session (B16).

    `source` names the format of the file that an archived match was read from, and `headers` keep what else it said;
    that of a match over the board is `OVER_THE_BOARD`, which has a result and no actions.
    A match that was `arranged` for its two players is part of something: `title` says of what, and `from_url` is the
    path of its page on this site. `pause` says who stopped its clocks, and why, or who adjourned it, where the match is
    `adjournable` by its players, and which sides want to go on. An open game that is not `listed` is for those who have
    its link: no list shows it. `dice` is what both seats have given for the dice
    (`games.dice.match_dice`); null where nothing can be proved, as in imported matches. `orders` are those of both
    players by correspondence (`games.orders`); like the elements that wait in `dice` they are private to each seat.
    In a practice match `open_play` is the number of the play that can be taken back now (`games.take_back`), and
    `taken_back` says how many were.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        LIVE = "live", _("in progress")
        OVER = "over", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class EndedBy(models.TextChoices):
        SCORE = "score", _("on points")
        RESIGN = "resign", _("by resignation")
        FLAG = "flag", _("on time")
        ENDED = "ended", _("by agreement")
        UNFINISHED = "unfinished", _("unfinished")
        STOPPED = "stopped", _("called off")
        ABSENT = "absent", _("by absence")

    id = models.CharField(primary_key=True, max_length=16, default=new_match_id, editable=False)
    variant = models.CharField(max_length=24)
    length = models.PositiveSmallIntegerField()
    rated = models.BooleanField(default=False)
    clock_preset = models.CharField(max_length=16)
    options = models.JSONField(default=dict)
    source = models.CharField(max_length=8, blank=True, default="")
    headers = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    # Each act writes a new entry into every index of its match: what another index finds as well has none of its own.
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="matches_created", db_index=False
    )
    invited = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="challenges",
        db_index=False,
    )
    rematch_of = models.OneToOneField("self", null=True, blank=True, on_delete=models.PROTECT, related_name="rematch")
    arranged = models.BooleanField(default=False)
    title = models.CharField(max_length=120, blank=True, default="")
    from_url = models.CharField(max_length=200, blank=True, default="")
    adjournable = models.BooleanField(default=True)
    listed = models.BooleanField(default=True)

    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    # The state of play: the fold of the actions, stored beside them.
    version = models.PositiveIntegerField(default=0)
    roll_index = models.PositiveIntegerField(default=0)
    snapshot = models.JSONField(default=dict)
    dice = models.JSONField(null=True, blank=True)
    clock = models.JSONField(null=True, blank=True)
    clock_at = models.DateTimeField(null=True, blank=True)
    flag_at = models.DateTimeField(null=True, blank=True)
    bot_at = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True)
    pause = models.JSONField(null=True, blank=True)
    orders = models.JSONField(null=True, blank=True)
    open_play = models.PositiveIntegerField(null=True, blank=True)
    taken_back = models.PositiveSmallIntegerField(default=0)

    winner = models.CharField(max_length=5, blank=True, default="")
    ended_by = models.CharField(max_length=10, choices=EndedBy.choices, blank=True, default="")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["flag_at"], name="match_flag_at", condition=Q(flag_at__isnull=False)),
            models.Index(fields=["bot_at"], name="match_bot_at", condition=Q(bot_at__isnull=False)),
            models.Index(fields=["remind_at"], name="match_remind_at", condition=Q(remind_at__isnull=False)),
            models.Index(fields=["status", "-created_at"], name="match_status_created"),
            models.Index(fields=["invited"], name="match_invited", condition=Q(invited__isnull=False)),
            # The finished matches in both orders, with what most filters ask for: a list never reads a row that it does
            # not show (games.selectors.history).
            models.Index(fields=["status", "-ended_at", "-id", *FILTERED], name="match_finished"),
            models.Index(fields=["status", "-length", "-ended_at", "-id", *FILTERED[:-1]], name="match_longest"),
            models.Index(fields=["creator", "-ended_at", "-id", "source"], name="match_creator_ended"),
            models.Index(fields=["from_url", "status", "-ended_at", "-id", "title"], name="match_from"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(winner__in=["", *SIDES]), name="match_winner_is_a_side"),
            models.CheckConstraint(condition=Q(status="over") | Q(winner=""), name="match_winner_only_when_over"),
            models.CheckConstraint(condition=Q(length__gte=0), name="match_length_not_negative"),
            models.CheckConstraint(
                condition=Q(from_url="") | Q(from_url__startswith="/") & ~Q(from_url__startswith="//"),
                name="match_from_url_is_a_path",
            ),
        ]

    def __str__(self) -> str:
        return self.id

    @property
    def over_the_board(self) -> bool:
        """Whether only the result is known: it was played over the board."""
        return self.source == OVER_THE_BOARD

    @property
    def from_file(self) -> bool:
        """Whether it was read from a file, moves and all."""
        return self.source not in ("", OVER_THE_BOARD)


FROM_FILE = Q(source__gt="") & ~Q(source=OVER_THE_BOARD)


class Seat(models.Model):
    """One side of a match and its player, or in an imported match a name from the file.

    `points` are whole numbers, or halves where games can be drawn; a float holds both exactly. Before the first game
    they are what the match begins with: a lead, where the opponent has penalty points. `arrived_at` is when the player
    of an arranged match arrived, `seen_at` when they were last heard at the match (games.services.presence), and
    `heard_by` the web process that heard them; `ended_at` repeats that of the match once it is over, so that one index
    holds a player's history in its order.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    side: models.CharField[Side, Side] = models.CharField(max_length=5, choices=[(side, side) for side in SIDES])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    written_name = models.CharField(max_length=80, blank=True, default="")
    points = models.FloatField(default=0)
    won = models.BooleanField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    arrived_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    heard_by = models.UUIDField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "side"], name="seat_once_per_side"),
            models.UniqueConstraint(fields=["match", "user"], name="seat_once_per_user"),
            models.CheckConstraint(condition=Q(side__in=SIDES), name="seat_side_is_a_side"),
            models.CheckConstraint(condition=Q(points__gte=0), name="seat_points_not_negative"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | ~Q(written_name=""), name="seat_is_a_player_or_a_name"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "match"], name="seat_user_match"),
            models.Index(fields=["user", "-ended_at", "-match", "won"], name="seat_user_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.side}"

    @property
    def name(self) -> str:
        """The name of the player."""
        return self.user.username if self.user is not None else self.written_name


class Game(models.Model):
    """One game of a match: the score before it, and how it ended."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    score_before = models.JSONField()
    winner = models.CharField(max_length=5, blank=True, default="")
    points = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=16, blank=True, default="")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["match", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="game_once_per_number"),
            models.CheckConstraint(condition=Q(winner__in=["", *SIDES]), name="game_winner_is_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} game {self.number}"


class Action(models.Model):
    """One thing that happened, in the words of the rules: ``roll``, ``dice 31``, ``8/5 6/5*``. Append-only.

    `n` counts from 1 without gaps over the whole match; `client_id` makes a retry harmless: with the same body
    (`asked`) it gets the first answer again (`answer`, the version after the act). An answer or a play that the site
    made on its player's order has no id, and `asked` says so (`games.orders.ORDERED`). `element` of a ``roll`` or
    ``hold`` is the roller's dice element, if they gave one, and of ``dice`` the server's; `white_ms` and `black_ms` are
    the reserves left after the action.
    """

    ACTORS = (*SIDES, "chance", "server")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="actions", db_index=False)
    n = models.PositiveIntegerField()
    game_number = models.PositiveSmallIntegerField()
    actor = models.CharField(max_length=6, choices=[(actor, actor) for actor in ACTORS])
    text = models.CharField(max_length=120)
    client_id = models.CharField(max_length=40, null=True, blank=True)
    asked = models.CharField(max_length=200, blank=True, default="")
    answer = models.PositiveIntegerField(null=True, blank=True)
    element = models.CharField(max_length=64, blank=True, default="")
    at = models.DateTimeField()
    white_ms = models.PositiveIntegerField(null=True, blank=True)
    black_ms = models.PositiveIntegerField(null=True, blank=True)

    proof: Json | None = None
    """What proves the dice of this row, filled in by who tells them on (`games.dice.transcript`); no column."""

    class Meta:
        ordering: ClassVar = ["match", "n"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "n"], name="action_once_per_number"),
            models.UniqueConstraint(
                fields=["match", "actor", "client_id"],
                condition=Q(client_id__isnull=False),
                name="action_once_per_client_id",
            ),
            models.CheckConstraint(condition=Q(actor__in=["white", "black", "chance", "server"]), name="action_actor"),
            models.CheckConstraint(condition=Q(n__gte=1), name="action_n_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.n}. {self.actor}: {self.text}"


def seat_of(match: Match, user_id: int | None) -> Side | None:
    """The side on which a user sits, from seats already fetched; None for everyone else."""
    for seat in match.seats.all():
        if seat.user_id == user_id and user_id is not None:
            return seat.side
    return None


def practice_side(match: Match, seats: Iterable[Seat]) -> Side | None:
    """The side of the person in a practice match, where they may have help: hints, and taking back a play.

    It is unrated, part of nothing, and against the computer of the house; None in any other match.
    """
    if match.rated or match.arranged:
        return None
    people = [seat for seat in seats if seat.user is None or not seat.user.is_house_bot]
    return people[0].side if len(people) == 1 and people[0].user and not people[0].user.is_bot else None
