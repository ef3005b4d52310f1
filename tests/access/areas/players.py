"""Profiles, settings, personal data, relationships and bots."""

from tests.access.matrix_format import Area, Row, form, page
from tests.access.world import PASSWORD

SETTINGS = {"language": "en", "theme": "dark", "direction": "ccw", "auto_forced": "on", "sound": "on"}
BOARD = {"board": "ocean", "checkers": "amber", "dice": "ruby", "animation": "fast", "volume": "40", "haptics": "on"}

ROWS: tuple[Row, ...] = (
    page("players", "", "VV VVVV VVVV"),
    page("player", "ana", "VV VVVV VVVV"),
    page("player-statistics", "ana", "VV VVVV VVVV"),
    page("player-against", "ana julia", "VV VVVV VVVV"),
    page("player-rating", "ana backgammon live", "VV VVVV VVVV"),
    page("translations", "", "VV VVVV VVVV"),
    form("set_language", "", "ND DDDD DDDD", language="es"),
    form("set_theme", "", "ND DDDD DDDD", theme="dark"),
    page("settings", "", "LV VVVV VVVV"),
    form("settings", "", "LD DDDD DDDD", **SETTINGS),
    page("board-settings", "", "VV VVVV VVVV"),
    form("board-settings", "", "ND DDDD DDDD", **BOARD),
    page("data", "", "LV VVVV VVVV"),
    form("data-ask", "", "LD RDDD DDDD"),
    page("data-file", "{export}", "LH VHHH HHHH"),
    page("leave", "", "LV VVVV VVVV"),
    form("leave", "", "LR RRRR RRRR", password=PASSWORD, word="ana"),  # she has live matches
    form("leave", "", "LR RRDR RRRR", password=PASSWORD, word="hugo"),
    page("people", "", "LV VVVV VVVV"),
    form("tie-block", "julia", "LD DRDD DDDD"),
    form("tie-mute", "julia", "LD DRDD DDDD"),
    form("tie-follow", "ana", "LS RDDR DDDD"),
    form("player-note", "ana", "LS DDDD DDDD", text="Never drops"),
    page("bots", "", "LS VVVV VVVV"),
    form("bots", "", "LS DDDD DDDD", name="nuevo"),
    form("bot-token", "{bot}", "LS DHHH HHHH"),
    form("bot-retire", "{bot}", "LS DHHH HHHH"),
)

AREA = Area("players", ROWS)
