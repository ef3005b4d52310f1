"""Hand-made analyses: a finished match of ana and bea, and what an engine might report."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from analysis.models import Report
from games.database import now
from games.engine import Json
from games.models import Match
from tests.analysis.over import over

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:6"
REPLY = "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:0:0:0:5:6"


def play(n: int, side: str, *, loss: float = 0.0, **more: Any) -> Json:
    """A checker play: of White the opening 3-1, of Black the reply 6-4; the played one is the best, or the second."""
    best, other = ("8/5 6/5", "24/23 13/10") if side == "white" else ("24/14", "24/18 13/9")
    options = [
        {"play": best, "equity": 0.2, "loss": 0.0},
        {"play": other, "equity": 0.2 - (loss or 0.1), "loss": loss or 0.1},
    ]
    grade = "blunder" if loss >= 0.08 else "error" if loss >= 0.04 else ""
    return {
        "n": n,
        "side": side,
        "kind": "play",
        "phase": "contact",
        "xgid": OPENING if side == "white" else REPLY,
        "played": other if loss else best,
        "best": best,
        "loss": loss,
        "obvious": False,
        "grade": grade,
        "plays": options,
        "words": [["other", {}]],
        **more,
    }


def report_of(match: Match, *decisions: Json, depth: str = "quick") -> Report:
    """A finished analysis."""
    moment = now()
    return Report.objects.create(
        match=match,
        depth=depth,
        status=Report.Status.READY,
        asked_at=moment,
        touched_at=moment,
        made_at=moment,
        engine="Sage 2",
        data={"shape": 1, "games": [{"number": 1, "decisions": list(decisions)}]},
    )


def played(ana: User, bea: User, **more: Any) -> Match:
    """A finished match to 1."""
    return over("m10.mat", ana, bea, **more)
