"""What `make test-fast` leaves out."""

from __future__ import annotations

from tests.services import slow_tests
from tools.services.environment import ROOT


def test_all_cases_of_a_slow_function_are_left_out() -> None:
    function = "tests/rules/test_plays.py::TestBar::test_it_enters"
    assert slow_tests.function_of(f"{function}[a::b[1]]") == slow_tests.function_of(function) == function


def test_the_list_names_tests_that_exist() -> None:
    functions = [each.split("::") for each in sorted(slow_tests.listed())]
    gone = [each for each in functions if f"def {each[-1]}(" not in (ROOT / each[0]).read_text("utf-8")]
    assert len(functions) > 100
    assert gone == []
