"""``python -m tests.access``: request every cell of the matrix, print it, and count routes and cells.

`--area play` asks one area; `--rewrite` puts the letters found into rows that have none, to be read by eyes.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

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
    from django.db import transaction

    from tests.access import matrix, sockets
    from tests.access.cell_check import quietly
    from tests.access.world import World
    from tests.services import garbage_collection
    from tools.services.database_and_broker import ground

    matrix.without_row(matrix.load_areas())  # before anything slow
    garbage_collection.set_aside()
    with ground(), quietly(rendered=not options.undrawn):
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
