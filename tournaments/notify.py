"""Tell the pages and the people, after the commit. A lost message costs nothing: pages ask again by themselves."""

from __future__ import annotations

from django.db import transaction

from games import notify, outbox
from tournaments.models import Entrant, Meeting, Tournament


def tournament_group(tournament_id: str) -> str:
    return f"tournament.{tournament_id}"


def changed(tournament_id: str, version: int) -> None:
    """Every page of this tournament looks again."""
    message = {"type": "tournament.changed", "version": version}
    transaction.on_commit(lambda: outbox.send(tournament_group(tournament_id), message))


def meeting_ready(meeting: Meeting, tournament: Tournament) -> None:
    """A pairing that is played over the board, or a reminder: to those of the two who have an account.

    For a match on this site `games` itself says that it is ready.
    """
    for one, rival in ((meeting.a, meeting.b), (meeting.b, meeting.a)):
        if one.user_id is not None:
            url = f"/match/{meeting.match_id}/" if meeting.match_id else f"/tournaments/{tournament.pk}/"
            message = {"t": "ready", "id": meeting.key, "url": url, "title": tournament.name, "from": rival.name}
            notify.user_told(one.user_id, message)


def reported(tournament: Tournament, key: str, *, by: Entrant, rival: Entrant) -> None:
    """One has told how a match over the board ended: the other one says whether it is so."""
    if rival.user_id is not None:
        message = {"t": "reported", "id": key, "url": f"/tournaments/{tournament.pk}/", "title": tournament.name}
        notify.user_told(rival.user_id, {**message, "from": by.name})


def admitted(entrant: Entrant, tournament: Tournament) -> None:
    """A place has become free for one who waited."""
    if entrant.user_id is not None:
        message = {"t": "admitted", "url": f"/tournaments/{tournament.pk}/", "title": tournament.name}
        notify.user_told(entrant.user_id, message)


def directors_alerted(tournament: Tournament) -> None:
    """Something needs a director: he hears of it on whatever page he is."""
    message = {"t": "alert", "url": f"/tournaments/{tournament.pk}/desk/", "title": tournament.name}
    for user_id in tournament.directors.values_list("user_id", flat=True):
        notify.user_told(user_id, message)
