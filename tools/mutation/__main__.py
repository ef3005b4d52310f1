"""``python -m tools.mutation rules clocks --sample 10``: which changes of these modules does no test notice?

The modules and their tests are copied to a folder of their own. A line of JSON for each mutant goes to `--report`
(var/mutants.jsonl), the table and the survivors to the terminal.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

from tools.mutation.modules import MODULES, Module
from tools.mutation.mutants import mutants_of
from tools.mutation.session import ARGUMENTS, MutationSession

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = shutil.ignore_patterns(".*", "var", "node_modules", "__pycache__", "static", "locale", "templates")


def run(module: Module, root: Path, report: Path, options: argparse.Namespace) -> None:
    """Test the mutants of one module, in a process of its own: what is imported stays imported."""
    paths = [path for path in module.paths(root) if not options.file or any(name in path for name in options.file)]
    mutants = [mutant for path in paths for mutant in mutants_of(root, path)[options.first :: options.sample]]
    if options.only:
        wanted = set(options.only.read_text().split())
        mutants = [mutant for mutant in mutants if f"{mutant.path}:{mutant.number}" in wanted]
    random.Random(1).shuffle(mutants)  # a run that is cut short is a sample of all files
    coverage = Coverage(data_file=None, include=[str(root / path) for path in paths], config_file=False)
    coverage.start()
    with report.open("a", encoding="utf-8") as lines:
        plugin = MutationSession(root, mutants, lines, coverage=coverage, seconds=options.seconds)
        pytest.main([*ARGUMENTS, "--rootdir", str(root), *module.tests], plugins=[plugin])


def summary(lines: Iterable[dict[str, Any]]) -> list[str]:
    """A row for each file and one for all: mutants, killed, survived, per cent."""
    counts: dict[str, Counter[str]] = {}
    for line in lines:
        for name in (line["id"].rpartition(":")[0], "all"):
            counts.setdefault(name, Counter())[line["verdict"]] += 1
    rows = [f"{'':40}{'mutants':>9}{'killed':>9}{'survived':>9}{'%':>7}"]
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        killed, survived = (
            sum(counts[name][verdict] for verdict in verdicts)
            for verdicts in (("killed", "timeout"), ("survived", "unreached", "crashed"))
        )
        share = 100 * killed / ((killed + survived) or 1)
        rows.append(f"{name:40}{killed + survived:9}{killed:9}{survived:9}{share:7.1f}")
    return rows


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("module", nargs="*", choices=[*MODULES, []], help="default: all")
    parser.add_argument("--file", nargs="*", help="only files with this in their path")
    parser.add_argument("--sample", type=int, default=1, help="every so many-th mutant of each file")
    parser.add_argument("--first", type=int, default=0, help="the first mutant of the sample")
    parser.add_argument("--seconds", type=float, default=3, help="tests of at most so much processor time a mutant")
    parser.add_argument("--only", type=Path, help="only the mutants whose ids are in this file")
    parser.add_argument("--report", type=Path, default=ROOT / "var/mutants.jsonl")
    options = parser.parse_args(arguments)
    report = options.report.resolve()
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text("")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        root = Path(folder).resolve() / "tablero"
        shutil.copytree(ROOT, root, ignore=NOT_COPIED)
        for name in options.module or MODULES:
            pid = os.fork()
            if pid == 0:
                try:
                    os.chdir(root)
                    sys.path[:] = [str(root), *(path for path in sys.path if path not in ("", str(ROOT)))]
                    run(MODULES[name], root, report, options)
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(0)
            os.waitpid(pid, 0)
    lines = [json.loads(line) for line in report.read_text("utf-8").splitlines()]
    for line in lines:
        if line["verdict"] not in ("killed", "timeout", "invalid"):
            print(f"{line['verdict']}: {line['id']} line {line['line']}: {line['text']}")
    print("\n".join(summary(lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
