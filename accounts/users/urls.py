"""URLs of the settings and the switches of language and theme."""

from django.urls import path

from accounts.users import views

urlpatterns = [
    path("language/", views.language, name="set_language"),
    path("translations/", views.translations, name="translations"),
    path("theme/", views.theme, name="set_theme"),
    path("settings/", views.preferences, name="settings"),
    path("settings/board/", views.appearance, name="board-settings"),
]
