"""Messages to open pages and to users, sent after the commit. A lost one costs nothing: pages poll as well."""

from __future__ import annotations

from django.db import transaction

from games import message_delivery, notify
from tournaments.models import Entrant, Meeting, Tournament


def tournament_group(tournament_id: str) -> str:
    return f"tournament.{tournament_id}"


def changed(tournament_id: str, version: int) -> None:
    """Tell every open page of this tournament to reload its data."""
    message = {"type": "tournament.changed", "version": version}
    transaction.on_commit(lambda: message_delivery.send(tournament_group(tournament_id), message))


def meeting_ready(meeting: Meeting, tournament: Tournament, board: int | None = None) -> None:
    """Notify the players of a pairing over the board that it is ready, and at which board, or remind them of it.

    For a match on this site `games` itself notifies them that it is ready.
    """
    for entrant, opponent in ((meeting.a, meeting.b), (meeting.b, meeting.a)):
        if entrant.user_id is not None:
            url = f"/match/{meeting.match_id}/" if meeting.match_id else f"/tournaments/{tournament.pk}/"
            message = {"t": "ready", "id": meeting.key, "url": url, "title": tournament.name, "from": opponent.name}
            notify.notify_user(entrant.user_id, message | ({"board": board} if board else {}))


def reported(tournament: Tournament, key: str, *, by: Entrant, opponent: Entrant) -> None:
    """Notify a player that their opponent has reported a result, to confirm or dispute it."""
    if opponent.user_id is not None:
        message = {"t": "reported", "id": key, "url": f"/tournaments/{tournament.pk}/", "title": tournament.name}
        notify.notify_user(opponent.user_id, {**message, "from": by.name})


def admitted(entrant: Entrant, tournament: Tournament) -> None:
    """Notify a player of the waiting list that they have a place."""
    if entrant.user_id is not None:
        message = {"t": "admitted", "url": f"/tournaments/{tournament.pk}/", "title": tournament.name}
        notify.notify_user(entrant.user_id, message)


def directors_alerted(tournament: Tournament) -> None:
    """Notify the directors of an alert, on whatever page they are."""
    message = {"t": "alert", "url": f"/tournaments/{tournament.pk}/desk/", "title": tournament.name}
    for user_id in tournament.directors.values_list("user_id", flat=True):
        notify.notify_user(user_id, message)
