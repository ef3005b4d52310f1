"""No text is made for a debug log that nobody reads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools.services.environment import ROOT, clean_environment

INSTALLED = """
import daphne.server
from autobahn.twisted import websocket
from autobahn.websocket import protocol
made = [(module.__name__.split(".")[1], name) for module in (websocket, protocol)
        for name in ("hltype", "hlval", "pformat") if hasattr(module, name)]
print(sorted(made))
from games.connections import autobahn_logging
autobahn_logging.install()
print({getattr(module, name)(7) for module in (websocket, protocol)
       for name in ("hltype", "hlval", "pformat") if hasattr(module, name)})
"""


@pytest.mark.looks
def test_autobahn_makes_its_debug_texts_by_these_functions_and_then_no_more() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INSTALLED],
        cwd=ROOT, env=clean_environment(), check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "[('twisted', 'hltype'), ('twisted', 'hlval'), "
        "('websocket', 'hltype'), ('websocket', 'hlval'), ('websocket', 'pformat')]",
        "{''}",
    ]
