"""Read-only admin of matches and ratings: `games.services` alone writes."""

from __future__ import annotations

from django.contrib import admin

from accounts.admin import ReadOnly
from games.models import Action, Match, RatedMatch, Rating, RatingEvent, ResultCorrection, Seat


class SeatInline(ReadOnly, admin.TabularInline):
    model = Seat
    extra = 0


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "variant", "length", "status", "creator", "created_at", "ended_at")
    list_filter = ("status", "variant", "rated")
    list_select_related = ("creator",)
    search_fields = ("id", "seats__user__username")
    exclude = ("dice", "orders")  # elements and orders that wait there are private
    inlines = (SeatInline,)


@admin.register(Action)
class ActionAdmin(ReadOnly, admin.ModelAdmin):
    """The actions of matches, 50 on a page and uncounted: there are too many for a complete list."""

    list_display = ("match_id", "n", "game_number", "actor", "text", "at")
    search_fields = ("=match__id",)
    ordering = ("-pk",)
    show_full_result_count = False
    list_per_page = 50


@admin.register(RatedMatch)
class RatedMatchAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "n", "match_id", "white", "black", "winner", "counts", "at")
    list_select_related = ("pool", "white", "black")
    ordering = ("-pk",)


@admin.register(Rating)
class RatingAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "user", "rating", "matches", "last_at")
    list_select_related = ("pool", "user")
    search_fields = ("user__username",)


@admin.register(RatingEvent)
class RatingEventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("pool", "n", "user", "rating_before", "rating_after", "at")
    list_select_related = ("pool", "user")
    ordering = ("-pk",)


@admin.register(ResultCorrection)
class ResultCorrectionAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("match_id", "at", "by", "reason")
    list_select_related = ("by",)
