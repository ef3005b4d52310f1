"""The admin: for superusers, and for those of the staff who were given a right in it."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.http import HttpRequest

from accounts.models import User


class OwnerSite(AdminSite):
    """Django's own, closed to staff who could do nothing there: the support has pages of its own."""

    def has_permission(self, request: HttpRequest) -> bool:
        user = request.user
        if not isinstance(user, User) or not super().has_permission(request):
            return False
        return user.is_superuser or bool(user.get_all_permissions())
