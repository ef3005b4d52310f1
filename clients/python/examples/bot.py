"""A bot with tablero-client: `python examples/bot.py https://club.example TOKEN [OPPONENT]`.

It accepts every challenge, or challenges OPPONENT and ends with that match. Replace `choose` by your engine.
"""

import sys
import time

from tablero_client import Client, Refused

club = Client(sys.argv[1], token=sys.argv[2])
waiting_for = ""
if len(sys.argv) > 3:
    offer = {"variant": "hypergammon", "length": 1, "clock": "none", "to": sys.argv[3]}
    waiting_for = club.call("match_offer", **offer)["id"]


def choose(turn):
    """Choose one of `turn["actions"]`: hit if possible, never double, always take."""
    quiet = [action for action in turn["actions"] if action not in ("double", "drop", "reject")]
    return next((action for action in quiet if "*" in action), quiet[0])


def answer(event):
    """Do what an event asks for."""
    if event["t"] == "challenge":
        club.call("match_join", match_id=event["id"])
    elif event["t"] == "resume":
        club.call("match_go_on", match_id=event["id"])
    elif event["t"] == "turn":
        act = {"id": f"bot-{event['version']}", "after": event["version"], "action": choose(event)}
        club.call("match_act", match_id=event["id"], **act)


while not waiting_for or not club.call("match_state", match_id=waiting_for)["match"]["result"]:
    for event in club.call("bot_events")["events"]:
        try:
            answer(event)
        except Refused as refused:
            print(refused)  # the match has moved on: the next events say how it is
    time.sleep(0.5)
