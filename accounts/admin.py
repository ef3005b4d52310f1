"""People and clubs for the owner's rare needs. What the support does has pages of its own (accounts.support).

Accounts are closed, renamed and merged there, with a reason; here nobody does it by the way. What is changed here
stands in the log of the admin.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import services
from accounts.models import Ban, Club, ClubEvent, FormerName, Membership, Merged, SupportAct, User

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
BY_SUPPORT = ("username", "is_active", "email", "is_guest", "is_bot", "bot_level", "owner", "last_login", "date_joined")
"""What has consequences that a form of the admin does not see to."""


class ReadOnly:
    """Nobody adds, changes or deletes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """A person: who he is, how he plays. Only a superuser gives rights, and changes who has some."""

    list_display = ("username", "is_guest", "is_bot", "is_active", "is_staff", "last_login")
    list_filter = ("is_guest", "is_bot", "is_active", "is_staff")
    search_fields = ("username",)
    inlines = (MembershipInline,)
    raw_id_fields = ("owner",)
    fieldsets = (
        *(DjangoUserAdmin.fieldsets or ()),
        (_("Player"), {"fields": ("is_guest", "is_bot", "bot_level", "owner", *services.PREFERENCES)}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return BY_SUPPORT if request.user.is_superuser else (*BY_SUPPORT, *RIGHTS)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Without the addresses and the full name: to read them is an act of the support, with a reason."""
        found = super().get_fieldsets(request, obj)
        hidden = {"email", "first_name", "last_name", "password"} if obj is not None else set()
        kept = [(title, {**said, "fields": [n for n in said["fields"] if n not in hidden]}) for title, said in found]
        return [(title, said) for title, said in kept if said["fields"]]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        if obj is not None and (obj.is_staff or obj.is_superuser) and not request.user.is_superuser:
            return False
        return bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody is deleted: people leave, so that the matches of others keep their two sides."""
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """A password is chosen by who uses it: by a link of the support."""
        raise PermissionDenied

    user_change_password.policy = "staff"  # type: ignore[attr-defined] # our own, so it says whose door it is


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ("name", "slug", "is_default")
    prepopulated_fields = {"slug": ("name",)}


@admin.register(SupportAct)
class SupportActAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("at", "by", "kind", "about", "why")
    list_filter = ("kind",)
    list_select_related = ("by", "about")
    date_hierarchy = "at"


@admin.register(Ban)
class BanAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("user", "since", "until", "ended_at", "by")
    list_select_related = ("user", "by")


@admin.register(FormerName)
class FormerNameAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("name", "user", "until")
    list_select_related = ("user",)


@admin.register(Merged)
class MergedAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("gone", "into", "at")
    list_select_related = ("gone", "into")


@admin.register(ClubEvent)
class ClubEventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("at", "club", "kind", "by", "about")
    list_filter = ("kind",)
    list_select_related = ("club", "by", "about")


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):
    """What was changed in the admin, by whom and when."""

    list_display = ("action_time", "user", "content_type", "object_repr", "action_flag")
    list_filter = ("action_flag",)
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
