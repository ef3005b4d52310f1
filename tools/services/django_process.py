"""A Django process beside a site, on its database and broker, that runs code for a test.

    python -m tools.services.django_process

It reads a JSON string of code a line, and writes `{"answer": ...}` or `{"error": ...}` a line. One process serves a
whole test run, since loading Django takes two seconds each time.
"""

from __future__ import annotations

import json
import sys
import traceback
from typing import Any

import django
from django.db import connections


def main() -> None:
    django.setup()
    answers, sys.stdout = sys.stdout, sys.stderr  # what the code prints is not the answer
    for line in sys.stdin:
        names: dict[str, Any] = {}
        try:
            exec(json.loads(line), names)  # noqa: S102 - the tests' own code
            reply = {"answer": names["answer"]}
        except Exception:
            reply = {"error": traceback.format_exc()}
        finally:
            connections.close_all()
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    main()
