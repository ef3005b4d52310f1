"""A finished match is served game by game, each equal to its part of the whole match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games import replay_frames as frames
from games.engine import SIDES, Json, Side
from games.events import state_of
from games.models import Match
from games.selectors import replay_frames
from games.services import Answer
from tests.games.finished_matches import keep, sample

pytestmark = pytest.mark.django_db


def finished(name: str, ana: User, bea: User) -> Match:
    """The match of a file, with the snapshot that play would have left."""
    match = keep(sample(name), ana, bea)
    state = frames.start_state(match, [])
    actions = list(match.actions.order_by("n"))
    for action in actions:
        state = state.after(action.actor, action.text)
    match.snapshot, match.version = state.snapshot(), len(actions)
    match.save(update_fields=["snapshot", "version"])
    return match


def by_folding(match: Match) -> list[Json]:
    """Number, score, positions and outcome of each game, from the whole record at once."""
    state = frames.start_state(match, [])
    games: list[Json] = []
    for action in match.actions.order_by("n"):
        if not games or games[-1]["number"] != action.game_number:
            game = {"number": action.game_number, "score": state.score.view(), "start": state.position.view(None)}
            games.append({**game, "texts": [], "positions": [], "outcome": None})
        before, state = state, state.after(action.actor, action.text)
        over = state.closed is not before.closed
        games[-1]["texts"].append(action.text)
        games[-1]["positions"].append((state.closed if over and state.closed else state.position).view(None))
        games[-1]["outcome"] = state.ended if over else None
    return games


def by_game_frames(match: Match) -> list[Json]:
    games = []
    for head in replay_frames.replay_contents_of(match)["games"]:
        chapter = replay_frames.game_frames_of(match, head["number"])
        assert head["count"] == len(chapter["frames"])
        games.append(
            {
                "number": head["number"],
                "score": head["score"],
                "start": chapter["start"],
                "texts": [frame["action"]["text"] for frame in chapter["frames"]],
                "positions": [frame["position"] for frame in chapter["frames"]],
                "outcome": chapter["outcome"],
            }
        )
    return games


def resigned_match(match: Match, act: Callable[..., Answer], people: dict[Side, User]) -> Match:
    """The match to its end: the side to act rolls if it has to, and then resigns the game."""
    while match.status != Match.Status.OVER:
        state = state_of(match)
        side = next(side for side in SIDES if state.awaits(side))
        may = state.may(side)
        act(match, people[side], "roll" if "roll" in may else "accept" if "accept" in may else "resign 1")
        match.refresh_from_db()
    return match


@pytest.mark.parametrize("name", ["m10.mat", "m11.mat", "m14.mat"])
def test_the_game_frames_match_the_whole_record(name: str, ana: User, bea: User) -> None:
    match = finished(name, ana, bea)
    assert by_game_frames(match) == by_folding(match)


@pytest.mark.parametrize(
    ("variant", "terms"),
    [
        ("backgammon", {"length": 3}),
        ("acey-deucey", {"length": 15, "clock": "none"}),
        ("damas", {"length": 2, "clock": "none"}),
    ],
)
def test_the_score_before_each_game_is_that_of_the_record(
    variant: str,
    terms: dict[str, Any],
    open_table: Callable[..., Match],
    act: Callable[..., Answer],
    ana: User,
    bea: User,
) -> None:
    match = resigned_match(open_table(variant=variant, rated=False, **terms), act, {"white": ana, "black": bea})
    contents = replay_frames.replay_contents_of(match)
    assert len(contents["games"]) > 1 or variant == "acey-deucey"
    assert by_game_frames(match) == by_folding(match)
    assert contents["score"] == contents["score"] | {seat.side: seat.points for seat in match.seats.all()}


def test_a_page_opens_with_the_first_game_and_links_to_the_others(ana: User, bea: User, client: Client) -> None:
    match = finished("m11.mat", ana, bea)
    first, *others = client.get(f"/match/{match.pk}/").context["replay"]["games"]
    assert len(first["frames"]) == first["count"]
    assert len(others) == 4
    assert [game["url"] for game in others] == [f"/match/{match.pk}/replay/{n}.json?2" for n in range(2, 6)]
    assert not any("frames" in game for game in others)
    assert [game["number"] for game in (first, *others) if game["score"]["crawford"]] == [
        game["number"] for game in by_folding(match) if game["score"]["crawford"]
    ]


def test_browsers_may_cache_and_revalidate_a_game(ana: User, bea: User, client: Client) -> None:
    match = finished("m11.mat", ana, bea)
    url = reverse("match-game", args=[match.pk, 2])
    answer = client.get(url)
    assert answer.json() == replay_frames.game_frames_of(match, 2)
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["ETag"] == f'"2-{match.version}"'
    assert client.get(url, headers={"if-none-match": answer.headers["ETag"]}).status_code == 304


def test_there_is_no_replay_of_a_running_match_or_of_an_unplayed_game(
    ana: User, bea: User, client: Client, open_table: Callable[..., Match]
) -> None:
    match = finished("m10.mat", ana, bea)
    running = open_table()
    for match_id, game in ((match.pk, 0), (match.pk, 2), (match.pk, 99999), (running.pk, 1), ("nowhere", 1)):
        assert client.get(f"/match/{match_id}/replay/{game}.json").status_code == 404, (match_id, game)


def test_the_same_queries_for_one_game_and_for_five(ana: User, bea: User) -> None:
    def queries(match: Match) -> tuple[int, int]:
        with CaptureQueriesContext(connection) as opening:
            replay_frames.replay_contents_of(match)
        with CaptureQueriesContext(connection) as turning:
            replay_frames.game_frames_of(match, 1)
        return len(opening), len(turning)

    assert queries(finished("m10.mat", ana, bea)) == queries(finished("m11.mat", ana, bea)) == (2, 2)
