"""Japanese date formats: Django's, with a space before the time."""

DATETIME_FORMAT = "Y年n月j日 H:i"
SHORT_DATETIME_FORMAT = "Y/m/d H:i"
TIME_FORMAT = "H:i"
