"""Addresses of whoever runs the site: the first owner's door, health, numbers."""

from django.urls import path

from backgammon.ops import health, metrics, owner_views

urlpatterns = [
    path("first-owner/", owner_views.first_owner, name="first-owner"),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics.metrics, name="metrics"),
]
