"""The ASGI application: pages and the API over HTTP, play over WebSockets."""

import gc
import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")

from django.core.asgi import get_asgi_application

http = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import URLPattern, get_resolver

from backgammon import descriptors
from backgammon.socket_origins import SameOriginMiddleware
from backgammon.static_cache import StaticCache
from chat.routing import websocket_urlpatterns as of_chat
from eventlog.routing import websocket_urlpatterns as of_events
from games import heartbeat
from games.connections import autobahn_logging, autobahn_settings, drain, tcp_limits
from games.connections.transport import TransportMiddleware
from games.connections.visitors import VisitorMiddleware
from games.routing import bot_urlpatterns as of_bots
from games.routing import not_found
from games.routing import websocket_urlpatterns as of_play
from tournaments.routing import websocket_urlpatterns as of_tournaments


def for_browsers(route: Any) -> URLPattern:
    """A browser sends an Origin and a session cookie."""
    return URLPattern(route.pattern, SameOriginMiddleware(VisitorMiddleware(route.callback), required=True))


def for_programs(route: Any) -> URLPattern:
    """A program sends a token and neither of them."""
    return URLPattern(route.pattern, SameOriginMiddleware(route.callback, required=False))


sockets = URLRouter(
    [
        *map(for_programs, [*of_bots, *of_events]),
        *map(for_browsers, [*of_play, *of_tournaments, *of_chat, *not_found]),
    ]
)
application = TransportMiddleware(ProtocolTypeRouter({"http": StaticCache(http), "websocket": sockets}))

descriptors.raise_limit()
tcp_limits.install()
autobahn_logging.install()
autobahn_settings.install()
drain.install(application)  # a restart interrupts a match for about a second
heartbeat.start()  # when the reactor runs, before anybody is served: clocks run again from that moment

# A full garbage collection of all loaded modules takes 0.1 s, and moves wait for it: load everything now, exclude it
# from collection. What is new is looked at often and in small steps, for which moves wait, and the rest seldom.
get_resolver().url_patterns  # noqa: B018
gc.collect()
gc.freeze()
gc.set_threshold(2_000, 100, 100)
