"""Addresses of people: doors, switches, settings. Profiles live in `games`, beside the matches they show."""

from django.urls import path

from accounts import bot_views, views

urlpatterns = [
    path("accounts/login/", views.login, name="account_login"),
    path("accounts/signup/", views.signup, name="account_signup"),
    path("language/", views.language, name="set_language"),
    path("theme/", views.theme, name="set_theme"),
    path("settings/", views.preferences, name="settings"),
    path("settings/bots/", bot_views.bots, name="bots"),
    path("settings/bots/<int:bot_id>/token/", bot_views.bot_token, name="bot-token"),
    path("settings/bots/<int:bot_id>/retire/", bot_views.bot_retire, name="bot-retire"),
]
