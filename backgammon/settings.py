"""Settings of the site. Everything an admin may change is an environment variable, listed in docs/operations.md.

With nothing set this is the newcomer's machine: SQLite in `var/`, a bundled broker started by `manage.py demo`.
With `DATABASE_URL` and `REDIS_URL` set, the same code runs on PostgreSQL and Redis, in as many processes as wanted.
"""

from __future__ import annotations

import os
import secrets
import sys
from email.utils import parseaddr
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from backgammon.ops import logs
from backgammon.ops.environment import Environment

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()
VAR_DIR = Path(env.str("TABLERO_VAR", default=str(BASE_DIR / "var")))


def _secret_key() -> str:
    """The key from the environment, else one made once and kept in `var/` (readable by its owner only)."""
    if key := env.str("SECRET_KEY", default=""):
        return key
    path = VAR_DIR / "secret_key"
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if key := path.read_text().strip():
            return key
        raise ImproperlyConfigured(f"{path} is empty: delete it to have a new key made") from None
    with os.fdopen(handle, "w") as file:
        key = secrets.token_urlsafe(50)
        file.write(key)
    return key


SECRET_KEY = _secret_key()
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = False
HTTPS = env.bool("HTTPS", default=False)
TRUST_PROXY = env.bool("TRUST_PROXY", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
INTERNAL_IPS: list[str] = []

INSTALLED_APPS = [
    *(["daphne"] if "runserver" in sys.argv else []),  # no worker needs the web server
    "accounts.apps.OwnerAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "allauth",
    "allauth.account",
    "allauth.idp.oidc",
    "allauth.mfa",
    "django_htmx",
    "csp",
    "backgammon.apps.TableroConfig",
    "backgammon.ops",
    "accounts",
    "games",
    "tournaments",
    "analysis",
    "talk",
    "notices",
    "hooks",
]

MIDDLEWARE = [
    "backgammon.headers.HeadersMiddleware",
    "backgammon.ops.front.Front",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "accounts.middleware.LanguageMiddleware",
    "accounts.api.plain.PlainMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.SecondStepMiddleware",
    "accounts.middleware.AddressesMiddleware",
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
                "accounts.context.preferences",
            ],
        },
    },
]

# Data: SQLite with one writer at a time and a log that readers do not wait for; or what DATABASE_URL says.
DATABASES = {"default": env.database("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'tablero.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
    }
else:  # each page has a thread of its own and takes a connection from the pool; sockets and workers keep theirs
    DATABASES["default"]["ENGINE"] = "backgammon.postgresql"  # Django's own, whose server may be restarted
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["OPTIONS"] = {
        "pool": {"min_size": 1, "max_size": env.int("DATABASE_POOL", default=20), "timeout": 10}
    }

REDIS_URL = env.broker("REDIS_URL", default=f"unix://{VAR_DIR / 'run' / 'broker.sock'}")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "games.hub.Layer",
        "CONFIG": {
            "hosts": [{"address": REDIS_URL, "max_connections": 4096, "socket_timeout": None}],
            "prefix": "tablero",
        },
    }
}

