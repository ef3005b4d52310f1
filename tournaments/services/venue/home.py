"""The club's site: taking a tournament out, its file, and giving the copy up."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.web.encryption import DECRYPTION_ERRORS, site_cipher
from games.models import Match
from tournaments import venue_file
from tournaments.errors import Refused
from tournaments.models import Meeting, VenueCopy
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction, load_state
from tournaments.services.venue.contents import content_out, contents_of, events_content

PURPOSE = "venue"  # of the encryption of the secrets


def venue_take_out(*, tournament_id: str, user: User) -> VenueCopy:
    """Take a tournament to its venue, as a director: nothing can be done with it on this site until it is back.

    Matches that are arranged and not begun are called off. Raises Refused: not_director, at_venue, venue_again (this
    site is the venue's), venue_arena, already_over, venue_in_play (a match is being played on this site, or its result
    is on its way).
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id)
        tx.check_act(user, DeskAct.TAKE_TO_VENUE)
        if tx.is_venue:
            raise Refused("venue_again")
        if tx.state.format.needs_accounts:
            raise Refused("venue_arena")
        tx.check_phase("open", "drawn", "running")
        in_play = (Match.Status.LIVE, Match.Status.OVER)
        if tx.tournament.meetings.filter(state=Meeting.State.READY, match__status__in=in_play).exists():
            raise Refused("venue_in_play")
        copy_id, secret = venue_file.new_copy()
        tx.record("taken_out", user, copy=copy_id, at=tx.moment.isoformat())
        tx.commit()
        return VenueCopy.objects.create(
            id=copy_id,
            tournament=tx.tournament,
            secret=site_cipher(PURPOSE).encrypt(secret),
            by=user,
            at=tx.moment,
            entrants=len(tx.entrants),
            venue_events=tx.tournament.version,
            home_events=tx.tournament.version,
            offsets=[[1, 0]],
            digest=venue_file.digest(contents_of(events_content(tx.tournament))),
        )


def venue_give_up(*, tournament_id: str, user: User) -> None:
    """Go on with a tournament on this site without what was played at the venue, as a director.

    Its file can still be brought back. Raises Refused: not_director, venue_not_out.
    """
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id, away=True)
        tx.check_act(user, DeskAct.TAKE_TO_VENUE)
        copy = tx.tournament.venue_copies.filter(here=False, status=VenueCopy.Status.OUT).first()
        if copy is None:
            raise Refused("venue_not_out")
        tx.record("given_up", user, copy=copy.pk)
        tx.commit()
        copy.status = VenueCopy.Status.GIVEN_UP
        copy.save(update_fields=["status"])


def secret_of(copy: VenueCopy) -> str:
    """The secret of a copy. Raises Refused("venue_secret") where the site's key was changed."""
    try:
        return site_cipher(PURPOSE).decrypt(copy.secret)
    except DECRYPTION_ERRORS as error:
        raise Refused("venue_secret") from error


def venue_file_out(copy: VenueCopy) -> bytes:
    """The file of a tournament that is at its venue; it can be made again, as nothing happens here meanwhile."""
    secret = secret_of(copy)
    return venue_file.write("out", content_out(copy, secret, load_state(copy.tournament)), secret)
