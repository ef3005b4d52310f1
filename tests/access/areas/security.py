"""One's own second steps, sessions, programs and webhooks; support by the staff; what machines ask of the site."""

from tests.access.table import Area, Row, form, page
from tests.access.world import WHO

ROWS: tuple[Row, ...] = (
    # one's own log-ins and second steps
    page("security", "", "LS VVVV VVVVVV"),
    form("log-in-end", "{log_in}", "LS DRRR RRRRRR"),
    form("log-ins-end", "", "LS DNNN NNNNNN"),
    page("mfa_index", "", "LV VVVV VVVVVV"),
    page("mfa_authenticate", "", "LV VVVV VVVVVV"),
    page("mfa_reauthenticate", "", "LR PPPP PPPVVP"),
    page("mfa_activate_totp", "", "LV VVVV VVVVVV"),
    form("mfa_activate_totp", "", "LN NNNN NNNNNN", code="123456"),
    page("mfa_deactivate_totp", "", "LH HHHH HHHVVH"),
    form("mfa_deactivate_totp", "", "LH HHHH HHHDDH"),
    page("mfa_view_recovery_codes", "", "LH HHHH HHHHHH"),
    page("mfa_generate_recovery_codes", "", "LV VVVV VVVVVV"),
    form("mfa_generate_recovery_codes", "", "LN NNNN NNNDDN"),
    page("mfa_download_recovery_codes", "", "LH HHHH HHHHHH"),
    page("mfa_list_webauthn", "", "LV VVVV VVVVVV"),
    page("mfa_add_webauthn", "", "LV VVVV VVVVVV"),
    page("mfa_edit_webauthn", "1", "LH HHHH HHHHHH"),
    page("mfa_remove_webauthn", "1", "LH HHHH HHHHHH"),
    page("mfa_login_webauthn", "", "LL LLLL LLLLLL"),
    page("mfa_reauthenticate_webauthn", "", "LR PPPP PPPPPP"),
    # programs that one lets in
    page("programs", "", "LS VVVV VVVVVV"),
    form("token-make", "", "LS DDDD DDDDDD", name="Mine", scopes="read", days="30"),
    form("token-revoke", "{program_id}", "LS DRRR RRRRRR"),
    form("program-forget", "nobody", "LS RRRR RRRRRR"),
    page("idp:oidc:authorization", "", "LS BBBB BBBBBB"),
    page("/identity/o/authorize", "", "LS BBBB BBBBBB"),
    page("idp:oidc:configuration", "", "VV VVVV VVVVVV"),
    page("idp:oidc:jwks", "", "VV VVVV VVVVVV"),
    page("idp:oidc:userinfo", "", "LL LLLL LLLLLL"),
    page("idp:oidc:logout", "", "VV VVVV VVVVVV"),
    page("idp:oidc:device_authorization", "", "LV VVVV VVVVVV"),
    Row("idp:oidc:device_code", "POST", "BB BBBB BBBBBB", form={}, csrf=False),
    Row("idp:oidc:token", "POST", "BB BBBB BBBBBB", form={}, csrf=False),
    Row("idp:oidc:revoke", "POST", "BB BBBB BBBBBB", form={}, csrf=False),
    # webhooks
    page("hooks", "", "LS VVVV VVVVVV"),
    form("hooks", "", "LS DDDD DDDDDD", url="https://hooks.example.org/2", name="Another"),
    page("hook", "{hook}", "LS VHHH HHHHHH"),
    form("hook", "{hook}", "LS DHHH HHHHHH", url="https://hooks.example.org/2", name="Other"),
    form("hook-switch", "{hook}", "LS DHHH HHHHHH"),
    form("hook-secret", "{hook}", "LS DHHH HHHHHH"),
    form("hook-try", "{hook}", "LS DHHH HHHHHH"),
    form("hook-redeliver", "{hook} {delivery}", "LS DHHH HHHHHH"),
    form("hook-remove", "{hook}", "LS DHHH HHHHHH"),
    # support
    page("support", "", "LR RRRR RRRVVP"),
    page("support-record", "", "LR RRRR RRRVVP"),
    form("support-find", "", "LR RRRR RRRDDP", mail="ana@club.example", why="She asked"),
    page("support-person", "{player_id}", "LR RRRR RRRVVP"),
    page("support-act", "{player_id} ban", "LR RRRR RRRVVP"),
    form("support-act", "{player_id} ban", "LR RRRR RRRDDP", span="day", why="Shouting"),
    form("support-act", "{player_id} rename", "LR RRRR RRRDDP", name="anita", why="She asked"),
    form("support-act", "{player_id} log-out", "LR RRRR RRRDDP", why="She asked"),
    page("support-merge", "{gone}", "LR RRRR RRRVVP"),
    form("support-merge", "{gone}", "LR RRRR RRRDDP", into="{stays}", why="The same person", sure="on"),
    # machines
    page("health-live", "", "VV VVVV VVVVVV"),
    page("health-ready", "", "VV VVVV VVVVVV"),
    page("metrics", "", "VV VVVV VVVVVV"),
    page("first-owner", "", "HH HHHH HHHHHH"),
)

AREA = Area("security and support", ROWS, (*WHO, "superuser", "bare staff"))
