"""Errors are summed by the first reason given in an analysis."""

from __future__ import annotations

import inspect
import re

from analysis import explanation_texts, training_labels
from analysis.error_kinds import KIND_OF, by_kind


def test_the_costliest_errors_come_first() -> None:
    found = by_kind([([["hit", {}], ["prime", {}]], 0.1), ([["open_safe", {}]], 0.2), ([["open_more", {}]], 0.1)])
    assert [(row.kind, row.count, round(row.lost, 3), round(row.share, 2)) for row in found] == [
        ("open", 2, 0.3, 0.75),
        ("missed_hit", 1, 0.1, 0.25),
    ]


def test_an_error_without_a_reason_has_no_kind() -> None:
    assert [row.kind for row in by_kind([([], 0.1), ([["other", {}]], 0.1), ([["news", {}]], 0.1)])] == ["other"]
    assert by_kind([]) == []


def test_every_reason_has_a_kind_and_every_kind_a_name() -> None:
    codes = set(explanation_texts.SENTENCES) | set(
        re.findall(r'code == "(\w+)"', inspect.getsource(explanation_texts.sentence))
    )
    assert codes - {"other"} == set(KIND_OF)
    assert {*KIND_OF.values(), "other"} == set(training_labels.ERRORS)
