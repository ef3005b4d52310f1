"""Ladders: playing on them, and directing them."""

from tests.access.matrix_format import Area, Row, form, page

NEW = {"name": "Spring", "kind": "challenge", "variant": "backgammon", "length": "3", "clock": "none"}

ROWS: tuple[Row, ...] = (
    page("ladders", "", "VV VVVV VVVV"),
    page("ladder-new", "", "LS RRRR VVVV"),
    form("ladder-new", "", "LS RRRR DRDD", club="{club_id}", **NEW),
    page("ladder-terms", "", "LS VVVV VVVV"),
    page("ladder", "{ladder}", "VV VVVV VVVV"),
    page("ladder-live", "{ladder}", "VV VVVV VVVV"),
    page("ladder-story", "{ladder}", "VV VVVV VVVV"),
    page("ladder-season", "{seasoned} 1", "VV VVVV VVVV"),
    form("ladder-join", "{ladder}", "LS NNRR DRDR"),
    form("ladder-leave", "{ladder}", "LS DDRR RRRR"),
    form("ladder-away", "{ladder}", "LS DDRR RRRR", days="3"),
    form("ladder-back", "{idle}", "LS NDRR RRRR"),
    form("ladder-challenge", "{undoing}", "LS RDRR RRRR", opponent="{player_id}"),
    form("challenge-accept", "{ladder} {challenge}", "LS DRRR RRRR"),
    form("challenge-decline", "{ladder} {challenge}", "LS DRRR RRRR"),
    form("challenge-withdraw", "{ladder} {challenge}", "LS RDRR RRRR"),
    form("challenge-decide", "{ladder} {challenge}", "LS RRRR DRDD", winner="{player_id}", reason="Over the board"),
    page("ladder-settings", "{ladder}", "LS RRRR VRVV"),
    form("ladder-settings", "{ladder}", "LS RRRR DRDD", **NEW),
    form("ladder-close", "{ladder}", "LS RRRR DRDD"),
    form("ladder-open", "{closed}", "LS RRRR DRDD"),
    form("ladder-undo", "{ladder}", "LS RRRR DRDD", n="{moved}", reason="A mistake"),
    form("ladder-redo", "{undoing}", "LS RRRR DRDD", n="{undone_n}", reason="No joke"),
    form("ladder-place", "{ladder}", "LS RRRR DRDD", player="{opponent_id}", to="1", reason="Agreed"),
    form("ladder-season-close", "{ladder}", "LS RRRR DRDD", name="Spring"),
)

AREA = Area("ladders", ROWS)
