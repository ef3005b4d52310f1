"""What `make test-hosts` says of a run, without its hosts: they need root and a quarter of an hour."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any, cast

import pytest

from tools.faults.hosts import __main__ as program
from tools.faults.hosts import engines, network
from tools.faults.hosts.players import DOWN, Balancer, Charge, Player, Thinking, charged_beyond
from tools.faults.hosts.run import Account, Pause, Plan, Round, _longest_pause, report
from tools.faults.play.audit import Row, Rows
from tools.faults.play.record import Frame
from tools.faults.play.table import Table

PLAN = Plan(seed=7, matches=2, pace=0.5, kinds=("killed",), hosts=(1,))


def test_without_root_it_says_how_to_start_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert program.why_not() == "network namespaces need root: sudo make test-hosts"


def test_without_the_programs_it_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", "/nowhere")
    reason = program.why_not()
    assert reason.startswith("programs are missing: apt install iproute2 util-linux etcd-server patroni redis-server")


def round_of(pause: float, charged: float = 0.5) -> Round:
    charge = Charge("41 (31-26) of ana in one", sent=3.0, seconds=charged)
    longest = Pause(pause, after=2.0, match_id="one")
    return Round("killed", 1, ["database", "beat"], pause=longest, median_pause=6.0, whole=20.0, charge=charge, acts=90)


def test_a_match_that_stands_still_for_too_long_fails_the_run() -> None:
    good, late = Account(PLAN, [round_of(14.9)]), Account(PLAN, [round_of(15.1)])
    assert (good.failed, late.failed, Account(PLAN).failed) == (False, True, True)
    assert report(good).endswith("0 lost, 0 doubled")
    assert "host 1 killed: one stood still for 15.1 s, from 2.0 s after the fault" in report(late)


def test_an_act_that_cost_its_player_too_much_fails_the_run() -> None:
    dear = Account(PLAN, [round_of(9.0, charged=5.1)])
    assert (Account(PLAN, [round_of(9.0, charged=4.9)]).failed, dear.failed) == (False, True)
    assert "host 1 killed: 5.10 s for act 41 (31-26) of ana in one" in report(dear)


def test_a_clock_is_compared_with_the_time_of_thinking() -> None:
    player = Player(
        match_id="one", name="ana", cookie="", balancer=Balancer(["http://a", "http://b"]), seed="1", pace=0.5
    )
    player.thinking = {"x-1": Thinking(6.0, 8.0), "x-2": Thinking(10.0, 12.0)}
    player.sent_at = {"x-1": 8.0, "x-2": 12.0}
    first = Row(1, 1, "white", "32-28", "x-1", "32-28", 1, 60_000, 60_000)  # ana came late: it does not count
    answer = Row(2, 1, "black", "19-23", "y-1", "19-23", 2, 60_000, 58_000)
    act = Row(3, 1, "white", "31-26", "x-2", "31-26", 3, 57_500, 58_000)
    rows = Rows({"names": {"ana": "white", "bea": "black"}}, [first, answer, act])
    assert list(charged_beyond(rows, player)) == [Charge("3 (31-26) of ana in one", 12.0, 0.5)]


def test_a_player_thinks_once_about_an_act_though_the_line_breaks() -> None:
    player = Player(match_id="one", name="ana", cookie="", balancer=Balancer(["http://a"]), seed="1", pace=0.0)
    player.frame = {
        "you": "white",
        "version": 4,
        "may": ["roll"],
        "paused": None,
        "match": {"status": "live", "game": 1},
        "position": {"phase": "roll"},
    }

    async def twice() -> list[Any]:
        return [await player._considered(cast(Frame, player._due())) for _ in range(2)]

    acts = asyncio.run(twice())
    assert [act["action"] for act in acts] == ["roll", "roll"]
    assert player.thinking[acts[0]["id"]] is player.thinking[acts[1]["id"]]


def test_a_pause_is_what_is_left_beside_the_thinking_of_the_player_who_ends_it() -> None:
    player = Player(match_id="one", name="ana", cookie="", balancer=Balancer(["http://a"]), seed="1", pace=0.5)
    table = Table("one", [player])
    table.acked = [100.0, 109.0, 120.0]
    player.thought = {109.0: Thinking(98.0, 103.0), 120.0: Thinking(110.0, 112.0)}
    seen = Round("killed", 1, [], begun=101.0, ended=130.0)
    assert _longest_pause(table, seen) == Pause(9.0, 8.0, "one")  # 11 s from 109 to 120, of which 2 s of thinking


def test_a_player_goes_where_the_fewest_are_but_not_where_nobody_took_a_connection_just_now() -> None:
    moment = 100.0
    balancer = Balancer(["http://a", "http://b", "http://c"], clock=lambda: moment)
    assert [balancer.url("") for _ in range(4)] == ["http://a", "http://b", "http://c", "http://a"]
    balancer.found_down("http://b")
    assert [balancer.url("http://b"), balancer.url("")] == ["http://c", "http://a"]
    moment += DOWN
    assert balancer.url("http://c") == "http://b"


def test_patroni_waits_for_a_standby_and_gives_up_in_time(tmp_path: Path) -> None:
    units = engines.engines_of(2, tmp_path, "secret")
    assert [unit.name for unit in units] == ["etcd", "redis", "sentinel", "patroni"]
    config = json.loads((tmp_path / "postgres" / "patroni.json").read_text())
    shared = config["bootstrap"]["dcs"]
    assert shared["synchronous_mode"] is True
    assert shared["ttl"] >= shared["loop_wait"] + 2 * shared["retry_timeout"]
    assert config["postgresql"]["connect_address"] == f"{network.address(2)}:5432"
