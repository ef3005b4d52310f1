"""Addresses of people: doors, switches, settings. Profiles live in `games`, beside the matches they show."""

from django.urls import path

from accounts import again_views, bot_views, data_views, program_views, sessions_views, tie_views, views

urlpatterns = [
    path("accounts/login/", views.login, name="account_login"),
    path("accounts/signup/", views.signup, name="account_signup"),
    path("accounts/email/", views.email, name="account_email"),
    path("accounts/password/reset/", views.password_reset, name="account_reset_password"),
    path("accounts/reauthenticate/", again_views.PasswordAgain.as_view(), name="account_reauthenticate"),
    path("accounts/2fa/reauthenticate/", again_views.CodeAgain.as_view(), name="mfa_reauthenticate"),
    path(
        "accounts/2fa/webauthn/reauthenticate/",
        again_views.PasskeyAgain.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
    path("accounts/2fa/recovery-codes/", sessions_views.codes, name="mfa_view_recovery_codes"),
    path(
        "accounts/2fa/recovery-codes/generate/",
        sessions_views.CodesAnew.as_view(),
        name="mfa_generate_recovery_codes",
    ),
    path("accounts/2fa/recovery-codes/download/", sessions_views.codes, name="mfa_download_recovery_codes"),
    path("language/", views.language, name="set_language"),
    path("theme/", views.theme, name="set_theme"),
    path("settings/", views.preferences, name="settings"),
    path("settings/data/", data_views.data, name="data"),
    path("settings/data/ask/", data_views.data_ask, name="data-ask"),
    path("settings/data/<int:export_id>/", data_views.data_file, name="data-file"),
    path("settings/leave/", data_views.leave, name="leave"),
    path("settings/security/", sessions_views.security, name="security"),
    path("settings/security/end/", sessions_views.log_ins_end, name="log-ins-end"),
    path("settings/security/<int:log_in_id>/end/", sessions_views.log_in_end, name="log-in-end"),
    path("settings/people/", tie_views.people, name="people"),
    path("players/<str:name>/block/", tie_views.block, name="tie-block"),
    path("players/<str:name>/mute/", tie_views.mute, name="tie-mute"),
    path("players/<str:name>/follow/", tie_views.follow, name="tie-follow"),
    path("players/<str:name>/note/", tie_views.note, name="player-note"),
    path("settings/programs/", program_views.programs, name="programs"),
    path("settings/programs/make/", program_views.token_make, name="token-make"),
    path("settings/programs/<int:token_id>/revoke/", program_views.token_revoke, name="token-revoke"),
    path("settings/programs/<slug:client_id>/forget/", program_views.program_forget, name="program-forget"),
    path("settings/bots/", bot_views.bots, name="bots"),
    path("settings/bots/<int:bot_id>/token/", bot_views.bot_token, name="bot-token"),
    path("settings/bots/<int:bot_id>/retire/", bot_views.bot_retire, name="bot-retire"),
]
