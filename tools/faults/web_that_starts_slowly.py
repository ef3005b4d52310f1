"""The web process on a slow machine: when all is imported, it takes a while until it serves.

It writes when that was to the file SLOW_START, in seconds since 1970.
"""

import os
import time
from pathlib import Path

from backgammon.asgi import application

SECONDS = 1.5

time.sleep(SECONDS)
Path(os.environ["SLOW_START"]).write_text(str(time.time()))

__all__ = ["application"]
