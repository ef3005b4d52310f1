"""The settings of the site. Everything an admin may change is an environment variable, listed in docs/operations.md.

Without any, the site uses SQLite in `var/` and a bundled broker, which `manage.py demo` starts. With `DATABASE_URL` and
`REDIS_URL`, the same code runs on PostgreSQL and Redis in any number of processes. The queues and the timetable of the
background tasks are in celery.py.
"""

from __future__ import annotations

import secrets
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from backgammon import broker_connections, database_settings, languages, site_files
from backgammon.ops import logs
from backgammon.ops.environment import Environment

BASE_DIR = site_files.ROOT
env = Environment()
VAR_DIR = Path(env.str("TABLERO_VAR", default=str(site_files.data_folder()))).absolute()
SECRET_KEY = env.key("SECRET_KEY", file=VAR_DIR / "secret_key", new_key=lambda: secrets.token_urlsafe(50))
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = False
HTTPS = env.bool("HTTPS", default=False)
TRUST_PROXY = env.bool("TRUST_PROXY", default=False)
# Connections of one IP address to one web process; 0 and TRUST_PROXY: no limit (games.connections.tcp_limits).
CONNECTIONS_PER_ADDRESS = env.int("CONNECTIONS_PER_ADDRESS", default=500)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
INTERNAL_IPS: list[str] = []

INSTALLED_APPS = [
    "accounts.apps.TableroAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "allauth",
    "allauth.account",
    "allauth.idp.oidc",
    "allauth.mfa",
    "allauth.socialaccount",
    "django_htmx",
    "csp",
    "backgammon.apps.TableroConfig",
    "backgammon.ops",
    "accounts",
    "games",
    "ladders",
    "tournaments",
    "analysis",
    "chat",
    "notifications",
    "eventlog",
]

MIDDLEWARE = [
    "backgammon.headers.HeadersMiddleware",
    "backgammon.ops.request_middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "backgammon.compression.CompressionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "accounts.web.middleware.LanguageMiddleware",
    "accounts.api.https_only.HTTPSOnlyMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.auth.middleware.MFAMiddleware",
    "accounts.programs.middleware.OAuthURLMiddleware",
]

ROOT_URLCONF = "backgammon.urls"
ASGI_APPLICATION = "backgammon.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "accounts.web.context_processors.preferences",
            ],
        },
    },
]

DATABASE_POOL = env.int("DATABASE_POOL", default=20)
DATABASES = {
    "default": database_settings.with_options(
        env.database("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'tablero.sqlite3'}"),
        pool=DATABASE_POOL,
    )
}
ON_SQLITE = database_settings.is_sqlite(DATABASES["default"])

REDIS_URL = env.broker("REDIS_URL", default=f"unix://{VAR_DIR / 'run' / 'broker.sock'}")
MESSAGES_URL = env.broker("MESSAGES_URL", default=REDIS_URL, cluster=True)
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "games.channel_layer.LocalFirstChannelLayer",
        "CONFIG": {
            "hosts": [broker_connections.of_channel_layer(MESSAGES_URL, max_connections=4096, socket_timeout=None)],
            "prefix": "tablero",
        },
    }
}

# Shared by all processes: rate limits are counted here.
CACHES = {
    "default": {
        "BACKEND": "backgammon.cache.Cache",  # falls back to process memory while the broker does not respond
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "tablero",
        "OPTIONS": {
            "pool_class": "backgammon.broker_connections.BrokerPool",
            "socket_connect_timeout": 1,
            "socket_timeout": 1,
        },
    }
}

CELERY_BROKER_URL, CELERY_BROKER_TRANSPORT_OPTIONS = broker_connections.of_celery(REDIS_URL)
if ON_SQLITE:
    CELERY_DB_REUSE_MAX = 1000  # tasks before a worker opens the file again, which takes as long as a sweep
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")

# Accounts
AUTH_USER_MODEL = "accounts.User"
CLUBS_OPEN = env.bool("CLUBS_OPEN", default=False)  # whether any member may create a club, or only the staff
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.auth.password_validators.DatesValidator"},
    {"NAME": "accounts.auth.password_validators.SiteWordsValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "accounts.auth.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.validation.VALIDATORS"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # accounts.auth.views redirects members, but not guests
# A club's members may share one IP address: limits count by account first, by address only against floods.
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "login_failed": "10/10m/key,200/10m/ip",
    "login_failed_account": "10/10m/key",
    "signup": "60/h/ip",
    "reset_password": "60/h/ip,5/h/key",
    "manage_email": "10/10m/user",
    "change_password": "10/10m/user",
    "reauthenticate": "10/10m/user",
}
# Limits on other expensive or disturbing actions, counted by accounts.web.limits ("who": a member, else an IP address).
LIMITS = env.entries(
    "LIMITS",
    defaults={
        "guest": "60/h/ip",
        "check": "600/h/ip",
        "search": "120/m/who",
        "import": "30/h/who",
        "analysis": "60/h/who",
        "export": "60/h/who",
        "card": "300/h/ip",
        "invitation": "100/d/who",
        "leave": "10/10m/who",
        "sso": "300/10m/ip",
        "owner": "20/10m/ip",
    },
)
ACCOUNT_PREVENT_ENUMERATION = "strict"  # accounts.auth.adapter: responses are the same for known and unknown addresses
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_FORMS = {
    "reset_password": "accounts.auth.forms.QueuedPasswordResetForm",
    "signup": "accounts.auth.forms.MemberSignupForm",
}
ANSWER_AFTER = 0.5  # minimum seconds of responses that depend on whether an account exists (accounts.auth.enumeration)

