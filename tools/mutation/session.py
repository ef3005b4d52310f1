"""A pytest plugin: runs all tests once, then against each mutant those that reach its line, the quickest first.

Each mutant has a process of its own, forked when all is imported. The tests run there one after the other until one
fails. Hypothesis draws few and always the same examples.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import resource
import signal
import struct
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import _lru_cache_wrapper, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, TextIO

import pytest
from _pytest.tmpdir import tmppath_result_key
from coverage import Coverage
from hypothesis import HealthCheck, Phase, settings

from tools.mutation.live_code import LiveCode
from tools.mutation.mutants import Mutant
from tools.mutation.time_limit import stop_test

ARGUMENTS = [
    *("-q", "-s", "--noconftest", "--assert=plain", "-o", "addopts=", "-W", "ignore", "--no-header", "--no-summary"),
    *(f"-pno:{plugin}" for plugin in ("django", "timeout", "asyncio", "xdist", "cacheprovider", "schemathesis")),
]
EXAMPLES = 5
PATIENCE = 0.5, 6
"""A test that takes so many seconds more, and so many times its usual time, is in an endless loop."""
MEMORY = 3 << 30
IMPORT = ""
"""The name that coverage gives to what ran before any test."""
PROJECT = ("backgammon", "draughts", "games", "tournaments", "tests")


class Quick:
    """Makes the tests quick, and orders them by how long they took."""

    def __init__(self, order: Sequence[str] = ()) -> None:
        self.order = order

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            function = getattr(item, "function", None)
            if getattr(function, "is_hypothesis_test", False):
                function._hypothesis_internal_use_settings = _few_examples(function._hypothesis_internal_use_settings)
        if self.order:
            place = {name: number for number, name in enumerate(self.order)}
            items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])


def _few_examples(usual: settings) -> settings:
    return settings(
        usual,
        max_examples=min(EXAMPLES, usual.max_examples),
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )


class MutationSession(Quick):
    """Tests mutants of files below `root`, the working folder, and writes a line of JSON for each."""

    def __init__(
        self, root: Path, mutants: Sequence[Mutant], report: TextIO, *, coverage: Coverage, seconds: float
    ) -> None:
        super().__init__()
        self.root, self.mutants, self.report, self.coverage, self.seconds = root, mutants, report, coverage, seconds
        self._items: dict[str, pytest.Item] = {}
        self._usual: dict[str, float] = {}
        self._killer = mmap.mmap(-1, 8)
        self._last_killer: dict[str, str] = {}
        self._idle: set[str] = set()
        """The tests that reach no line: those that look at tables."""
        self._original = {path: (root / path).read_text("utf-8") for path in {mutant.path for mutant in mutants}}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed("some tests cannot be collected")
        self._measure(session.items)
        reached = self._reached()
        busy = {name for lines in reached.values() for names in lines.values() for name in names}
        self._idle = self._items.keys() - busy
        live = LiveCode({str(self.root / path) for path in self._original})
        for cache in _caches():
            cache.cache_clear()
        gc.freeze()
        for mutant in self.mutants:
            self._write(mutant, *self._try(mutant, live, reached[mutant.path]))
        return True

    def _measure(self, items: Iterable[pytest.Item]) -> None:
        """Run each test once; those that fail without the site around them, or exceed the budget, are left out."""
        left_out = []
        caches = _caches()
        signal.signal(signal.SIGPROF, stop_test)
        for item in items:
            for cache in caches:
                cache.cache_clear()  # otherwise only the first test would reach what it computes
            self.coverage.switch_context(item.nodeid)
            before = time.process_time()
            signal.setitimer(signal.ITIMER_PROF, self.seconds)
            passed = _passes(item)
            signal.setitimer(signal.ITIMER_PROF, 0)
            spent = time.process_time() - before
            if passed:
                self._items[item.nodeid], self._usual[item.nodeid] = item, spent
            else:
                left_out.append(f"{item.nodeid} ({'slow' if spent >= 0.95 * self.seconds else 'fails'})")
        self.coverage.stop()
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        print(f"{len(self._items)} tests, {sum(self._usual.values()):.1f} s", file=sys.stderr)
        for line in left_out:
            print(f"left out: {line}", file=sys.stderr)

    def _reached(self) -> dict[str, dict[int, list[str]]]:
        """For each file and line the tests that reach it."""
        data = self.coverage.get_data()
        return {path: data.contexts_by_lineno(str(self.root / path)) for path in self._original}

    def _try(self, mutant: Mutant, live: LiveCode, reached: dict[int, list[str]]) -> tuple[str, str]:
        """What became of a mutant, and the test that noticed."""
        source = mutant.source
        try:
            old, new = self._compiled(mutant.path, self._original[mutant.path]), self._compiled(mutant.path, source)
        except SyntaxError:
            return "invalid", ""
        names = {name for line in mutant.change.lines for name in reached.get(line, ())}
        is_command = mutant.path.endswith("__main__.py")  # its tests may start processes: the file has to change
        tests = self._within_budget(names & self._items.keys(), mutant.path)
        verdict = self._fork(lambda: self._in_place(live, old, new, tests)) if tests else UNREACHED
        if verdict == UNREACHED or (verdict == SURVIVED and (IMPORT in names or is_command)):
            every = {name for names in reached.values() for name in names} & self._items.keys()
            if is_command:
                files = {name.partition("::")[0] for name in every}
                every = {name for name in self._items if name.partition("::")[0] in files}
            every |= self._idle
            tests = self._within_budget(every or self._items.keys(), mutant.path)
            verdict = self._imported(mutant, source, tests)
        if verdict not in (KILLED, TIMEOUT):
            return NAMES[verdict], ""
        killer = tests[min(struct.unpack("q", self._killer[:8])[0], len(tests) - 1)]
        self._last_killer[mutant.path] = killer
        return NAMES[verdict], killer

    @lru_cache(maxsize=8)  # noqa: B019 the session lives as long as its process
    def _compiled(self, path: str, source: str) -> CodeType:
        return compile(source, str(self.root / path), "exec", dont_inherit=True)

    def _within_budget(self, names: Iterable[str], path: str) -> list[str]:
        """The tests for a mutant: the last that noticed one of this file, then the quickest first."""
        tests = sorted(names, key=lambda name: (name != self._last_killer.get(path), self._usual[name]))
        spent, kept = 0.0, []
        for name in tests:
            spent += self._usual[name]
            if kept and spent > self.seconds:
                break
            kept.append(name)
        return kept

    def _fork(self, child: Callable[[], int]) -> int:
        self._killer[:8] = struct.pack("q", 0)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            code = CRASHED
            try:
                _silence()
                code = child()
            finally:
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            return TIMEOUT if os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM) else KILLED
        return os.WEXITSTATUS(status)

    def _in_place(self, live: LiveCode, old: CodeType, new: CodeType, tests: Sequence[str]) -> int:
        if not live.replace(old, new):
            return UNREACHED
        for number, name in enumerate(tests):
            self._killer[:8] = struct.pack("q", number)
            extra, times = PATIENCE
            signal.setitimer(signal.ITIMER_PROF, extra + times * self._usual[name])
            if not _passes(self._items[name]):
                return KILLED
        return SURVIVED

    def _imported(self, mutant: Mutant, source: str, tests: Sequence[str]) -> int:
        """Write the mutant to its file and import everything anew."""
        path = self.root / mutant.path
        try:
            _write(path, source)
            return self._fork(lambda: self._anew(tests))
        finally:
            _write(path, self._original[mutant.path])

    def _anew(self, tests: Sequence[str]) -> int:
        extra, times = PATIENCE
        signal.setitimer(signal.ITIMER_PROF, 5 + extra + times * sum(self._usual[name] for name in tests))
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        for name in [name for name in sys.modules if name.split(".")[0] in PROJECT]:
            del sys.modules[name]
        files = sorted({name.partition("::")[0] for name in tests})
        code = pytest.main([*ARGUMENTS, "-x", *files], plugins=[Quick(tests), Killer(tests, self._killer)])
        return SURVIVED if code == 0 else KILLED

    def _write(self, mutant: Mutant, verdict: str, killer: str) -> None:
        line = {
            "id": f"{mutant.path}:{mutant.number}",
            "line": mutant.change.line,
            "text": mutant.text,
            "verdict": verdict,
            "by": killer,
        }
        print(json.dumps(line, ensure_ascii=False), file=self.report, flush=True)


class Killer:
    """Notes which test failed."""

    def __init__(self, tests: Sequence[str], killer: mmap.mmap) -> None:
        self._tests, self._killer = list(tests), killer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._killer[:8] = struct.pack("q", self._tests.index(report.nodeid))


SURVIVED, KILLED, TIMEOUT, UNREACHED, CRASHED = range(5)
NAMES = {SURVIVED: "survived", KILLED: "killed", TIMEOUT: "timeout", UNREACHED: "unreached", CRASHED: "crashed"}


def _passes(item: Any) -> bool:
    """Run a test without the reports of pytest."""
    item.stash[tmppath_result_key] = {}
    if not getattr(item, "_request", None):
        item._initrequest()
    try:
        item.ihook.pytest_runtest_setup(item=item)
        item.ihook.pytest_runtest_call(item=item)
    except pytest.skip.Exception:
        return True
    except BaseException:
        return False
    finally:
        item.session._setupstate.teardown_exact(None)
        item._request, item.funcargs = False, None
    return True


def _caches() -> list[Any]:
    return [
        found
        for found in gc.get_objects()
        if isinstance(found, _lru_cache_wrapper) and found.__module__.split(".")[0] in PROJECT
    ]


def _silence() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    signal.alarm(180)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


_later = defaultdict(int)


def _write(path: Path, text: str) -> None:
    """Write a file with a time of its own, so that no compiled module passes for it."""
    path.write_text(text, "utf-8")
    _later[path] += 2
    when = time.time() + _later[path]
    os.utime(path, (when, when))
