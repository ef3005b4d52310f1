from django.apps import AppConfig
from django.contrib.admin import apps as admin


class OwnerAdminConfig(admin.AdminConfig):
    default = False
    default_site = "accounts.owner_site.OwnerSite"


class AccountsConfig(AppConfig):
    default = True
    name = "accounts"

    def ready(self) -> None:
        from accounts import closing, kept, one_person, receivers  # noqa: F401 - they connect themselves
