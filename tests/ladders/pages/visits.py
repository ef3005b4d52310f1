"""Challenging, playing, and reading the pages of ladders in a test."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.services import match_act, match_arrive
from ladders import selectors as reads
from ladders import services
from ladders.models import Ladder, LadderChallenge

As = Callable[[User | None], Client]
Make = Callable[..., Ladder]
MOST_QUERIES = 14

NEW = {
    "name": "Autumn ladder",
    "kind": "challenge",
    "variant": "backgammon",
    "length": "3",
    "clock": "club",
    "option_cube": "on",
    "rated": "on",
    "rule": "swap",
    "range": "2",
    "on_no_answer": "drop",
    "on_not_played": "drop",
}


def call(ladder: Ladder, challenger: User, defender: User) -> LadderChallenge:
    return services.challenge_make(ladder_id=ladder.pk, user=challenger, opponent=defender)


def play(challenge: LadderChallenge, winner: User) -> None:
    """Accept, come to the board, and let the other one resign."""
    match = services.challenge_accept(challenge_id=challenge.pk, user=challenge.defender)
    for player in (challenge.challenger, challenge.defender):
        match_arrive(match_id=match.pk, user=player)
    loser = challenge.defender if winner == challenge.challenger else challenge.challenger
    match_act(match_id=match.pk, user_id=loser.pk, action="resign match", client_id="gives-up")
    services.match_over(match_id=match.pk)


def order(ladder: Ladder) -> list[str]:
    return list(ladder.players.filter(rank__isnull=False).order_by("rank").values_list("user__username", flat=True))


def words(page: str) -> str:
    page = re.sub(r"<(script|head).*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"</?bdi>", "", page)
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def text(client: Client, ladder: Ladder, name: str = "ladder") -> str:
    answer = client.get(reverse(name, args=[ladder.pk]))
    assert answer.status_code == 200
    return words(answer.content.decode())


def markup(client: Client, ladder: Ladder) -> str:
    return str(client.get(reverse("ladder", args=[ladder.pk])).content.decode())


def messages_of(answer: Any) -> list[str]:
    """The messages that the next page will show."""
    return [str(message) for message in get_messages(answer.wsgi_request)]


def do(client: Client, name: str, /, *args: Any, **fields: Any) -> Any:
    client.cookies.pop("messages", None)  # those of earlier acts, which no page showed
    return client.post(reverse(name, args=args), fields)


def view(ladder: Ladder, user: User | None) -> reads.LadderView:
    return reads.page(ladder_id=ladder.pk, user=user)


def text_of_list(client: Client) -> str:
    return words(client.get(reverse("ladders")).content.decode())
