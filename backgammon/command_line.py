"""The command `tablero` of the wheel: the commands that an admin needs. Developers use `manage.py`, which has all."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from backgammon import __version__

COMMANDS = {
    "run": "demo",
    "prepare": "prepare",
    "doctor": "doctor",
    "check": "check",
    "first_owner": "first_owner",
    "backup": "backup",
    "restore": "restore",
    "move_to": "move_to",
    "reset_link": "reset_link",
    "disable_mfa": "disable_mfa",
    "delete_account": "delete_account",
    "push_key": "push_key",
    "ratings_rebuild": "ratings_rebuild",
    "statistics_rebuild": "statistics_rebuild",
    "sendtestemail": "sendtestemail",
}
"""The commands, and what Django calls each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; 2 for one that does not exist."""
    name, *rest = sys.argv[1:] if arguments is None else arguments or ["help"]
    if name in ("version", "--version"):
        print(f"tablero {__version__}")
        return 0
    if name not in (*COMMANDS, "help", "--help", "-h"):
        print(f"tablero: there is no command {name!r}. `tablero help` lists them.", file=sys.stderr)
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")
    from django.core.management import ManagementUtility

    if name not in COMMANDS:
        print_help()
        return 0
    import django

    django.setup()
    ManagementUtility(["tablero"]).fetch_command(COMMANDS[name]).run_from_argv(["tablero", name, *rest])
    return 0


def print_help() -> None:
    """Print each command with what it does."""
    from importlib import import_module

    import django
    from django.core.management import get_commands

    django.setup()
    packages = get_commands()
    print(f"Tablero {__version__}: a backgammon club in the browser.\n\nusage: tablero COMMAND [--help]\n")
    for name, known in COMMANDS.items():
        module = import_module(f"{packages[known]}.management.commands.{known}")
        print(f"  {name:<20} {' '.join(str(module.Command.help).split())}")
    print(f"  {'version':<20} Print the version.")
