"""The codes with which the server closes a socket. autobahn sends only 1000 of the standard range, so they are ours."""

SIGNED_OUT = 4401
BLOCKED = 4403  # a block stands between the spectator and a player
NOT_FOUND = 4404
UNRESPONSIVE = 4408  # the client sends nothing, or does not read
RESTART = 4012
TOO_LARGE = 4413
TOO_MANY_FRAMES = 4429
TOO_MANY_SOCKETS = 4430
