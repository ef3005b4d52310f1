"""An asynchronous bot: `python examples/async_bot.py https://club.example TOKEN [OPPONENT ...]`.

It accepts every challenge, or challenges each OPPONENT and ends with these matches. It plays all of them at once: while
`choose` thinks about one, the others go on. Replace `choose` by your engine.
"""

import asyncio
import sys

from tablero_client import AsyncClient, Refused

TERMS = {"variant": "hypergammon", "length": 1, "clock": "none"}


async def choose(turn):
    """Choose one of `turn["actions"]`: hit if possible, never double, always take."""
    quiet = [action for action in turn["actions"] if action not in ("double", "drop", "reject")]
    return next((action for action in quiet if "*" in action), quiet[0])


async def answer(club, event):
    """Do what an event asks for."""
    try:
        if event["t"] == "challenge":
            await club.call("match_join", match_id=event["id"])
        elif event["t"] == "resume":
            await club.call("match_go_on", match_id=event["id"])
        elif event["t"] == "turn":
            act = {"id": f"bot-{event['version']}", "after": event["version"], "action": await choose(event)}
            await club.call("match_act", match_id=event["id"], **act)
    except (Refused, OSError) as error:
        print(error)  # the match has moved on, or the network is away: the next events say what to do


async def play(site, token, *opponents):
    """Answer each match in a task of its own."""
    club, answers = AsyncClient(site, token=token), {}
    offers = await asyncio.gather(*(club.call("match_offer", **TERMS, to=name) for name in opponents))
    matches = [offer["id"] for offer in offers]
    while matches or not opponents:
        for event in (await club.call("bot_events"))["events"]:
            if event["id"] not in answers or answers[event["id"]].done():
                answers[event["id"]] = asyncio.create_task(answer(club, event))
        if matches and (await club.call("match_state", match_id=matches[-1]))["match"]["result"]:
            matches.pop()
        await asyncio.sleep(0.5)


asyncio.run(play(*sys.argv[1:]))
