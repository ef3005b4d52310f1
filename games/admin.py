"""Matches for the owner's eyes. Nothing is written here: `games/services` is the only writer."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Match, Seat


class ReadOnly:
    """Nobody adds, changes or deletes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    extra = 0


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "variant", "length", "status", "creator", "created_at", "ended_at")
    list_filter = ("status", "variant", "rated")
    list_select_related = ("creator",)
    search_fields = ("id", "seats__user__username")
    exclude = ("dice", "orders")  # what waits for its moment there is nobody's business
    inlines = (SeatInline,)
