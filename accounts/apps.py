from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import receivers  # noqa: F401  (a member's language comes with him at log-in)
