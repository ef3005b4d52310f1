"""The API of people, clubs, programs, notices and webhooks. Beside those who come by a browser: two programs of ana."""

from tests.access.table import Area, Row, call, delete, page, patch, put
from tests.access.world import WHO

HOOK = {"url": "https://hooks.example.org/2", "name": "Another"}

ROWS: tuple[Row, ...] = (
    page("api-schema", "", "VV VVVV VVVVVV"),
    page("api-docs", "", "VV VVVV VVVVVV"),
    page("/api/v1/nothing/here/", "", "HH HHHH HHHHHH"),
    page("api-me", "", "LV VVVV VVVVVV"),
    page("api-preferences", "", "LV VVVV VVVVVV"),
    patch("api-preferences", "", "LD DDDD DDDDDR", theme="dark"),
    page("api-tokens", "", "LR VVVV VVVVVR"),
    delete("api-token", "{reader_id}", "LR DHHH HHHHDR"),
    page("api-programs", "", "LR VVVV VVVVVR"),
    delete("api-program", "nobody", "LR HHHH HHHHHR"),
    page("api-ties", "", "LV VVVV VVVVVV", query="kind=follow"),
    page("api-notes", "", "LR VVVV VVVVVV"),
    page("api-player-ties", "julia", "LV VVVV VVVVVV"),
    put("api-tie", "julia follow", "LR DRDD DDDDDR"),
    put("api-tie", "julia block", "LD DRDD DDDDDR"),
    delete("api-tie", "blas block", "LN DNNN NNNNDR"),
    put("api-note", "julia", "LR DDDD DDDDDR", text="Never drops"),
    delete("api-note", "julia", "LR NNNN NNNNNR"),
    page("api-clubs", "", "VV VVVV VVVVVV"),
    call("api-clubs", "", "LR RRRR RRRDRR", name="Cuarta"),
    call("api-invitation-take", "", "LR RRDD RDRDRR", invitation="{token}"),
    page("api-club", "{club}", "VV VVVV VVVVVV"),
    patch("api-club", "{club}", "LR RRRR RRDDRR", about="We play on Thursdays"),
    page("api-club-members", "{club}", "VV VVVV VVVVVV"),
    patch("api-club-member", "{club} ana", "LR RRRR RRDDRR", role="director"),
    delete("api-club-member", "{club} ana", "LR RRRR RRDDRR"),
    put("api-club-membership", "{club}", "LR RRDD RDRDRR"),
    delete("api-club-membership", "{club}", "LR DDRR DRDRDR"),
    page("api-club-requests", "{club}", "LR RRRR RRVVRR"),
    call("api-club-requests", "{asking}", "LR DDDD DDDDDR", text="Let me in"),
    call("api-club-request", "{club} {request}", "LR RRRR RRDDRR", accepted=True),
    page("api-club-invitations", "{club}", "LR RRRR RRVVRR"),
    call("api-club-invitations", "{club}", "LR RRRR RRDDRR", days=7),
    delete("api-club-invitation", "{club} {invitation}", "LR RRRR RRDDRR"),
    page("api-notices", "", "LV VVVV VVVVVV"),
    call("api-notices-read", "", "LN DDNN DNDDDR"),
    call("api-notice-read", "{notice}", "LH DHHH HHHHDR"),
    page("api-events", "", "LV VVVV VVVVVR", writes="an ear is kept open"),
    page("api-events-stream", "", "LL LLLL LLLLVR", writes="an ear is kept open"),
    page("api-hooks", "", "LR VVVV VVVVVR"),
    call("api-hooks", "", "LR DDDD DDDDDR", **HOOK),
    page("api-hook", "{hook}", "LR VHHH HHHHVR"),
    patch("api-hook", "{hook}", "LR DHHH HHHHDR", name="Other"),
    delete("api-hook", "{hook}", "LR DHHH HHHHDR"),
    call("api-hook-secret", "{hook}", "LR DHHH HHHHDR"),
    call("api-hook-ping", "{hook}", "LR DHHH HHHHDR"),
    page("api-hook-deliveries", "{hook}", "LR VHHH HHHHVR"),
    call("api-hook-redeliver", "{hook} {delivery}", "LR DHHH HHHHDR"),
)

AREA = Area("API of people", ROWS, (*WHO, "program", "reader"))
