"""``python -m games.formats read FILE`` prints the contents of a file as JSON; ``convert FILE --to sgf`` converts it.

Exit status: 0 the whole match was read, 1 the rules found faults (printed as JSON), 2 it cannot be read or written.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from games.formats import FORMATS, FormatError, read, write
from games.formats.decoding import MOST_BYTES
from games.formats.record import summary


def main(arguments: list[str]) -> int:
    """Run a command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m games.formats", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("read", help="print the match, its faults and warnings as JSON").add_argument("file")
    convert = commands.add_parser("convert", help="write the match in another format")
    convert.add_argument("file")
    convert.add_argument("--to", choices=FORMATS, required=True)
    namespace = parser.parse_args(arguments)
    try:
        with Path(namespace.file).open("rb") as file:
            reading = read(file.read(MOST_BYTES + 1), namespace.file)
        if reading.record is not None and namespace.command == "convert":
            sys.stdout.write(write(reading.record, namespace.to))
            return 0
    except FormatError as error:
        print(json.dumps({"error": error.code, "params": error.params, "words": error.text}, ensure_ascii=False))
        return 2
    except OSError as error:
        print(f"{namespace.file}: {error.strerror}", file=sys.stderr)
        return 2
    print(json.dumps(summary(reading), ensure_ascii=False, indent=1))
    return 0 if reading.record is not None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
