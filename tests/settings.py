"""The site's settings in a folder of the system's temp: a test never touches `var/`, and never waits for a disk.

Every process of a test run (xdist) makes a folder of its own, and removes it at the end.
"""

import atexit
import os
import shutil
import tempfile

from tests.services.environment import OURS

for name in OURS:
    if name != "DATABASE_URL" or not os.environ.get(name):
        os.environ.pop(name, None)
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"  # for the processes of xdist: they inherit this environment
os.environ["TABLERO_VAR"] = tempfile.mkdtemp(prefix="tablero-")
atexit.register(shutil.rmtree, os.environ["TABLERO_VAR"], ignore_errors=True)
os.environ["STATICFILES_BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
os.environ["LOG_LEVEL"] = "WARNING"

from backgammon.settings import *  # noqa: E402, F403
from backgammon.settings import DATABASES, STATIC_ROOT, VAR_DIR  # noqa: E402

STATIC_ROOT.mkdir()
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ANSWER_AFTER = 0.0  # tests/bench/timing.py measures it on a real site
STAFF_SECOND_STEP = False  # tests/accounts/test_second_step.py asks for it
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as on a real site: SQLite in memory locks whole tables between threads.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
DICE_ELEMENTS = 2048  # rolls enough for any match of the tests, and made in no time
PLAY_THREADS = 1  # consumers under test share the test's own database thread
