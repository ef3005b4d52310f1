"""The admin site: for superusers, and for staff with a permission in it."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from accounts.models import User


class TableroAdminSite(AdminSite):
    """Django's own, closed to staff without any permission: the support has pages of its own."""

    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        if not isinstance(user, User) or not super().has_permission(request):
            return False
        return user.is_superuser or bool(user.get_all_permissions())
