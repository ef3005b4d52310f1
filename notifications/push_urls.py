"""URLs of Web Push."""

from django.urls import path

from notifications.views import push as views

urlpatterns = [
    path("sw.js", views.worker, name="service-worker"),
    path("push/", views.key, name="push-key"),
    path("push/devices/", views.device_add, name="push-device-add"),
    path("push/devices/<int:device_id>/remove/", views.device_remove, name="push-device-remove"),
    path("push/devices/<int:device_id>/try/", views.device_try, name="push-device-try"),
]
