"""Addresses of the analysis."""

from __future__ import annotations

from django.urls import URLPattern, path

from analysis import training_urls
from analysis.views import reports

urlpatterns: list[URLPattern] = [
    path("match/<slug:match_id>/report/", reports.report, name="report"),
    path("match/<slug:match_id>/report/summary/", reports.report_summary, name="report-summary"),
    path("match/<slug:match_id>/report/ask/", reports.report_ask, name="report-ask"),
    path("analysis/wishes/", reports.preferences, name="analysis-wishes"),
    *training_urls.urlpatterns,
]