# Single sign-on with accounts of the club's OpenID Connect provider; off without these (accounts/auth/sso.py).
SSO_ISSUER = env.issuer("SSO_ISSUER")
SSO_CLIENT_ID = env.str("SSO_CLIENT_ID", default="")
SSO_CLIENT_SECRET = env.str("SSO_CLIENT_SECRET", default="")
SSO_NAME = env.str("SSO_NAME", default="") or urlsplit(SSO_ISSUER).hostname or ""  # of the provider, on the button
SSO_LINK_BY_EMAIL = env.bool("SSO_LINK_BY_EMAIL", default=False)
SOCIALACCOUNT_REQUESTS_TIMEOUT = 15  # seconds that the provider may take: checking a secret is slow on a busy machine
SOCIALACCOUNT_ADAPTER = "accounts.auth.sso.SocialAccountAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an equal e-mail address signs nobody in: the adapter links, if at all

# Two-factor authentication
MFA_FORMS = {
    "add_webauthn": "accounts.auth.mfa_forms.AddPasskeyForm",
    "edit_webauthn": "accounts.auth.mfa_forms.EditPasskeyForm",
    "login_webauthn": "accounts.auth.mfa_forms.LoginPasskeyForm",
    "authenticate_webauthn": "accounts.auth.mfa_forms.AuthenticatePasskeyForm",
    "reauthenticate_webauthn": "accounts.auth.mfa_forms.ReauthenticatePasskeyForm",
    "activate_totp": "accounts.auth.mfa_forms.ActivateCodeForm",
    "authenticate": "accounts.auth.mfa_forms.AuthenticateCodeForm",
    "reauthenticate": "accounts.auth.mfa_forms.ReauthenticateCodeForm",
}
MFA_ADAPTER = "accounts.auth.mfa.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = False
MFA_TOTP_ISSUER = "Tablero"
MFA_TOTP_TOLERANCE = 0  # a code is valid for its own 30 seconds and works once
MFA_ALLOW_UNVERIFIED_EMAIL = True  # clubs without e-mail may use two-factor authentication, too
MFA_RECOVERY_CODES_SHOW_ONCE = True
STAFF_SECOND_STEP = env.bool("STAFF_SECOND_STEP", default=True)  # staff need two-factor authentication
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if TRUST_PROXY else 0
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# E-mail: without a server addresses are not confirmed, and an owner creates password reset links by command.
_mail = env.mail("EMAIL_URL")
HAS_MAIL = bool(_mail)
if HAS_MAIL:
    vars().update(_mail)
    ACCOUNT_EMAIL_VERIFICATION = "optional"
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    ACCOUNT_EMAIL_VERIFICATION = "none"
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="tablero@localhost")
EMAIL_TIMEOUT = 10  # seconds that a mail server may take to respond
# The public URL of the site, for links in e-mail.
SITE_URL = env.str("SITE_URL", default="") or f"http{'s' if HTTPS else ''}://{(ALLOWED_HOSTS or ['localhost'])[0]}"
# Seconds until a notification is sent by e-mail or push, so that users on the site have seen it there.
NOTICE_MAIL_AFTER = env.int("NOTICE_MAIL_AFTER", default=120)
NOTICE_PUSH_AFTER = env.int("NOTICE_PUSH_AFTER", default=15)

# Push notifications: signed with the site's own key, which is created once in `var/` if none is given.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")
VAPID_SUBJECT = env.str("VAPID_SUBJECT", default="") or f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}"
PUSH_LOOPBACK = env.bool("PUSH_LOOPBACK", default=False)  # for tests: a push service on this machine, without https

HOOKS_LOOPBACK = env.bool("HOOKS_LOOPBACK", default=False)  # for tests: webhooks to this machine, without https

# Languages
LANGUAGE_CODE = languages.DEFAULT
LANGUAGES = [(language.code, language.name) for language in languages.LANGUAGES.values()]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "backgammon.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")

