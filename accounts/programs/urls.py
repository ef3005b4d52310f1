"""URLs of API tokens, authorised apps and bots; those of OAuth 2 are in `backgammon.urls`."""

from django.urls import path

from accounts.programs import bot_views, views

urlpatterns = [
    path("settings/programs/", views.programs, name="programs"),
    path("settings/programs/make/", views.token_create, name="token-make"),
    path("settings/programs/<int:token_id>/revoke/", views.token_revoke, name="token-revoke"),
    path("settings/programs/<slug:client_id>/forget/", views.program_forget, name="program-forget"),
    path("settings/bots/", bot_views.bots, name="bots"),
    path("settings/bots/<int:bot_id>/token/", bot_views.bot_token, name="bot-token"),
    path("settings/bots/<int:bot_id>/retire/", bot_views.bot_retire, name="bot-retire"),
]
