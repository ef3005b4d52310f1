"""A bot for Tablero in forty lines, with Python's standard library alone.

    python3 docs/example_bot.py https://club.example TOKEN

It accepts every challenge and hits whenever it can. Replace `choose` by your engine.
See docs/bots.md for the rest of the API.
"""

import json
import sys
import time
import urllib.error
import urllib.request

SITE, TOKEN = sys.argv[1].rstrip("/"), sys.argv[2]


def call(path, body=None):
    """Send a GET request, or a POST with a body, and return the response. A 409 is returned too, with its `code`."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{SITE}/api/v1/{path}", data, headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        if refusal.code == 409:  # the match has moved on, or the like: the next events say how it is
            return json.load(refusal)
        raise


def choose(turn):
    """Choose one of `turn["actions"]`. `call(f"matches/{turn['id']}/")` returns the board, score and clock."""
    quiet = [action for action in turn["actions"] if action not in ("double", "drop", "reject")]
    return next((action for action in quiet if "*" in action), quiet[0])


while True:
    events = call("bots/events/")["events"]
    for event in events:
        if event["t"] == "challenge":
            call(f"matches/{event['id']}/join/", {})
        elif event["t"] == "resume":
            call(f"matches/{event['id']}/go-on/", {})
        elif event["t"] == "turn":
            act = {"id": f"bot-{event['version']}", "after": event["version"], "action": choose(event)}
            call(f"matches/{event['id']}/act/", act)
    time.sleep(0.2 if events else 1)  # a play often follows a roll at once
