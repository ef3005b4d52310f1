"""Taking back a play against the computer (ruling B17)."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from games import formats, services, take_back
from games.engine import SIDES
from games.errors import Refused
from games.events import build_event, for_viewer, state_of
from games.models import Action, Match, SeatFacts
from games.selectors import badges, match_files, match_state, players, replay_frames
from games.services import Answer
from tests.games.clock_control import Time
from tests.games.dice.seats import Player, fresh, play, script_result
from tests.replayed_state import replayed_state

pytestmark = pytest.mark.django_db

Act = Callable[..., Answer]


class Row(NamedTuple):
    n: int
    text: str


@pytest.fixture
def bot() -> User:
    return user_services.house_bot_ensure()


@pytest.fixture
def practice(ana: User, bot: User, act: Act, next_rolls: deque[Any]) -> Match:
    """A match to 5 of ana (White) against the computer, in which she has played her 3-1 and the computer its 6-2."""
    next_rolls += [(3, 1), (6, 2)]
    return played(begin(ana, bot, act), ana, bot, act)


def begin(ana: User, bot: User, act: Act, **terms: Any) -> Match:
    wanted = {"variant": "backgammon", "length": 5, "clock": "none", "rated": False, **terms}
    match = services.match_create(creator=ana, invited=bot, **wanted)
    act(match, ana, "roll")
    act(match, bot, "roll")
    return match


def played(match: Match, ana: User, bot: User, act: Act) -> Match:
    act(match, ana, "24/20")
    act(match, bot, "roll")
    act(match, bot, "24/18 13/11")
    match.refresh_from_db()
    return match


def may(match: Match, side: str | None) -> list[str]:
    """The taking back that `side` is offered."""
    match.refresh_from_db()
    event = build_event(match, list(match.seats.all()), state_of(match), moment=match.created_at)
    return [name for name in for_viewer(event, side, "state")["may"] if name.startswith("take-back")]  # type: ignore[arg-type]


def code(do: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        do()
    assert "take back" in refused.value.text or refused.value.code in ("match_over", "paused", "not_seated")
    return refused.value.code, refused.value.ruling


def test_actions_that_were_taken_back_do_not_stand() -> None:
    rows = [Row(1, "roll"), Row(2, "8/5"), Row(3, "24/20"), Row(4, "take-back 2"), Row(5, "6/3"), Row(6, "take-back 5")]
    assert take_back.standing(rows[:4]) == rows[:1]
    assert take_back.standing(rows) == rows[:1]
    assert take_back.standing([*rows, Row(7, "6/5")]) == [rows[0], Row(7, "6/5")]
    assert take_back.play_of("take-back 12") == 12
    assert [take_back.play_of(text) for text in ("take-back", "take-back 0", "8/5")] == [None] * 3


def test_the_position_comes_back_with_the_same_dice_after_the_computer_has_answered(
    practice: Match, ana: User, act: Act
) -> None:
    assert may(practice, "white") == ["take-back 4"]
    assert act(practice, ana, "take-back 4").version == 8
    practice.refresh_from_db()
    state = state_of(practice)
    assert (state.position.turn, state.dice, state.last) == ("white", (3, 1), None)
    assert state == replayed_state(practice)
    assert (practice.taken_back, practice.roll_index, practice.bot_at) == (1, 2, None)


def test_later_rolls_are_rolled_anew(practice: Match, ana: User, bot: User, act: Act, next_rolls: deque[Any]) -> None:
    act(practice, ana, "take-back 4")
    act(practice, ana, "8/5 6/5")
    next_rolls.append((5, 5))
    act(practice, bot, "roll")
    practice.refresh_from_db()
    assert (state_of(practice).dice, practice.roll_index) == ((5, 5), 3)
    assert state_of(practice) == replayed_state(practice)


def test_the_computer_plays_on_where_the_play_was_taken_back_before_its_answer(
    ana: User, bot: User, act: Act, next_rolls: deque[Any]
) -> None:
    next_rolls += [(3, 1)]
    match = begin(ana, bot, act)
    act(match, ana, "24/20")
    match.refresh_from_db()
    assert match.bot_at is not None
    act(match, ana, "take-back 4")
    match.refresh_from_db()
    assert match.bot_at is None
    act(match, ana, "8/5 6/5")
    match.refresh_from_db()
    assert match.bot_at is not None


def test_a_taking_back_names_its_play_so_no_answer_of_the_computer_makes_it_stale(
    practice: Match, ana: User, act: Act
) -> None:
    assert act(practice, ana, "take-back 4", after=4, client_id="tab-1").version == 8
    assert act(practice, ana, "take-back 4", after=4, client_id="tab-1").version == 8  # a retry
    assert Action.objects.filter(match=practice).count() == 8


def test_each_roll_can_be_taken_back_once(
    practice: Match, ana: User, bot: User, act: Act, next_rolls: deque[Any]
) -> None:
    act(practice, ana, "take-back 4")
    act(practice, ana, "13/9")
    assert may(practice, "white") == []
    assert code(lambda: act(practice, ana, "take-back 9")) == ("take_back_none", "B17")
    next_rolls += [(6, 2), (4, 2)]
    act(practice, bot, "roll")
    act(practice, bot, "24/18 13/11")
    act(practice, ana, "roll")
    act(practice, ana, "8/4 6/4")
    assert may(practice, "white") == ["take-back 15"]


def test_a_play_stands_once_its_player_has_rolled_again(practice: Match, ana: User, act: Act) -> None:
    act(practice, ana, "roll")
    assert may(practice, "white") == []
    assert code(lambda: act(practice, ana, "take-back 4")) == ("take_back_none", "B17")
    assert code(lambda: act(practice, ana, "take-back 2")) == ("take_back_none", "B17")


def test_nothing_is_taken_back_in_a_game_that_is_over(practice: Match, ana: User, bot: User, act: Act) -> None:
    act(practice, ana, "resign 1")
    act(practice, bot, "accept")
    assert code(lambda: act(practice, ana, "take-back 4")) == ("take_back_none", "B17")
    act(practice, ana, "resign match")
    assert code(lambda: act(practice, ana, "take-back 4")) == ("match_over", "")


def test_nobody_else_takes_a_play_back(practice: Match, ana: User, bea: User, bot: User, act: Act) -> None:
    assert (may(practice, "black"), may(practice, None)) == ([], [])
    assert code(lambda: act(practice, bot, "take-back 7")) == ("take_back_practice", "B17")
    assert code(lambda: act(practice, bea, "take-back 4")) == ("not_seated", "")


@pytest.mark.parametrize("facts", [{"rated": True}, {"arranged": True}])
def test_no_play_is_taken_back_in_a_rated_match_or_one_of_an_event(
    practice: Match, ana: User, act: Act, facts: dict[str, Any]
) -> None:
    Match.objects.filter(pk=practice.pk).update(**facts)
    assert may(practice, "white") == []
    assert code(lambda: act(practice, ana, "take-back 4")) == ("take_back_practice", "B17")


def test_no_play_is_taken_back_against_a_person(
    open_table: Callable[..., Match], ana: User, bea: User, act: Act, next_rolls: deque[Any]
) -> None:
    next_rolls.append((3, 1))
    match = open_table(rated=False)
    for user in (ana, bea):
        act(match, user, "roll")
    act(match, ana, "24/20")
    match.refresh_from_db()
    assert (match.open_play, may(match, "white")) == (None, [])
    assert code(lambda: act(match, ana, "take-back 4")) == ("take_back_practice", "B17")


def test_no_play_is_taken_back_against_the_bot_of_a_member(practice: Match, ana: User, bea: User, act: Act) -> None:
    User.objects.filter(is_bot=True).update(owner=bea, bot_level=None)
    assert code(lambda: act(practice, ana, "take-back 4")) == ("take_back_practice", "B17")


def test_the_clock_goes_on(ana: User, bot: User, act: Act, next_rolls: deque[Any], time: Time) -> None:
    next_rolls.append((3, 1))
    match = begin(ana, bot, act, clock="club")
    time(seconds=22)
    act(match, ana, "24/20")
    match.refresh_from_db()
    left = match.clock
    assert left is not None
    act(match, ana, "take-back 4")
    match.refresh_from_db()
    assert match.clock is not None
    assert (match.clock["white"], match.clock["running"]) == (left["white"], "white")


def test_the_dice_of_the_whole_record_verify(ana: User, bot: User) -> None:
    """All rolls are in the transcript, those that were taken back too."""
    terms = {"variant": "backgammon", "length": 5, "clock": "none", "rated": False}
    match = services.match_create(creator=ana, invited=bot, **terms)
    players = Player(ana, "white"), Player(bot, "black", silent=True)
    match = play(match, players, until=lambda now, state: bool(now.open_play) and state.awaits("white"))
    taken_back = match.roll_index
    players[0].act(match, f"take-back {match.open_play}")
    match = play(fresh(match), players, until=lambda now, state: now.roll_index > taken_back + 4)
    assert match.taken_back == 1
    assert script_result(match) == (None, {"B"})


@pytest.mark.parametrize(("variant", "seed"), [("backgammon", 1), ("backgammon", 2), ("acey-deucey", 3), ("damas", 4)])
def test_a_match_with_plays_taken_back_replays_to_its_state(
    ana: User, bot: User, act: Act, variant: str, seed: int
) -> None:
    length = {"acey-deucey": 15}.get(variant, 3)
    match = begin(ana, bot, act, variant=variant, length=length)
    match = play_on(match, ana, bot, act, random.Random(seed), actions=80)
    assert match.taken_back > 3
    assert state_of(match) == replayed_state(match)
    assert match.version == Action.objects.filter(match=match).count()
    act(match, ana, "resign match")
    match.refresh_from_db()
    frames = [
        frame["action"]["text"]
        for game in match.games.all()
        for frame in replay_frames.game_frames_of(match, game.number)["frames"]
    ]
    contents = replay_frames.replay_contents_of(match)
    assert sum(game["count"] for game in contents["games"]) == len(frames)
    assert frames == [row.text for row in take_back.standing(match.actions.order_by("n"))]
    for kind in match_files.available_formats(match):
        read = formats.read(match_files.match_text(match, kind).encode()).record
        assert [game.number for game in read.games] == [game["number"] for game in contents["games"]]


def play_on(match: Match, ana: User, bot: User, act: Act, choose: random.Random, *, actions: int) -> Match:
    """Play random legal actions, and take back about every second play of ana that can be taken back."""
    for _ in range(actions):
        match.refresh_from_db()
        state = state_of(match)
        if state.result is not None:
            break
        offered = may(match, "white")
        if offered and choose.random() < 0.25:
            act(match, ana, offered[0])
            continue
        side = next(side for side in SIDES if state.awaits(side))
        user = ana if side == "white" else bot
        if state.opening or state.roller:
            act(match, user, "roll")
        else:
            act(match, user, choose.choice(sorted(state.position.actions())))
    match.refresh_from_db()
    return match


def test_a_match_with_a_play_taken_back_counts_in_no_statistics_and_no_record(
    practice: Match, ana: User, bot: User, act: Act
) -> None:
    act(practice, ana, "take-back 4")
    act(practice, bot, "resign match")
    assert services.facts_make(match_id=practice.pk) is False
    assert services.facts_missing(days=None, most=5) == []
    assert SeatFacts.objects.count() == 0
    assert badges.records_of([], [], players.last_results(ana)[1]).streak == 0
    Match.objects.update(taken_back=0)
    assert services.facts_make(match_id=practice.pk) is True
    assert badges.records_of([], [], players.last_results(ana)[1]).streak == 1


def test_the_record_has_everything_and_the_match_is_marked(
    practice: Match, ana: User, act: Act, client: Client
) -> None:
    act(practice, ana, "take-back 4")
    event, _ = match_state.match_sync(match_id=practice.pk, user_id=None, after=3)
    assert [action["text"] for action in event["actions"]][-1] == "take-back 4"
    assert len(event["actions"]) == 5
    assert event["match"]["taken_back"] == 1
    client.force_login(ana, backend=user_services.BACKEND)
    page = client.get(reverse("match", args=[practice.pk])).content.decode()
    assert "1 play taken back" in page
    assert 'data-do="take-back"' in page
    act(practice, ana, "resign match")
    assert "1 play taken back" in client.get(reverse("match", args=[practice.pk])).content.decode()


def test_the_button_is_missing_where_nothing_can_be_taken_back(
    open_table: Callable[..., Match], ana: User, practice: Match, client: Client
) -> None:
    person = open_table(rated=False)
    client.force_login(ana, backend=user_services.BACKEND)
    assert 'data-do="take-back"' not in client.get(reverse("match", args=[person.pk])).content.decode()
    client.logout()
    assert 'data-do="take-back"' not in client.get(reverse("match", args=[practice.pk])).content.decode()


def test_a_play_is_taken_back_over_http(practice: Match, ana: User, client: Client) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    url = reverse("api-act", args=[practice.pk])
    body = {"id": "tab-1", "action": "take-back 4", "after": 5}
    done = client.post(url, body, content_type="application/json")
    assert (done.status_code, done.json()) == (200, {"version": 8})
    spanish = {"accept-language": "es"}
    again = client.post(url, {**body, "id": "tab-2"}, content_type="application/json", headers=spanish)
    assert (again.status_code, again.json()["code"], again.json()["ruling"]) == (409, "take_back_none", "B17")
    assert again.json()["text"].startswith("No hay ninguna jugada que deshacer")
