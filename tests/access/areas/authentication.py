"""Sign-in, sign-up, passwords and e-mail addresses: views of allauth and of the site."""

from tests.access.matrix_format import Area, Row, form, page
from tests.access.world import PASSWORD

ROWS: tuple[Row, ...] = (
    page("account_login", "", "VV VVVV VVVV"),
    form("account_login", "", "DD NNNN NNNN", login="julia", password=PASSWORD),
    form("account_login", "", "NN NNNN NNNN", login="julia", password="wrong"),
    page("account_signup", "", "VV VVVV VVVV"),
    form("account_signup", "", "DD NNNN NNNN", username="nueva", password1="nogal amarillo 7"),
    form("signup-check", "", "NN NNNN NNNN", username="nueva", password1="nogal amarillo 7"),
    form("signup-passkey", "", "RR NNNN NNNN", username="nueva", credential="{}"),
    form("signup-passkey-begin", "", "DN RRRR RRRR", username="nueva"),
    # single sign-on is off; with a provider: tests/accounts/sso
    form("sso-sign-in", "", "HH HHHH HHHH"),
    page("sso-callback", "", "HH HHHH HHHH"),
    page("sso-sign-up", "", "HH HHHH HHHH"),
    form("sso-sign-up", "", "HH HHHH HHHH", username="nueva"),
    form("sso-link", "", "HH HHHH HHHH"),
    form("sso-unlink", "", "HH HHHH HHHH"),
    page("account_logout", "", "VV VVVV VVVV"),
    form("account_logout", "", "ND DDDD DDDD"),
    page("account_inactive", "", "VV VVVV VVVV"),
    page("account_reauthenticate", "", "LR VVVV VVVV"),
    form("account_reauthenticate", "", "LR NNNN NNNN", password="wrong"),
    page("account_email", "", "LS VVVV VVVV"),
    form("account_email", "", "LS DDDD DDDD", action_add="1", email="new@club.example"),
    page("account_email_verification_sent", "", "VV VVVV VVVV"),
    page("account_change_password", "", "LS VVVV VVVV"),
    form(
        "account_change_password",
        "",
        "LS DDDD DDDD",
        oldpassword=PASSWORD,
        password1="nogal amarillo 7",
        password2="nogal amarillo 7",
    ),
    page("account_set_password", "", "LS VVVV VVVV"),
    form("account_set_password", "", "LS NNNN NNNN", password1="nogal amarillo 7", password2="nogal amarillo 7"),
    page("account_reset_password", "", "VV VVVV VVVV"),
    form("account_reset_password", "", "NN NNNN NNNN", email="ana@club.example"),
    page("account_reset_password_done", "", "VV VVVV VVVV"),
    page("account_reset_password_from_key", "x x", "VV VVVV VVVV"),
    form("account_reset_password_from_key", "x x", "NN NNNN NNNN", password1="nogal amarillo 7"),
    page("account_reset_password_from_key_done", "", "VV VVVV VVVV"),
    page("account_confirm_login_code", "", "LV VVVV VVVV"),
    form("account_confirm_login_code", "", "LN NNNN NNNN", code="123456"),
    page("account_confirm_email", "nokey", "VV VVVV VVVV"),
    form("account_confirm_email", "nokey", "HH HHHH HHHH"),
)

AREA = Area("authentication", ROWS)
