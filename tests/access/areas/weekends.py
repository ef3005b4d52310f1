"""Weekends: their pages for players, their desk, and what organizers and directors do there."""

from tests.access.matrix_format import Area, Row, form, page
from tests.access.world import ACTORS

WEEKEND = {"name": "Mine", "first": "2026-12-05", "last": "2026-12-06"}

ROWS: tuple[Row, ...] = (
    page("weekend", "{weekend}", "VV VVVV VVVV VV"),
    page("weekend", "{draft}", "HH HHHH VHVV HH"),
    page("weekend-live", "{weekend}", "VV VVVV VVVV VV"),
    page("weekend-calendar", "{weekend}", "VV VVVV VVVV VV"),
    page("weekend-prizes", "{weekend}", "VV VVVV VVVV VV"),
    page("weekend-prizes", "{draft}", "HH HHHH VHVV HH"),
    page("weekend-new", "{club}", "LS RRRR VRVV RR"),
    form("weekend-new", "{club}", "LS RRRR DRDD RR", **WEEKEND),
    page("weekend-desk", "{weekend}", "LS RRRR VRVV VV"),
    page("weekend-desk", "{draft}", "LS HHHH VHVV HH"),
    page("weekend-change", "{weekend}", "LS RRRR VRVV RR"),
    form("weekend-change", "{weekend}", "LS RRRR DRDD RR", **WEEKEND),
    form("weekend-tournaments", "{weekend}", "LS RRRR DRDD RR", tournaments="{open}"),
    form("weekend-publish", "{weekend}", "LS RRRR DRDD RR", action="hide"),
    form("weekend-publish", "{draft}", "LS HHHH DHDD HH"),
    form("weekend-remove", "{draft}", "LS HHHH DHDD HH"),
    page("weekend-people", "{weekend}", "LS RRRR VRVV RR"),
    form("weekend-person-add", "{weekend}", "LS RRRR DRRR RR", name="Pedro", tournaments="{open}"),
    form("weekend-boards", "{weekend}", "LS RRRR DRRR RR", rooms="Hall 1-8", automatic="on", tournaments="{cup}"),
    page("weekend-fees", "{weekend}", "LS RRRR VRVV RR"),
    form("weekend-paid", "{weekend}", "LS RRRR DRRR RR", entrant="{entry}"),
    page("weekend-records", "{weekend}", "LS RRRR VRVV RR"),
    form("weekend-records", "{weekend}", "LS RRRR DRDD RR", kind="pool", name="P", stake="5"),
)

AREA = Area("weekends", ROWS, (*ACTORS, "scorekeeper", "referee"))
