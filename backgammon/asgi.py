"""The door of the server process: pages and API over HTTP, play over WebSockets."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")

from django.core.asgi import get_asgi_application

http = get_asgi_application()

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator

from games.routing import websocket_urlpatterns

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
