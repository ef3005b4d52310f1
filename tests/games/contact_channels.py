"""The ways in which one user can reach another: a block closes all of them, whichever of the two made it.

A channel prepares its preconditions, and returns the attempt, which reports whether `me` reached `other`. The
apps above `games` have their own lists, and a `matrix` of them in their tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from channels.routing import URLRouter
from django.test import Client
from django.urls import reverse

from accounts.errors import Refused
from accounts.models import Club, User
from accounts.programs import services as programs
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.users.services import BACKEND
from games import services
from games.models import Match
from games.routing import websocket_urlpatterns
from games.selectors import followed_online
from games.selectors.lobby import lobby
from games.selectors.missed_events import milliseconds, missed_events
from games.services import online
from ladders import selectors as ladder_selectors
from ladders import services as ladders
from ladders.models import Ladder, LadderChallenge
from tests.patient_sockets import PatientSocket

Attempt = Callable[[], bool]
Channel = Callable[[User, User], Attempt]
COLUMNS = ("other", "me", "nobody")
"""Which of the two has blocked the other. In the last column every channel is open, so that the check can fail."""
TERMS: dict[str, Any] = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False}


def matrix(channels: list[Channel]) -> pytest.MarkDecorator:
    """Run a test for each channel and each column, as `channel` and `blocker`."""
    cells = [
        pytest.param(channel, blocker, id=f"{channel.__name__}, blocked by {blocker}")
        for channel in channels
        for blocker in COLUMNS
    ]
    return pytest.mark.parametrize(("channel", "blocker"), cells)


def reached(channel: Channel, blocker: str, me: User, other: User) -> bool:
    """Whether `me` reached `other` after `blocker` made a block between the two."""
    attempt = channel(me, other)
    people = {"me": (me, other), "other": (other, me)}
    if blocker in people:
        by, about = people[blocker]
        relationships.relationship_create(by=by, about=about, kind=relationship_selectors.BLOCK)
    return attempt()


def works(act: Callable[[], object]) -> bool:
    """Whether it can be done."""
    try:
        act()
    except Refused:
        return False
    return True


def browser(user: User) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user, backend=BACKEND)
    return client


def opens(user: User, path: str) -> bool:
    """Whether a page opens. One that does not answers with 403 or 404, and no server error."""
    status = browser(user).get(path).status_code
    assert status in (200, 403, 404)
    return status == 200


def seek(user: User) -> Match:
    return services.match_create(creator=user, **TERMS)


def challenge(user: User, invited: User) -> Match:
    return services.match_create(creator=user, invited=invited, **TERMS)


def third() -> User:
    return User.objects.get_or_create(username="eva")[0]


def match_of(user: User) -> Match:
    """A match of this player against a third one."""
    return services.match_join(match_id=seek(user).pk, user=third())


def played(first: User, second: User) -> Match:
    """A match of the two that is over."""
    match = services.match_join(match_id=seek(first).pk, user=second)
    services.match_act(match_id=match.pk, user_id=first.pk, action="resign match", client_id="gives-up")
    return match


def ladder(*players: User) -> Ladder:
    """A ladder with these players on it, the first on top."""
    staff = User.objects.get_or_create(username="staff", is_staff=True)[0]
    made = ladders.ladder_create(
        by=staff, club=Club.objects.get(is_default=True), name="Autumn", kind="challenge", config={}, **TERMS
    )
    for player in players:
        ladders.ladder_join(ladder_id=made.pk, user=player)
    return made


# To invite


def challenging(me: User, other: User) -> Attempt:
    return lambda: works(lambda: challenge(me, other))


def challenging_on_the_page(me: User, other: User) -> Attempt:
    form = {"opponent": "player", "name": other.username, "variant": "backgammon", "length": "3", "clock": "club"}

    def attempt() -> bool:
        browser(me).post(reverse("match-create"), form)
        return Match.objects.filter(creator=me, invited=other).exists()

    return attempt


def challenging_over_the_api(me: User, other: User) -> Attempt:
    body = {"variant": "backgammon", "length": 3, "clock": "club", "to": other.username}

    def attempt() -> bool:
        answer = browser(me).post(reverse("api-offer"), body, content_type="application/json")
        assert answer.status_code == 200 or answer.json()["code"] == "apart"
        return answer.status_code == 200

    return attempt


def challenging_with_my_bot(me: User, other: User) -> Attempt:
    bot, _ = programs.bot_create(owner=me, name="engine")
    return lambda: works(lambda: challenge(bot, other))


def accepting_a_challenge(me: User, other: User) -> Attempt:
    match = challenge(other, me)
    return lambda: works(lambda: services.match_join(match_id=match.pk, user=me))


def seeing_a_challenge(me: User, other: User) -> Attempt:
    match = challenge(other, me)
    return lambda: match.pk in [row.match.pk for row in lobby(me).challenges]


def receiving_a_missed_challenge(me: User, other: User) -> Attempt:
    match = challenge(other, me)
    since = milliseconds(match.created_at) - 1
    return lambda: match.pk in [message.get("id") for message in missed_events(user_id=me.pk, since=since)[0]]


def accepting_a_seek(me: User, other: User) -> Attempt:
    match = seek(other)
    return lambda: works(lambda: services.match_join(match_id=match.pk, user=me))


def accepting_a_seek_on_the_page(me: User, other: User) -> Attempt:
    match = seek(other)

    def attempt() -> bool:
        browser(me).post(reverse("match-join", args=[match.pk]))
        return Match.objects.get(pk=match.pk).status == Match.Status.LIVE

    return attempt


def accepting_a_seek_over_the_api(me: User, other: User) -> Attempt:
    match = seek(other)
    return lambda: browser(me).post(reverse("api-join", args=[match.pk])).status_code == 200


def accepting_a_seek_with_my_bot(me: User, other: User) -> Attempt:
    match = seek(other)
    bot, _ = programs.bot_create(owner=me, name="engine")
    return lambda: works(lambda: services.match_join(match_id=match.pk, user=bot))


def accepting_as_a_guest(me: User, other: User) -> Attempt:
    match = seek(other)

    def attempt() -> bool:
        browser(me).post(reverse("guest-create"), {"join": match.pk})
        return Match.objects.get(pk=match.pk).status == Match.Status.LIVE

    return attempt


def opening_the_link_of_a_seek(me: User, other: User) -> Attempt:
    match = seek(other)
    return lambda: opens(me, reverse("match", args=[match.pk]))


def reading_a_seek_over_the_api(me: User, other: User) -> Attempt:
    match = seek(other)
    return lambda: opens(me, reverse("api-match", args=[match.pk]))


def seeing_a_seek(me: User, other: User) -> Attempt:
    match = seek(other)
    return lambda: match.pk in browser(me).get(reverse("lobby-lists")).content.decode()


def offering_a_rematch(me: User, other: User) -> Attempt:
    match = played(me, other)
    return lambda: works(lambda: services.match_rematch(match_id=match.pk, user=me))


def accepting_a_rematch(me: User, other: User) -> Attempt:
    match = played(me, other)
    offered = services.match_rematch(match_id=match.pk, user=other)

    def attempt() -> bool:
        if works(lambda: services.match_rematch(match_id=match.pk, user=me)):
            return Match.objects.get(pk=offered.pk).status == Match.Status.LIVE
        return False

    return attempt


def challenging_on_a_ladder(me: User, other: User) -> Attempt:
    made = ladder(other, me)
    return lambda: works(lambda: ladders.challenge_make(ladder_id=made.pk, user=me, opponent=other))


def finding_the_button_on_a_ladder(me: User, other: User) -> Attempt:
    made = ladder(other, me)
    return lambda: ladder_selectors.page(ladder_id=made.pk, user=me).rungs[0].may


def accepting_a_ladder_challenge(me: User, other: User) -> Attempt:
    made = ladder(me, other)
    call = ladders.challenge_make(ladder_id=made.pk, user=other, opponent=me)
    return lambda: works(lambda: ladders.challenge_accept(challenge_id=call.pk, user=me))


def being_challenged_on_a_ladder(me: User, other: User) -> Attempt:
    made = ladder(other, me)
    ladders.challenge_make(ladder_id=made.pk, user=me, opponent=other)
    return lambda: LadderChallenge.objects.filter(status=LadderChallenge.Status.OFFERED).exists()


# To watch


def watching_on_the_page(me: User, other: User) -> Attempt:
    match = match_of(other)
    return lambda: opens(me, reverse("match", args=[match.pk]))


def watching_over_the_socket(me: User, other: User) -> Attempt:
    match = match_of(other)

    async def sit() -> bool:
        socket = PatientSocket(URLRouter(websocket_urlpatterns), f"/ws/match/{match.pk}/")
        socket.scope["user"] = me
        connected, _ = await socket.connect()
        assert connected
        first = await socket.receive_output()
        await socket.disconnect()
        assert first["type"] == "websocket.send" or first["code"] == 4403
        return first["type"] == "websocket.send"

    return async_to_sync(sit)


def reading_the_state_over_the_api(me: User, other: User) -> Attempt:
    match = match_of(other)
    return lambda: opens(me, reverse("api-match", args=[match.pk]))


def reading_the_actions_over_the_api(me: User, other: User) -> Attempt:
    match = match_of(other)
    return lambda: opens(me, reverse("api-sync", args=[match.pk]))


def reading_the_dice_over_the_api(me: User, other: User) -> Attempt:
    match = match_of(other)
    return lambda: opens(me, reverse("api-dice", args=[match.pk]))


def fetching_the_transcript_of_the_dice(me: User, other: User) -> Attempt:
    match = match_of(other)
    return lambda: opens(me, reverse("match-dice", args=[match.pk]))


def seeing_their_match_in_the_lobby(me: User, other: User) -> Attempt:
    match = match_of(other)
    return lambda: match.pk in browser(me).get(reverse("lobby-lists")).content.decode()


# To follow


def following(me: User, other: User) -> Attempt:
    return lambda: works(
        lambda: relationships.relationship_create(by=me, about=other, kind=relationship_selectors.FOLLOW)
    )


def seeing_their_presence(me: User, other: User) -> Attempt:
    relationships.relationship_create(by=me, about=other, kind=relationship_selectors.FOLLOW)
    online.seen(other.pk)
    online.write()
    return lambda: (
        other
        in [row.user for row in followed_online.followed_online(me, relationship_selectors.separated_by_block(me.pk))]
    )


CHANNELS: list[Channel] = [
    challenging,
    challenging_on_the_page,
    challenging_over_the_api,
    challenging_with_my_bot,
    accepting_a_challenge,
    seeing_a_challenge,
    receiving_a_missed_challenge,
    accepting_a_seek,
    accepting_a_seek_on_the_page,
    accepting_a_seek_over_the_api,
    accepting_a_seek_with_my_bot,
    accepting_as_a_guest,
    opening_the_link_of_a_seek,
    reading_a_seek_over_the_api,
    seeing_a_seek,
    offering_a_rematch,
    accepting_a_rematch,
    challenging_on_a_ladder,
    finding_the_button_on_a_ladder,
    accepting_a_ladder_challenge,
    being_challenged_on_a_ladder,
    watching_on_the_page,
    watching_over_the_socket,
    reading_the_state_over_the_api,
    reading_the_actions_over_the_api,
    reading_the_dice_over_the_api,
    fetching_the_transcript_of_the_dice,
    seeing_their_match_in_the_lobby,
    following,
    seeing_their_presence,
]
