"""Two players made of code sign up and play a match to 5 at real sockets, with a double, a take, a drop and a
Crawford game: `python -m tools.load.whole_match http://127.0.0.1:8000`.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from typing import Any

from tools.load.http_visitor import Visitor
from tools.load.socket_player import SocketPlayer

WANTED = frozenset({"double", "take", "drop", "Crawford"})


async def play_match(players: list[SocketPlayer], *, report: Any = print) -> set[str]:
    """Play one match to its end; return which of double, take, drop and Crawford happened in it."""
    seen: set[str] = set()
    for player in players:
        await player.sit()
    while not all(player.over for player in players):
        due = [player for player in players if player.due]
        if not due:
            await asyncio.sleep(0.005)
            continue
        player = due[0]
        score = player.frame["match"]["score"]
        if score["crawford"]:
            seen.add("Crawford")
        action = player.next_action() or "roll"
        if "double" in player.may and not {"take", "drop"} <= seen:
            action = "double"
        if "take" in player.may and "take" in seen and "drop" not in seen:
            action = "drop"
        answer, _ = await player.act(action)
        if answer["t"] == "refused":
            if answer["code"] == "stale":
                await asyncio.sleep(0.01)
                continue
            raise RuntimeError(f"{action}: {answer}")
        if action in WANTED:
            seen.add(action)
        version = answer["version"]
        for each in players:
            await each.reach(version)
        ended = player.frame.get("ended")
        if ended and action not in ("roll",):
            report(f"game {ended['game']}: {ended['winner']} wins {ended['points']} ({ended['kind']})")
    for player in players:
        await player.leave()
    return seen


async def run(base: str, *, length: int = 5, most: int = 12, report: Any = print) -> str:
    """Play matches between two new members until one had everything that is wanted; its id."""
    names = [f"{name}{secrets.token_hex(3)}" for name in ("ana", "bea")]
    visitors = [Visitor(base) for _ in names]
    for visitor, name in zip(visitors, names, strict=True):
        await asyncio.to_thread(visitor.sign_up, name)
    for number in range(1, most + 1):
        await asyncio.to_thread(visitors[0].challenge, names[1], length=length)
        match_id = await asyncio.to_thread(visitors[1].accept_first)
        players = [SocketPlayer(base, match_id, visitor.cookie_header, seed=number) for visitor in visitors]
        seen = await play_match(players, report=report)
        final = players[0].frame
        score, result = final["match"]["score"], final["match"]["result"]
        report(
            f"match {number} ({match_id}): {score['white']}-{score['black']}, {result['winner']} by {result['by']},"
            f" {final['version']} actions, with {', '.join(sorted(seen)) or 'no cube'}"
        )
        if seen >= WANTED:
            return match_id
    raise RuntimeError(f"no match of {most} had {', '.join(sorted(WANTED))}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="the site on this machine, e.g. http://127.0.0.1:8000")
    parser.add_argument("--length", type=int, default=5)
    options = parser.parse_args()
    match_id = asyncio.run(run(options.base.rstrip("/"), length=options.length))
    print(f"done: {options.base.rstrip('/')}/match/{match_id}/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
