"""``python -m tests.access``: request every cell of the matrix, print it, and count routes and cells.

`--area play` asks one area; `--rewrite` puts the letters found into rows that have none, to be read by eyes.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")


def main() -> int:
    """Print the matrix; 1 if a cell differs from the table or a route has no row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--area", default="")
    parser.add_argument("--rewrite", action="store_true")
    parser.add_argument("--undrawn", action="store_true", help="pages without their templates: three times as fast")
    parser.add_argument("--quiet", action="store_true", help="only the counts, and what is wrong")
    options = parser.parse_args()
    import django

    django.setup()
    from django.conf import settings
    from django.db import connection, transaction
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    from tests.access import matrix, sockets
    from tests.access.cell_check import quietly
    from tests.access.world import World
    from tests.services import garbage_collection
    from tools.services import prebuilt, valkey

    matrix.without_row(matrix.load_areas())  # before anything slow
    setup_test_environment()
    with ExitStack() as stack:
        stack.enter_context(valkey.temporary_broker(Path(settings.VAR_DIR) / "run"))
        on_postgres = connection.vendor == "postgresql"
        test = settings.DATABASES["default"]["TEST"]
        if on_postgres:
            test["TEMPLATE"] = prebuilt.postgres_template(os.environ["DATABASE_URL"])
        else:
            prebuilt.copy_database(Path(test["NAME"]))
        made = setup_databases(verbosity=0, interactive=False, keepdb=not on_postgres)
        stack.callback(teardown_databases, made, verbosity=0)
        garbage_collection.set_aside()
        stack.enter_context(quietly(rendered=not options.undrawn))
        with transaction.atomic():
            began = time.monotonic()
            world = World()
            built = time.monotonic() - began
            wrong = []
            if options.area != "sockets":
                wrong += matrix.report(world, only=options.area, rewrite=options.rewrite, quiet=options.quiet)
            if options.area in ("", "sockets"):
                wrong += sockets.report(world, quiet=options.quiet)
            transaction.set_rollback(True)
        print(f"the world in {built:.1f} s, all of it in {time.monotonic() - began:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
