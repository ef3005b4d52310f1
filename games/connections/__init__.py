"""The sockets of one process: how many a user may have, when one is closed, and how all are closed at a restart."""
