"""The only writers of the analysis."""

from analysis.services.position_cache import answers_sweep, cube_of, plays_of
from analysis.services.reports import (
    can_be_judged,
    can_request,
    preferences_save,
    quota_of,
    report_after_match,
    report_ask,
    report_fail,
    report_in_progress,
    report_make,
    reports_sweep,
    why_no_report,
)

__all__ = [
    "answers_sweep",
    "can_be_judged",
    "can_request",
    "cube_of",
    "plays_of",
    "preferences_save",
    "quota_of",
    "report_after_match",
    "report_ask",
    "report_fail",
    "report_in_progress",
    "report_make",
    "reports_sweep",
    "why_no_report",
]
