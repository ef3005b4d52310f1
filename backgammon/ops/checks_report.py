"""The findings of the doctor: each has a state, a fact and, where something is wrong, advice."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

OK, WARN, BAD = "ok", "warn", "bad"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report."""

    part: str
    state: str
    fact: str
    advice: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def ok(part: str, fact: object) -> Finding:
    return Finding(part, OK, str(fact))


def warn(part: str, fact: object, advice: object = "") -> Finding:
    return Finding(part, WARN, str(fact), str(advice))


def bad(part: str, fact: object, advice: object = "") -> Finding:
    return Finding(part, BAD, str(fact), str(advice))
