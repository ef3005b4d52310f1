"""Match analysis, positions, the trainer, error rates and fair play."""

from tests.access.matrix_format import Area, Row, form, page

ROWS: tuple[Row, ...] = (
    page("report", "{over}", "HH VVHH HHHH"),
    page("report-summary", "{over}", "HH VVHH HHHH"),
    form("report-ask", "{ended}", "LR DDRR RRRR", depth="quick"),
    form("analysis-wishes", "", "LD DDDD DDDD", always="on"),
    page("position-edit", "", "VV VVVV VVVV"),
    page("position-ids", "", "VV VVVV VVVV", query="id={xgid}"),
    form("position-analyse", "", "LS RRDD DDDD", id="{xgid}"),
    page("position-answer", "{question}", "LS VHHH HHHH"),
    page("lesson", "", "VV VVVV VVVV"),
    page("lesson-step", "10", "VV VVVV VVVV"),
    form("lesson-answer", "1", "NN NNNN NNNN", answer="24/18 13/10"),
    page("train", "", "LS VVVV VVVV"),
    form("train-answer", "{card}", "LS DHHH HHHH", answer="4/off 4/2"),
    form("train-answer", "{card_in_play}", "LS NHHH HHHH", answer="8/5 6/5"),
    page("daily", "", "VV VVVV VVVV"),
    form("daily-vote", "", "LD DDDD DDDD", answer="8/5 6/5"),
    page("daily-past", "{yesterday}", "VV VVVV VVVV"),
    page("player-errors", "ana", "RR VRRR RRRR"),
    page("error-ladder", "", "VV VVVV VVVV"),
    form("errors-show", "", "LS DDDD DDDD", public="on"),
    page("club-fair-play", "{club}", "LS RRRR VRVV", writes="who looked is written down"),
    page("club-fair-play-player", "{club} ana", "LS RRRR VRVV", writes="who looked is written down"),
)

AREA = Area("analysis", ROWS)
