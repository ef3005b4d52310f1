"""URLs of signing in and up, reauthentication, recovery codes and active sessions; allauth's own follow after them."""

from django.urls import path

from accounts.auth import reauthentication, security_views, sso_views, views

urlpatterns = [
    path("accounts/login/", views.login, name="account_login"),
    path("accounts/signup/", views.signup, name="account_signup"),
    path("accounts/signup/check/", views.signup_check, name="signup-check"),
    path("accounts/signup/passkey/", views.signup_passkey, name="signup-passkey"),
    path("accounts/signup/passkey/begin/", views.passkey_begin, name="signup-passkey-begin"),
    path("accounts/sso/", sso_views.sign_in, name="sso-sign-in"),
    path("accounts/sso/callback/", sso_views.callback, name="sso-callback"),
    path("accounts/sso/signup/", sso_views.sign_up, name="sso-sign-up"),
    path("accounts/email/", views.email, name="account_email"),
    path("accounts/password/reset/", views.password_reset, name="account_reset_password"),
    path(
        "accounts/reauthenticate/",
        reauthentication.PasswordReauthenticateView.as_view(),
        name="account_reauthenticate",
    ),
    path("accounts/2fa/reauthenticate/", reauthentication.CodeReauthenticateView.as_view(), name="mfa_reauthenticate"),
    path(
        "accounts/2fa/webauthn/reauthenticate/",
        reauthentication.PasskeyReauthenticateView.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
    path("accounts/2fa/recovery-codes/", security_views.recovery_codes_page, name="mfa_view_recovery_codes"),
    path(
        "accounts/2fa/recovery-codes/generate/",
        security_views.GenerateRecoveryCodes.as_view(),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "accounts/2fa/recovery-codes/download/",
        security_views.recovery_codes_page,
        name="mfa_download_recovery_codes",
    ),
    path("settings/security/", security_views.security, name="security"),
    path("settings/security/sso/link/", sso_views.link, name="sso-link"),
    path("settings/security/sso/unlink/", sso_views.unlink, name="sso-unlink"),
    path("settings/security/end/", security_views.sessions_end, name="log-ins-end"),
    path("settings/security/<int:session_id>/end/", security_views.session_end, name="log-in-end"),
]
