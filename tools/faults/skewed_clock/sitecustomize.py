"""With this folder on PYTHONPATH, a Python process sees a clock that is CLOCK_SKEW seconds ahead (or behind).

Only Python's own clocks: C code (a library's timers, the database) and monotonic clocks are not affected, just as on
another machine with a wrong clock.
"""

import copyreg
import datetime
import os
import time

SKEW = float(os.environ.get("CLOCK_SKEW", "0"))
_time, _time_ns, _datetime = time.time, time.time_ns, datetime.datetime


class _Meta(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, _datetime)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, _datetime)


class Skewed(_datetime, metaclass=_Meta):
    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> _datetime:
        return _datetime.now(tz) + datetime.timedelta(seconds=SKEW)

    @classmethod
    def utcnow(cls) -> _datetime:
        return _datetime.now(datetime.UTC).replace(tzinfo=None) + datetime.timedelta(seconds=SKEW)

    @classmethod
    def today(cls) -> _datetime:
        return _datetime.now() + datetime.timedelta(seconds=SKEW)


if SKEW:
    # beat keeps its times in a file: they are pickled as what they will be for a process whose clock is right.
    Skewed.__name__ = Skewed.__qualname__ = Skewed.__module__ = "datetime"
    copyreg.pickle(_datetime, lambda each: (Skewed, each.__reduce_ex__(2)[1]))  # type: ignore[arg-type,index,return-value]
    time.time = lambda: _time() + SKEW
    time.time_ns = lambda: _time_ns() + int(SKEW * 1_000_000_000)
    datetime.datetime = Skewed  # type: ignore[misc]
