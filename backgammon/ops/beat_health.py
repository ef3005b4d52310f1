"""`python -m backgammon.ops.beat_health`: exit status 0 if beat has sent a task within the last minute.

The probe of beat in containers. It starts without Django, and finds the broker through sentinels as the site does. Of
several beats only one sends tasks (`backgammon.celery_beat`): the others are healthy as long as that one is.
"""

from __future__ import annotations

import os
import sys
import time

from redis.exceptions import RedisError

from backgammon.ops.broker_client import client

BEAT_KEY = "tablero:watch:beat"
"""When a beat last sent a task, in seconds since 1970 (`backgammon.ops.task_monitor` writes it)."""
SILENT_AFTER = 60.0  # seconds


def main() -> int:
    """Return the exit status."""
    try:
        sent_at = client(os.environ["REDIS_URL"]).get(BEAT_KEY)
    except (RedisError, OSError) as error:
        print(f"the broker does not respond: {error}", file=sys.stderr)
        return 1
    return int(time.time() - float(sent_at or 0) > SILENT_AFTER)


if __name__ == "__main__":
    sys.exit(main())
