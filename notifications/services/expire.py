"""Expire notifications that are no longer true. Messages do it at once where there is one; this finds the rest."""

from __future__ import annotations

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from accounts.models import JoinRequest
from games.models import Match, Seat
from ladders.models import LadderChallenge
from notifications.build import TABLE
from notifications.models import Notification
from notifications.services.notifications import settle
from tournaments.models import Meeting

READY = ("match_ready", "round_starts")


def notifications_expire() -> int:
    """Take back what is answered, withdrawn, begun or decided; how many. Harmless however often it runs."""
    return sum(settle(found) for found in (_challenges(), _ladder_challenges(), _ready(), _decided(), _join_requests()))


def notifications_expire_at_tables() -> int:
    """Expire notifications that lead to a match that is over, if the message of its end was lost."""
    live = Match.objects.filter(pk=OuterRef("key"), status__in=(Match.Status.OPEN, Match.Status.LIVE))
    of_matches = _unread(*TABLE).exclude(key__contains=" ")
    adjourned = Match.objects.filter(pk=OuterRef("key"), status=Match.Status.LIVE, pause__isnull=False)
    back = _unread("resume").filter(~Exists(adjourned))
    return settle(of_matches.filter(~Exists(live))) + settle(back)


def _unread(*kinds: str) -> QuerySet[Notification]:
    return Notification.objects.filter(read_at=None, kind__in=kinds)


def _challenges() -> QuerySet[Notification]:
    return _unread("challenge").filter(~Exists(Match.objects.filter(pk=OuterRef("key"), status=Match.Status.OPEN)))


def _ladder_challenges() -> QuerySet[Notification]:
    offered = LadderChallenge.objects.filter(status=LadderChallenge.Status.OFFERED)
    return _unread("ladder_challenge").exclude(key__in=offered.values_list(Cast("pk", CharField())))


def _ready() -> QuerySet[Notification]:
    """Notifications of arranged matches whose player has arrived; a reminder stays while the match goes on."""
    of_match = Match.objects.filter(pk=OuterRef("key"))
    not_arrived = Seat.objects.filter(
        match=OuterRef("key"), user=OuterRef("user"), arrived_at=None, match__status=Match.Status.OPEN
    )
    reminded = of_match.filter(status=Match.Status.LIVE, started_at__lt=OuterRef("at"))
    return _unread(*READY).filter(~Exists(not_arrived), ~Exists(reminded)).exclude(key__in=_meetings())


def _decided() -> QuerySet[Notification]:
    return _unread("result_to_confirm").exclude(key__in=_meetings())


def _join_requests() -> QuerySet[Notification]:
    """Join requests of people whose account was deleted."""
    waiting = JoinRequest.objects.filter(accepted=None)
    return _unread("club_asked").exclude(key__in=waiting.values_list(Cast("pk", CharField())))


def _meetings() -> QuerySet[Meeting, str]:
    """The pairings without a result, as notifications name them."""
    about = Concat(F("tournament_id"), Value(" "), F("key"), output_field=CharField())
    return Meeting.objects.filter(state=Meeting.State.READY).values_list(about)
