"""The settings of tests: data in a temporary folder, so that tests neither touch `var/` nor wait for a disk.

Every process of a test run (xdist) creates a folder of its own and removes it at the end.
"""

import atexit
import os
import shutil
import tempfile

from tools.services.environment import SITE_VARIABLES

for name in SITE_VARIABLES:
    if name != "DATABASE_URL" or not os.environ.get(name):
        os.environ.pop(name, None)
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"  # inherited by the processes of xdist
os.environ["TABLERO_VAR"] = tempfile.mkdtemp(prefix="tablero-")
atexit.register(shutil.rmtree, os.environ["TABLERO_VAR"], ignore_errors=True)
os.environ["STATICFILES_BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
os.environ["LOG_LEVEL"] = "WARNING"

from backgammon.settings import *  # noqa: E402, F403
from backgammon.settings import DATABASES, STATIC_ROOT, VAR_DIR  # noqa: E402

STATIC_ROOT.mkdir()
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ANSWER_AFTER = 0.0  # tools/bench/answer_timing.py measures it on a real site
STAFF_SECOND_STEP = False  # tests/accounts/test_mfa.py asks for it
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as on a real site: SQLite in memory locks whole tables between threads.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
DICE_ELEMENTS = 2048  # enough rolls for any match of the tests, and fast to generate
PLAY_THREADS = 1  # consumers under test share the test's own database thread
