"""Why the server shuts a socket. autobahn sends no code of the standard range but 1000, so these are our own."""

LOGGED_OUT = 4401
KEPT_OUT = 4403  # a block stands between who watches and a player
NOT_FOUND = 4404
DEAD = 4408  # it says nothing, or it does not read
RESTART = 4012
TOO_LARGE = 4413
TOO_MANY_FRAMES = 4429
TOO_MANY_SOCKETS = 4430
