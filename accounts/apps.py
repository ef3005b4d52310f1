from django.apps import AppConfig
from django.contrib.admin import apps as admin


class TableroAdminConfig(admin.AdminConfig):
    default = False
    default_site = "accounts.admin_site.TableroAdminSite"


class AccountsConfig(AppConfig):
    default = True
    name = "accounts"

    def ready(self) -> None:
        # These modules register themselves.
        from accounts.auth import mfa  # noqa: F401
        from accounts.auth import receivers as auth_receivers  # noqa: F401
        from accounts.closures import registry as closure_registry  # noqa: F401
        from accounts.privacy import data_policy  # noqa: F401
        from accounts.programs import receivers as program_receivers  # noqa: F401
        from accounts.support import merge_policy  # noqa: F401