# Shared by all processes: the limits on log-ins count here.
CACHES = {
    "default": {
        "BACKEND": "backgammon.cache.Cache",  # goes on in the process's own memory while the broker is away
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "tablero",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_DEFAULT_QUEUE = "tablero"
CELERY_TASK_ROUTES = {
    "games.tasks.bot_*": {"queue": "bots"},
    "games.tasks.sweep_ladders": {"queue": CELERY_TASK_DEFAULT_QUEUE},  # days, not seconds: no clock waits for it
    "games.tasks.sweep_*": {"queue": "clocks"},
    "analysis.tasks.sweep_*": {"queue": CELERY_TASK_DEFAULT_QUEUE},
    "analysis.tasks.*": {"queue": "analysis"},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat")
CELERY_BEAT_SCHEDULE = {
    "flags": {"task": "games.tasks.sweep_flags", "schedule": 1.0, "options": {"expires": 2}},
    "reminders": {"task": "games.tasks.sweep_reminders", "schedule": 60.0, "options": {"expires": 60}},
    "bots": {"task": "games.tasks.sweep_bots", "schedule": 2.0, "options": {"expires": 2}},
    "archives": {"task": "games.tasks.sweep_archives", "schedule": 30.0, "options": {"expires": 30}},
    "letters": {"task": "accounts.tasks.sweep_letters", "schedule": 3.0, "options": {"expires": 3}},
    "data": {"task": "accounts.tasks.sweep_data", "schedule": 30.0, "options": {"expires": 30}},
    "bans": {"task": "accounts.tasks.sweep_bans", "schedule": 30.0, "options": {"expires": 30}},
    "doors": {"task": "accounts.tasks.sweep_doors", "schedule": 3600.0, "options": {"expires": 600}},
    "facts": {"task": "games.tasks.facts_sweep", "schedule": 30.0, "kwargs": {"days": 1}, "options": {"expires": 30}},
    "all-facts": {"task": "games.tasks.facts_sweep", "schedule": 3600.0, "options": {"expires": 600}},
    "ladders": {"task": "games.tasks.sweep_ladders", "schedule": 10.0, "options": {"expires": 10}},
    "tournaments": {"task": "tournaments.tasks.sweep_tournaments", "schedule": 5.0, "options": {"expires": 5}},
    "nights": {"task": "tournaments.tasks.sweep_nights", "schedule": 20.0, "options": {"expires": 20}},
    "reports": {"task": "analysis.tasks.sweep_reports", "schedule": 15.0, "options": {"expires": 15}},
    "tallies": {"task": "analysis.tasks.sweep_tallies", "schedule": 60.0, "options": {"expires": 60}},
    "questions": {"task": "analysis.tasks.sweep_questions", "schedule": 10.0, "options": {"expires": 10}},
    "pushes": {"task": "notices.tasks.sweep_pushes", "schedule": 3.0, "options": {"expires": 3}},
    "mails": {"task": "notices.tasks.sweep_mails", "schedule": 5.0, "options": {"expires": 5}},
    "truth": {"task": "notices.tasks.sweep_truth", "schedule": 5.0, "options": {"expires": 5}},
    "old-notices": {"task": "notices.tasks.sweep_old", "schedule": 3600.0, "options": {"expires": 600}},
    "events": {"task": "hooks.tasks.sweep_events", "schedule": 1.0, "options": {"expires": 2}},
    "deliveries": {"task": "hooks.tasks.sweep_deliveries", "schedule": 2.0, "options": {"expires": 2}},
    "old-events": {"task": "hooks.tasks.sweep_old", "schedule": 3600.0, "options": {"expires": 600}},
    "answers": {"task": "analysis.tasks.sweep_answers", "schedule": 3600.0 * 6, "options": {"expires": 3600}},
}

# People
AUTH_USER_MODEL = "accounts.User"
CLUBS_OPEN = env.bool("CLUBS_OPEN", default=False)  # whether any member may open a club, or the staff alone
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.passwords.DatesValidator"},
    {"NAME": "accounts.passwords.OurWordsValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "lobby"
ACCOUNT_LOGOUT_REDIRECT_URL = "lobby"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_PRESERVE_USERNAME_CASING = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.VALIDATORS"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # accounts.views lets guests through, and only them
# A club shares one address: accounts are limited first, an address only against floods.
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "login_failed": "10/10m/key,200/10m/ip",
    "signup": "60/h/ip",
    "reset_password": "60/h/ip,5/h/key",
    "manage_email": "10/10m/user",
    "change_password": "10/10m/user",
    "reauthenticate": "10/10m/user",
}
# What else costs this machine or somebody's patience: accounts.limits spends them ("who": a member, else an address).
LIMITS = {
    "guest": "60/h/ip",
    "search": "120/m/who",
    "import": "30/h/who",
    "analysis": "60/h/who",
    "export": "60/h/who",
    "invitation": "100/d/who",
    "leave": "10/10m/who",
    "owner": "20/10m/ip",
    **env.dict("LIMITS", default={}),
}
ACCOUNT_PREVENT_ENUMERATION = "strict"  # accounts.adapter: a known address is answered as an unknown one
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60
ACCOUNT_FORMS = {"reset_password": "accounts.doors.ResetForm", "signup": "accounts.doors.JoinForm"}
ANSWER_AFTER = 0.5  # seconds that a door to an account takes at least, whoever knocks (accounts.doors)

# Second steps at the log-in
MFA_FORMS = {
    "add_webauthn": "accounts.second_forms.AddPasskeyForm",
    "edit_webauthn": "accounts.second_forms.EditPasskeyForm",
    "login_webauthn": "accounts.second_forms.LoginPasskeyForm",
    "authenticate_webauthn": "accounts.second_forms.UsePasskeyForm",
    "reauthenticate_webauthn": "accounts.second_forms.ReauthenticatePasskeyForm",
    "authenticate": "accounts.second_forms.UseCodeForm",
    "reauthenticate": "accounts.second_forms.ReauthenticateCodeForm",
}
MFA_ADAPTER = "accounts.second.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_PASSKEY_SIGNUP_ENABLED = False
MFA_TOTP_ISSUER = "Tablero"
MFA_TOTP_TOLERANCE = 0  # a code is good for its own half minute, in which it is remembered as used
MFA_ALLOW_UNVERIFIED_EMAIL = True  # clubs without mail have second steps too
MFA_RECOVERY_CODES_SHOW_ONCE = True
STAFF_SECOND_STEP = env.bool("STAFF_SECOND_STEP", default=True)  # the staff's rights wait for a second step
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if TRUST_PROXY else 0
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# Mail: without a server nobody is asked to confirm an address, and an owner makes reset links by hand.
_mail = env.mail("EMAIL_URL")
HAS_MAIL = bool(_mail)
if HAS_MAIL:
    vars().update(_mail)
    ACCOUNT_EMAIL_VERIFICATION = "optional"
else:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    ACCOUNT_EMAIL_VERIFICATION = "none"
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="tablero@localhost")
EMAIL_TIMEOUT = 10  # seconds that a server may take to answer
# Where mail leads: the address by which people know the site.
SITE_URL = env.str("SITE_URL", default="") or f"http{'s' if HTTPS else ''}://{(ALLOWED_HOSTS or ['localhost'])[0]}"
# Seconds until a notice leaves by mail or push: who is at a page of the site has read it there by then.
NOTICE_MAIL_AFTER = env.int("NOTICE_MAIL_AFTER", default=120)
NOTICE_PUSH_AFTER = env.int("NOTICE_PUSH_AFTER", default=15)

# Notices on devices: signed with the club's own key, made once in `var/` where none is given.
VAPID_PRIVATE_KEY = env.str("VAPID_PRIVATE_KEY", default="")
VAPID_SUBJECT = env.str("VAPID_SUBJECT", default="") or f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}"
PUSH_LOOPBACK = env.bool("PUSH_LOOPBACK", default=False)  # for tests: a push service on this machine, without https

HOOKS_LOOPBACK = env.bool("HOOKS_LOOPBACK", default=False)  # for tests: webhooks to this machine, without https

# Words
LANGUAGE_CODE = "en"
LANGUAGES = [("es", _("Spanish")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "backgammon.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="UTC")

# Files of the pages
STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(VAR_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": env.str("STATICFILES_BACKEND", default="backgammon.statics.ManifestStaticFilesStorage")},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = False

# Doors
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
MESSAGE_STORAGE = "accounts.flashes.Messages"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_REDIRECT_EXEMPT = [r"(api|identity/o/api)/"]  # refused over plain http (accounts.api.plain), not led on
CSRF_COOKIE_HTTPONLY = True
THEME_COOKIE_NAME = "theme"
if TRUST_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # Names that a browser takes from this host alone, and over https alone.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    THEME_COOKIE_NAME = "__Host-theme"
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024

# The API: closed unless a view opens it.
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.tokens.TokenAuthentication",
        "accounts.tokens.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.parsers.JsonParser"],
    "DEFAULT_SCHEMA_CLASS": "accounts.api.schema.ApiSchema",
    "EXCEPTION_HANDLER": "accounts.api.errors.handler",
    "URL_FORMAT_OVERRIDE": None,
}
# Requests of the API in so many seconds, for a token, a person or an address (docs/api.md).
API_RATES = {
    "read": env.rate("API_RATE_READ", default="600/60"),
    "write": env.rate("API_RATE_WRITE", default="120/60"),
    "play": env.rate("API_RATE_PLAY", default="1200/60"),
    "search": env.rate("API_RATE_SEARCH", default="120/60"),
    "import": env.rate("API_RATE_IMPORT", default="30/3600"),
    "analysis": env.rate("API_RATE_ANALYSIS", default="120/3600"),
    "login": env.rate("API_RATE_LOGIN", default="60/60"),
}
# Programs that people let in (OAuth 2, OpenID Connect: docs/programs.md).
IDP_OIDC_ADAPTER = "accounts.clients.ClientAdapter"
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 60 * 60 * 24 * 90
OIDC_PRIVATE_KEY = env.str("OIDC_PRIVATE_KEY", default="")  # else one made once in `var/`
SPECTACULAR_SETTINGS = {
    "TITLE": "Tablero",
    "DESCRIPTION": "The API that the site itself lives on.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["accounts.api.schema.written"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Play
PLAY_THREADS = 1 if "sqlite3" in DATABASES["default"]["ENGINE"] else env.int("PLAY_THREADS", default=2)
DICE_ELEMENTS = 65_536  # rolls of one match that the server's chain can prove (bgdice/1)
QUESTIONS_A_DAY = env.int("QUESTIONS_A_DAY", default=60)  # positions that a member may have analysed
VACATION_DAYS = env.int("VACATION_DAYS", default=30)  # a player and year, from matches by correspondence
ABSENCE_SECONDS = env.int("ABSENCE_SECONDS", default=120)  # until a player may claim the match of one who is away
ABSENCE_GRACE_SECONDS = env.int("ABSENCE_GRACE_SECONDS", default=600)  # after a restart, when nobody's absence counts
DICE_OPENING_WAIT = 20  # seconds that both clocks stand at an opening roll (ruling "Match clock")

# Analysis
# Report cards: when somebody asks, of every match ("always"), or "off".
REPORTS = env.among("REPORTS", words=("ask", "always", "off"), default="ask")
REPORTS_A_DAY = env.int("REPORTS_A_DAY", default=20)  # that a player may ask for

# Watching
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")  # lets a Prometheus in from elsewhere
SENTRY_DSN = env.str("SENTRY_DSN", default="")  # where errors are sent, without what they know of people
LOG_REQUESTS = env.bool("LOG_REQUESTS", default=False)  # one line a request
LOGGING = logs.config(
    level=env.among("LOG_LEVEL", words=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"), default="INFO"),
    style=env.among("LOG_FORMAT", words=("text", "json"), default="text"),
)

env.done()  # the last line: what is wrong above ends the process here, and says so
