"""The sockets of one process."""
