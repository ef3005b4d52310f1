"""A test that takes long is stopped, but never while coverage holds its lock."""

from __future__ import annotations

import signal
import sys
import time
from types import FrameType, FunctionType

import pytest

from tools.mutation.time_limit import stop_test


def frame_of_this_function() -> FrameType:
    return sys._getframe()


def frame_in(filename: str) -> FrameType:
    code = frame_of_this_function.__code__.replace(co_filename=filename)
    frame = FunctionType(code, globals())()
    assert isinstance(frame, FrameType)
    return frame


def test_a_test_that_takes_long_is_stopped() -> None:
    with pytest.raises(TimeoutError):
        stop_test(signal.SIGPROF, frame_in("/tests/rules/test_plays.py"))


def test_a_test_is_not_stopped_while_coverage_runs_but_soon_after() -> None:
    signals: list[int] = []
    usual = signal.signal(signal.SIGPROF, lambda number, _: signals.append(number))
    try:
        stop_test(signal.SIGPROF, frame_in("/lib/coverage/collector.py"))
        before = time.process_time()
        while not signals and time.process_time() < before + 10:
            pass
    finally:
        signal.signal(signal.SIGPROF, usual)
    assert signals == [signal.SIGPROF]
