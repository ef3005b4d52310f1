"""The lobby, matches, files, ratings, history and live boards."""

from django.core.files.uploadedfile import SimpleUploadedFile

from tests.access.matrix_format import Area, Row, form, page
from tests.games.finished_matches import SAMPLES

SEEK = {"opponent": "anyone", "variant": "backgammon", "length": "3", "clock": "club"}


def _file() -> SimpleUploadedFile:
    return SimpleUploadedFile("m10.mat", (SAMPLES / "m10.mat").read_bytes())


ROWS: tuple[Row, ...] = (
    page("lobby", "", "VV VVVV VVVV"),
    page("lobby-lists", "", "VV VVVV VVVV"),
    page("offline", "", "VV VVVV VVVV"),
    page("match-terms", "", "VV VVVV VVVV", query="variant=backgammon"),
    form("guest-create", "", "DN NNNN NNNN"),
    form("match-create", "", "LD DDDD DDDD", **SEEK),
    form("match-create", "", "LD RDDR DDDD", **{**SEEK, "opponent": "player", "name": "ana"}),
    form("match-quick", "", "DD DDDD DDDD", pair="3:club"),
    form("match-quick", "", "RR RRRR RRRR", pair="9:club"),
    form("match-invite", "", "LD DDDD DDDD"),
    form("match-wait", "{seek}", "LR RRRR RRRR"),
    form("match-wait", "{called}", "LR RRRR RRRR"),
    page("match", "{seek}", "VV VVVR VVVV"),
    page("match", "{called}", "HH VVHH HHHH"),
    page("match", "{table}", "VV VVVR VVVV"),
    page("match", "{over}", "VV VVVV VVVV"),
    page("match", "{arranged}", "VV VVVR VVVV"),
    form("match-join", "{seek}", "LD RDDR DDDD"),
    form("match-join", "{called}", "LR RDRR RRRR"),
    form("match-join", "{table}", "LR RRRR RRRR"),
    page("match-overlay", "{table}", "VV VVVH VVVV"),
    form("match-go-on", "{adjourned}", "LR DDRR RRRR"),
    form("match-arrive", "{arranged}", "LR DDRR RRRR"),
    page("match-ready", "{arranged}", "VV VVVH VVVV"),
    form("match-cancel", "{seek}", "LR DRRR RRRR"),
    form("match-cancel", "{called}", "LR DRRR RRRR"),
    form("match-decline", "{called}", "LR RDRR RRRR"),
    form("match-rematch", "{ended}", "LR DDRR RRRR"),
    page("match-file", "{over} mat", "VV VVVV VVVV"),
    page("match-file", "{table} mat", "RR RRRH RRRR"),
    page("match-card", "{ended}", "VV VVVV VVVV"),
    page("match-card", "{over}", "HH HHHH HHHH"),  # from a file: no position is kept
    page("match-card", "{table}", "HH HHHH HHHH"),
    form("match-correct", "{over}", "LS RRRR RRDD", winner="black", reason="Read wrong", counts="on"),
    page("ratings", "", "VV VVVV VVVV"),
    page("ratings-script", "", "VV VVVV VVVV"),
    page("ratings-pool", "backgammon live", "VV VVVV VVVV"),
    page("ratings-log", "backgammon live", "VV VVVV VVVV"),
    page("match-dice-numbers", "{over}", "VV VVVV VVVV"),
    page("match-game", "{over} 1", "VV VVVV VVVV"),
    page("match-dice", "{table}", "VV VVVH VVVV"),
    page("match-import", "", "LS VVVV VVVV"),
    form("match-import", "", "LS DDDD DDDD", file=_file),
    form("match-mark", "{over}", "LR DDRR RRRR", favourite="on"),
    page("matches", "", "VV VVVV VVVV"),
    page("history", "", "LV VVVV VVVV"),
    page("archive", "", "LV VVVV VVVV"),
    form("archive-ask", "", "LR DDRR RRRR"),
    page("archive-file", "{archive}", "LH VHHH HHHH"),
    page("vacation", "", "LS VVVV VVVV"),
    form("vacation", "", "LS DDDD DDDD", days="3"),
    page("tv", "", "VV VVVV VVVV"),
    page("wall", "", "VV VVVV VVVV"),
    page("rules", "", "VV VVVV VVVV"),
    page("rules-page", "backgammon", "VV VVVV VVVV"),
    page("ruling", "B1", "VV VVVV VVVV"),
    page("position", "", "VV VVVV VVVV"),
    page("verify-dice", "", "VV VVVV VVVV"),
    page("dice", "", "VV VVVV VVVV"),
)

AREA = Area("play", ROWS)
