"""The door of the server process: pages and API over HTTP, play over WebSockets."""

import gc
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")

from django.core.asgi import get_asgi_application

http = get_asgi_application()

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import get_resolver, re_path

from backgammon.shelf import Shelf
from games import heartbeat
from games.doors import drain
from games.doors.entrance import Entrance
from games.routing import bot_urlpatterns as of_bots
from games.routing import nowhere
from games.routing import websocket_urlpatterns as of_play
from hooks.routing import websocket_urlpatterns as of_events
from talk.routing import websocket_urlpatterns as of_talk
from tournaments.routing import websocket_urlpatterns as of_tournaments

# Browsers come with an Origin and a session; programs with a token and neither, through a door of their own.
browsers = AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter([*of_play, *of_tournaments, *of_talk, *nowhere])))
sockets = URLRouter([*of_bots, *of_events, re_path(r"", browsers)])
application = Entrance(ProtocolTypeRouter({"http": Shelf(http), "websocket": sockets}))

drain.install(application)  # a deploy in the middle of a match costs it a second
heartbeat.start()  # before anybody is served: after an outage the clocks are put right first

# A full collection of all that is loaded takes 0.1 s, and moves wait for it: load it now, set it aside, and collect the
# rest seldom (measured: with the defaults every few seconds, at 100 moves a second).
get_resolver().url_patterns  # noqa: B018
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 20, 100)
