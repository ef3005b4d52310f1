"""The admin of users and clubs, for rare needs; the support has pages of its own (accounts.support).

Accounts are closed, renamed and merged there, with a recorded reason, and not here. Changes made here are in the log of
the admin.
"""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import Ban, Club, ClubEvent, FormerName, Membership, MergedAccount, SupportAct, User
from accounts.users import services as users
from accounts.web.policy import declare_policy

for model in (SocialAccount, SocialApp, SocialToken):  # linked in the settings of an account only (accounts.auth.sso)
    admin.site.unregister(model)

PERMISSION_FIELDS = ("is_staff", "is_superuser", "groups", "user_permissions")
SUPPORT_FIELDS = (
    "username",
    "is_active",
    "email",
    "is_guest",
    "is_bot",
    "bot_level",
    "owner",
    "last_login",
    "date_joined",
)
"""Fields whose change has consequences that only services handle."""


class ReadOnly:
    """A mixin that forbids adding, changing and deleting."""

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
    """Users. Only superusers grant permissions, and change users that have some."""

    list_display = ("username", "is_guest", "is_bot", "is_active", "is_staff", "last_login")
    list_filter = ("is_guest", "is_bot", "is_active", "is_staff")
    search_fields = ("username",)
    inlines = (MembershipInline,)
    raw_id_fields = ("owner",)
    fieldsets = (
        *(DjangoUserAdmin.fieldsets or ()),
        (_("Player"), {"fields": ("is_guest", "is_bot", "bot_level", "owner", *users.PREFERENCES)}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return SUPPORT_FIELDS if request.user.is_superuser else (*SUPPORT_FIELDS, *PERMISSION_FIELDS)

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """The field sets without e-mail addresses and full name: reading these is a recorded act of the support."""
        fieldsets = super().get_fieldsets(request, obj)
        hidden = {"email", "first_name", "last_name", "password"} if obj is not None else set()
        visible = [(title, [name for name in options["fields"] if name not in hidden]) for title, options in fieldsets]
        return [
            (title, {**options, "fields": fields})
            for (title, fields), (_title, options) in zip(visible, fieldsets, strict=True)
            if fields
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        if obj is not None and (obj.is_staff or obj.is_superuser) and not request.user.is_superuser:
            return False
        return bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """False: accounts are deleted by a service, so that the matches of others keep their two sides."""
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Refused: users choose their passwords themselves, by a link of the support."""
        raise PermissionDenied

    declare_policy(user_change_password, "staff")


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ("name", "slug", "is_default")
    prepopulated_fields = {"slug": ("name",)}


@admin.register(SupportAct)
class SupportActAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("at", "by", "kind", "about", "reason")
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


@admin.register(MergedAccount)
class MergedAccountAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("source", "target", "at")
    list_select_related = ("source", "target")


@admin.register(ClubEvent)
class ClubEventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("at", "club", "kind", "by", "about")
    list_filter = ("kind",)
    list_select_related = ("club", "by", "about")


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin):
    """The log of changes made in the admin."""

    list_display = ("action_time", "user", "content_type", "object_repr", "action_flag")
    list_filter = ("action_flag",)
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
