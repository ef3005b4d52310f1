"""People and clubs for the owner's eyes."""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts import services
from accounts.models import Club, Membership, User


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """A person: who he is, how he plays, and a link to choose a new password when there is no mail."""

    list_display = ("username", "email", "is_guest", "is_bot", "is_active", "is_staff", "last_login")
    list_filter = ("is_guest", "is_bot", "is_active", "is_staff")
    search_fields = ("username", "email")
    actions = ("make_reset_link",)
    inlines = (MembershipInline,)
    raw_id_fields = ("owner",)
    fieldsets = (
        *(DjangoUserAdmin.fieldsets or ()),
        (_("Player"), {"fields": ("is_guest", "is_bot", "bot_level", "owner", *services.PREFERENCES)}),
    )

    @admin.action(description=_("Make a link to choose a new password"), permissions=["change"])
    def make_reset_link(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Shows one link a person, once, to be handed over in person. Only a superuser makes one for staff."""
        for user in queryset:
            if user.is_bot or user.is_guest or ((user.is_staff or user.is_superuser) and not request.user.is_superuser):
                self.message_user(request, _("No link for %(name)s.") % {"name": user}, messages.WARNING)
                continue
            link = request.build_absolute_uri(services.reset_path(user=user))
            label = _("Link for %(name)s, works once") % {"name": user}
            text = format_html("{}: <a href='{}'>{}</a>", label, link, link)
            self.message_user(request, text, messages.SUCCESS)


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin):
    list_display = ("name", "slug", "is_default")
    prepopulated_fields = {"slug": ("name",)}
