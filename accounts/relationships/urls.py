"""URLs of relationships and notes."""

from django.urls import path

from accounts.relationships import views

urlpatterns = [
    path("settings/people/", views.people, name="people"),
    path("players/<str:name>/block/", views.block, name="tie-block"),
    path("players/<str:name>/mute/", views.mute, name="tie-mute"),
    path("players/<str:name>/follow/", views.follow, name="tie-follow"),
    path("players/<str:name>/note/", views.note, name="player-note"),
]
