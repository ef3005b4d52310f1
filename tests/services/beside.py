"""Django beside a site, on its database and broker: runs each piece of code that a test asks for.

    python -m tests.services.beside        (a JSON string a line in, `{"answer": ...}` or `{"wrong": ...}` a line out)

One process for all that a test run asks of its site: to load Django anew takes two seconds each time.
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
    answers, sys.stdout = sys.stdout, sys.stderr  # what the code prints is no answer
    for line in sys.stdin:
        names: dict[str, Any] = {}
        try:
            exec(json.loads(line), names)  # noqa: S102 - the tests' own code
            reply = {"answer": names["answer"]}
        except Exception:
            reply = {"wrong": traceback.format_exc()}
        finally:
            connections.close_all()
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    main()
