"""URLs of chat, reports and moderation."""

from __future__ import annotations

from django.urls import path

from chat.views import moderation, reports, rooms

urlpatterns = [
    path("talk/<slug:match_id>/", rooms.chat_messages, name="talk"),
    path("talk/<slug:match_id>/say/", rooms.message_post, name="talk-say"),
    path("talk/<slug:match_id>/mute/", rooms.author_mute, name="talk-mute"),
    path("settings/talk/", rooms.chat_settings, name="talk-settings"),
    path("settings/talk/switch/", rooms.preference_switch, name="talk-wish"),
    path("report/", reports.report_new, name="report-new"),
    path("reports/", reports.reports, name="reports"),
    path("reports/about-me/", reports.about_me, name="about-me"),
    path("reports/about-me/<int:sanction_id>/read/", reports.warning_read, name="warning-read"),
    path("moderation/", moderation.moderation, name="moderation"),
    path("moderation/log/", moderation.moderation_log, name="moderation-log"),
    path("moderation/<int:case_id>/", moderation.case, name="case"),
]
