"""Runs inside GNU Backgammon (`gnubg --python gnubg_server.py`), for `games.bots.gnubg`: answers lines of JSON.

A request is `{"cube": {...}, "ahead": 0, "cubeful": true, "boards": [[opponent, roller], ...]}`, each half with 24
points and the bar. The answer has, for each board, the five chances of the side on roll and, if `cubeful`, the equities
of its best cube action, of holding, of a double taken and of a double dropped. `{"met": N}` is answered by the match
equity table, `{"equity": E, "cube": {...}}` by a chance to win the match.
Standard library only; gnubg's own chatter goes to its standard output, so requests and answers have pipes of their own.
"""

import json
import os

import gnubg


def answer(request):
    """Answer one request."""
    if "met" in request:
        return gnubg.met(request["met"])
    if "equity" in request:
        return gnubg.eq2mwc(request["equity"], cube_of(request["cube"]))
    cube = cube_of(request["cube"])
    context = {"cubeful": 1, "plies": request["ahead"], "deterministic": 1, "prune": 1, "noise": 0.0}
    found = []
    for board in request["boards"]:
        board = tuple(map(tuple, board))
        chances = gnubg.evaluate(board, cube, context)[:5]
        found.append([chances, gnubg.cfevaluate(board, cube, context)[:4] if request["cubeful"] else None])
    return found


def cube_of(said):
    """Return gnubg's cube of a request. In its match the side on roll is player 1."""
    cube = gnubg.cubeinfo(said["value"], said["owner"], 1, said["length"], tuple(said["score"]), said["crawford"])
    return dict(cube, jacoby=0, beavers=0)


def serve(requests, answers):
    """Answer until the other end closes its pipe."""
    for line in requests:
        try:
            said = {"answer": answer(json.loads(line))}
        except Exception as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(said) + "\n")
        answers.flush()


for word in ("automatic game off", "automatic roll off", "display off", "confirm new off", "threads 2"):
    gnubg.command("set " + word)  # with one thread each call waits some milliseconds for nothing
inward, outward = os.environ["TABLERO_PIPES"].split(",")
serve(os.fdopen(int(inward)), os.fdopen(int(outward), "w"))
os._exit(0)
