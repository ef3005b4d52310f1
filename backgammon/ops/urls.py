"""URLs of operations: the first owner's page, health probes, metrics."""

from django.urls import path

from backgammon.ops import first_owner_views, health, metrics

urlpatterns = [
    path("first-owner/", first_owner_views.first_owner, name="first-owner"),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics.metrics, name="metrics"),
]
