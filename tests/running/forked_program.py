"""A program for the tests of the fork server: it says who it is, and sleeps or exits as it is told."""

import gc
import os
import sys
import threading
from pathlib import Path

if __name__ == "__main__":
    name = Path("/proc/self/comm").read_text().strip()
    print(f"{name} child of {os.getppid()} leads {os.getsid(0) == os.getpid()}", flush=True)
    print("and to stderr", file=sys.stderr, flush=True)
    if sys.argv[1] == "imports":
        print(
            f"django {'django' in sys.modules} networkx {'networkx' in sys.modules} garbage {gc.isenabled()}",
            flush=True,
        )
    if sys.argv[1] == "sleep":
        threading.Event().wait(600)
    if sys.argv[1] == "write":
        os.write(int(sys.argv[2]), b"by number")
    sys.exit(int(sys.argv[1]) if sys.argv[1].isdigit() else 0)
