"""The only writers of the analysis."""

from analysis.services.answers import answers_sweep, cube_of, plays_of
from analysis.services.reports import (
    may_ask,
    quota_of,
    report_after_match,
    report_ask,
    report_awaits,
    report_fail,
    report_make,
    reports_sweep,
    why_no_report,
    wishes_save,
)

__all__ = [
    "answers_sweep",
    "cube_of",
    "may_ask",
    "plays_of",
    "quota_of",
    "report_after_match",
    "report_ask",
    "report_awaits",
    "report_fail",
    "report_make",
    "reports_sweep",
    "why_no_report",
    "wishes_save",
]
