"""The modules that are mutated, each with the tests that have to notice: those that need neither Django nor a site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Module:
    """Globs of the files to mutate, and the tests (files or folders) that run against each mutant."""

    files: tuple[str, ...]
    tests: tuple[str, ...]

    def paths(self, root: Path) -> list[str]:
        """The files, relative to `root`."""
        return [str(path.relative_to(root)) for glob in self.files for path in sorted(root.glob(glob))]


MODULES = {
    "rules": Module(("backgammon/rules/*.py",), ("tests/rules",)),
    "draughts": Module(("draughts/*.py",), ("tests/draughts",)),
    "clocks": Module(("games/clocks.py",), ("tests/games/test_clocks.py",)),
    "ratings": Module(("games/ratings.py",), ("tests/games/test_ratings.py",)),
    "replay": Module(("games/replay.py",), ("tests/games/test_replay.py", "tests/games/test_replay_variants.py")),
    "dice": Module(
        ("games/dice/*.py", "games/dice_statistics.py"),
        (
            *("tests/games/dice/test_match_dice.py", "tests/games/dice/test_proof.py"),
            "tests/games/test_dice_statistics.py",
        ),
    ),
    "formats": Module(("tournaments/formats/*.py",), ("tests/tournaments/formats",)),
    "series": Module(("tournaments/series.py", "tournaments/part_keys.py"), ("tests/tournaments/test_series.py",)),
    "teams": Module(("tournaments/teams.py",), ("tests/tournaments/test_teams.py",)),
}
