"""Group commit: the same rows as `match_act` for any act, in fewer transactions."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import Context
from random import Random
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import dice, services
from games.errors import Refused, Stale
from games.events import state_of
from games.live import group_commit
from games.live.group_commit import commit_batch, current_group_commit
from games.live.ordinary_act import ActRequest, OrdinaryAct
from games.models import Action, Match
from games.services import Answer, dice_chains
from tests.games.clock_control import Time
from tests.replayed_state import replayed_state

pytestmark = pytest.mark.django_db(transaction=True)

Open = Callable[..., Match]


@pytest.fixture(autouse=True)
def _no_folded_matches() -> Iterator[None]:
    group_commit.forget()
    yield
    group_commit.forget()


@pytest.fixture
def match(
    open_table: Open, next_rolls: deque[tuple[int, int]], act: Callable[..., Answer], ana: User, bea: User
) -> Match:
    """Ana has won the opening with 3-1."""
    next_rolls.append((3, 1))
    begun = open_table()
    for user in (ana, bea):
        act(begun, user, "roll")
    return begun


def request(match: Match, user: User, action: str, *, client_id: str = "tab-1", after: int | None = None) -> ActRequest:
    return ActRequest(match.pk, user.pk, action, client_id, after, "", 0)


def commit(*requests: ActRequest) -> list[int | None]:
    """The versions after these acts in one batch; None for those that were left to `match_act`."""
    return [None if act is None else act.match.version for act in commit_batch(requests)]


def together(*requests: ActRequest) -> list[Any]:
    """What sockets that act at once are answered: versions, or what is raised."""

    async def scene() -> list[Any]:
        acts = (current_group_commit().act(each) for each in requests)
        return await asyncio.gather(*acts, return_exceptions=True)

    return [each.version if isinstance(each, Answer) else each for each in async_to_sync(scene)()]


def rows(match: Match) -> list[Any]:
    """The rows of the match and of its actions."""
    actions = [{**row, "id": None} for row in Action.objects.filter(match=match).order_by("n").values()]
    return [Match.objects.filter(pk=match.pk).values().get(), *actions]


def rows_after(match: Match, wanted: ActRequest) -> list[Any] | None:
    """The rows after an act by `match_act`, which is rolled back; None where it is refused."""
    try:
        with transaction.atomic():
            services.match_act(**wanted.as_parameters())
            found = rows(match)
            transaction.set_rollback(True)
    except Refused:
        return None
    return found


def any_act(match: Match, people: dict[str, User], choose: Random, number: int) -> ActRequest:
    """Some act in a match: mostly a legal one of the side to act."""
    match.refresh_from_db()
    state = state_of(match)
    side = next((side for side in choose.sample(["white", "black"], 2) if state.awaits(side)), "white")
    names = [name for name in state.may(side) if name in ("roll", "take", "drop", "move", "reject")]
    action = choose.choice([*names, "double"])
    if action == "move":
        action = choose.choice(state.position.actions())
    if choose.random() < 0.1:
        action, side = choose.choice(["8/5 6/5", "take", "nonsense", "resign 3"]), choose.choice(["white", "black"])
    after = choose.choice([None, match.version, match.version, match.version - 1])
    return ActRequest(match.pk, people[side].pk, action, f"tab-{number}", after, "", choose.choice([0, 80]))


@pytest.mark.parametrize(
    ("variant", "clock", "length"),
    [("backgammon", "club", 3), ("acey-deucey", "none", 15), ("damas", "fischer5", 1)],
)
def test_any_sequence_of_acts_leaves_the_same_rows_as_one_by_one(
    variant: str, clock: str, length: int, open_table: Open, ana: User, bea: User, time: Time
) -> None:
    choose, ordinary, people = Random(7), 0, dict[str, User]()
    match = Match(status=Match.Status.OVER)
    for number in range(120):
        if match.status == Match.Status.OVER:  # a resignation may end it early
            match = open_table(variant=variant, clock=clock, length=length, rated=False)
            sides = {seat.side: seat.user for seat in match.seats.select_related("user")}
            people = {side: user for side, user in sides.items() if user is not None}
        time(seconds=choose.choice([0.2, 1, 9]))
        wanted = any_act(match, people, choose, number)
        expected = rows_after(match, wanted)
        [act] = commit_batch([wanted])
        if act is None:
            with suppress(Refused):  # a deadline that has passed is carried out all the same
                services.match_act(**wanted.as_parameters())
        ordinary += act is not None
        assert expected in (None, rows(match))
        match.refresh_from_db()
    assert ordinary >= 10
    assert replayed_state(match) == state_of(match)


def test_acts_of_many_matches_are_one_transaction(open_table: Open, ana: User, bea: User, next_rolls: Any) -> None:
    begun = [open_table() for _ in range(3)]
    with CaptureQueriesContext(connection) as queries:
        assert commit(*(request(each, ana, "roll") for each in begun)) == [1, 1, 1]
    assert sum(query["sql"].startswith(("SAVEPOINT", "BEGIN")) for query in queries.captured_queries) <= 1


def test_a_refused_act_leaves_the_others_of_its_batch_alone(
    match: Match, open_table: Open, ana: User, bea: User
) -> None:
    other = open_table()
    refused, done = together(request(match, bea, "8/5 6/5"), request(other, bea, "roll"))
    assert isinstance(refused, Refused)
    assert (refused.code, done) == ("not_your_turn", 1)


def test_an_act_on_an_old_version_is_stale(match: Match, ana: User) -> None:
    [stale] = together(request(match, ana, "8/5 6/5", after=1))
    assert isinstance(stale, Stale)


def test_a_retry_gets_its_first_answer(match: Match, ana: User) -> None:
    retry = request(match, ana, "8/5 6/5", after=3)
    assert [together(retry), together(retry), together(retry, retry)] == [[4], [4], [4, 4]]
    assert Action.objects.filter(match=match, client_id="tab-1").count() == 1


def test_two_acts_in_one_match_are_two_batches_in_their_order(open_table: Open, ana: User, bea: User) -> None:
    begun = open_table()
    first, second = together(request(begun, ana, "roll"), request(begun, bea, "roll"))
    assert first == 1
    assert second > first


def test_a_batch_that_fails_is_tried_one_by_one(match: Match, open_table: Open, ana: User) -> None:
    other = open_table()
    Action.objects.create(match=match, n=4, game_number=1, actor="server", text="x", at=match.created_at)
    failed, done = together(request(match, ana, "8/5 6/5"), request(other, ana, "roll"))
    assert isinstance(failed, Stale)
    assert done == 1


def test_a_match_that_changed_elsewhere_is_read_again(match: Match, ana: User, bea: User) -> None:
    assert commit(request(match, ana, "8/5 6/5")) == [4]
    services.match_act(match_id=match.pk, user_id=bea.pk, action="roll", client_id="other-1")
    [stale] = together(request(match, bea, "roll", after=4))
    assert isinstance(stale, Stale)
    User.objects.filter(pk=bea.pk).update(username="beatriz")
    move = state_of(Match.objects.get(pk=match.pk)).position.actions()[0]
    [act] = commit_batch([request(match, bea, move)])
    assert isinstance(act, OrdinaryAct)
    assert act.event()["match"]["players"]["black"]["name"] == "beatriz"


def test_an_act_that_ends_a_game_is_carried_out_alone(match: Match, ana: User) -> None:
    assert commit(request(match, ana, "resign match")) == [None]
    assert together(request(match, ana, "resign match")) == [4]
    match.refresh_from_db()
    assert match.status == Match.Status.OVER


def test_somebody_else_gets_no_seat(match: Match, carlos: User) -> None:
    [refused] = together(request(match, carlos, "8/5 6/5"))
    assert isinstance(refused, Refused)
    assert refused.code == "not_seated"


@pytest.mark.usefixtures("_real_dice")
def test_the_chains_of_all_first_rolls_of_a_batch_are_one_query(open_table: Open, ana: User, bea: User) -> None:
    matches = [open_table() for _ in range(3)]
    for match in matches:
        services.match_act(**request(match, ana, "roll").as_parameters())
    dice_chains.forget()
    with CaptureQueriesContext(connection) as queries:
        assert commit(*(request(match, bea, "roll") for match in matches)) == [3, 3, 3]
    assert sum("dicesecret" in query["sql"] for query in queries) == 1


@pytest.fixture
def _real_dice() -> Iterator[None]:
    """The dice of the chains, in place of those that a test scripts."""
    before = dice.replace_roller(dice.system_roll)
    yield
    dice.replace_roller(before)


async def test_a_socket_that_expects_an_act_gets_no_database_connection_of_its_own() -> None:
    """In an event loop each task that looks at `connection` makes one, and a socket keeps it as long as it is open."""

    async def expecting() -> list[object]:
        current_group_commit().expect("nothing-here", 1)
        return connections.all(initialized_only=True)

    current_group_commit()
    assert [await asyncio.create_task(expecting(), context=Context()) for _ in range(2)] == [[], []]
