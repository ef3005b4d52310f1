"""The sockets of one process: how many a person may have, when one is shut, and how all are before a restart."""