# Static files
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(VAR_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static", ("messages", BASE_DIR / "locale" / "js")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": env.str("STATICFILES_BACKEND", default="backgammon.static_storage.ManifestStaticFilesStorage")
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = False

# Security headers and cookies
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "font-src": [SELF],
        "manifest-src": [SELF],
        "media-src": [SELF],
        "worker-src": [SELF],
        "frame-src": [NONE],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
MESSAGE_STORAGE = "accounts.web.message_storage.MessageStorage"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = [r"(api|identity/o/api)/"]  # refused over plain HTTP (accounts.api.https_only), not redirected
CSRF_COOKIE_HTTPONLY = True
THEME_COOKIE_NAME = "theme"
BOARD_COOKIE_NAME = "board"
if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # Browsers accept cookies with this prefix from this host only, and over HTTPS only.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    THEME_COOKIE_NAME = "__Host-theme"
    BOARD_COOKIE_NAME = "__Host-board"
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# The API: views need authentication unless they say otherwise.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.programs.authentication.TokenAuthentication",
        "accounts.programs.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsers.JsonParser"],
    "DEFAULT_SCHEMA_CLASS": "accounts.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "accounts.api.errors.handler",
    "URL_FORMAT_OVERRIDE": None,
}
# API rate limits, as requests/seconds for a token, a user or an IP address (docs/api.md).
API_RATES = {
    "read": env.rate("API_RATE_READ", default="600/60"),
    "write": env.rate("API_RATE_WRITE", default="120/60"),
    "play": env.rate("API_RATE_PLAY", default="1200/60"),
    "search": env.rate("API_RATE_SEARCH", default="120/60"),
    "import": env.rate("API_RATE_IMPORT", default="30/3600"),
    "analysis": env.rate("API_RATE_ANALYSIS", default="120/3600"),
    "login": env.rate("API_RATE_LOGIN", default="60/60"),
}
# Apps that users authorise (OAuth 2, OpenID Connect: docs/programs.md).
IDP_OIDC_ADAPTER = "accounts.programs.oauth_adapter.ClientAdapter"
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 60 * 60 * 24 * 90
OIDC_PRIVATE_KEY = env.str("OIDC_PRIVATE_KEY", default="")  # else one that is created once in `var/`
SPECTACULAR_SETTINGS = {
    "TITLE": "Tablero",
    "DESCRIPTION": "The API that the site itself lives on.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVERS": [{"url": SITE_URL.rstrip("/"), "description": "This site."}],
    "WEBHOOKS": ["eventlog.api.webhook_schema.EVENT"],
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["accounts.api.schema.finalize_schema"],
}

# Play
PLAY_THREADS = 1 if ON_SQLITE else env.int("PLAY_THREADS", default=2)
ACTS_WITHOUT_THREAD = DATABASE_POOL >= PLAY_THREADS + 4  # commits and the event loop keep one each; two are for pages
DICE_ELEMENTS = 65_536  # rolls of one match that the server's chain can prove (bgdice/1)
QUESTIONS_A_DAY = env.int("QUESTIONS_A_DAY", default=60)  # positions that a member may have analysed in a day
HINTS_A_DAY = env.int("HINTS_A_DAY", default=1000)  # hints that a player may ask for in a day, against the computer
VACATION_DAYS = env.int("VACATION_DAYS", default=30)  # of correspondence matches, for each player and year
ABSENCE_SECONDS = env.int("ABSENCE_SECONDS", default=120)  # until a player may claim a match whose opponent is absent
ABSENCE_GRACE_SECONDS = env.int(
    "ABSENCE_GRACE_SECONDS", default=600
)  # after a restart, during which absence does not count
DICE_OPENING_WAIT = 20  # seconds that both clocks are stopped at an opening roll (ruling "Match clock")

# Analysis
# Match analyses: on request ("ask"), of every match ("always"), or "off".
REPORTS = env.choice("REPORTS", choices=("ask", "always", "off"), default="ask")
IDLE_ANALYSIS = env.bool("IDLE_ANALYSIS", default=True)  # analysis only computes while nothing else does
REPORTS_A_DAY = env.int("REPORTS_A_DAY", default=20)  # that a player may request in a day

# Monitoring
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")  # lets Prometheus read the metrics from another machine
SENTRY_DSN = env.str("SENTRY_DSN", default="")  # where errors are sent, without personal data
# Traces of acts for OpenTelemetry, whose own variables begin with OTEL_ (docs/operations.md)
TRACES = env.bool("TABLERO_TRACES", default=bool(env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")))
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=False)  # one line for each request
LOGGING = logs.config(
    level=env.choice("LOG_LEVEL", choices=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), default="INFO"),
    style=env.choice("LOG_FORMAT", choices=("text", "json"), default="text"),
)

env.finish()  # the last line: an invalid variable above ends the process here, with one line that names it
