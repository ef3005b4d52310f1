"""French date formats: Django's, with a word before the time."""

DATETIME_FORMAT = r"j F Y \à H:i"
