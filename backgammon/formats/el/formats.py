"""Greek date formats: the month as a word in the genitive, and 24 hours as everywhere on the site."""

DATE_FORMAT = "j E Y"
SHORT_DATE_FORMAT = "j/n/Y"
DATETIME_FORMAT = "j E Y, H:i"
SHORT_DATETIME_FORMAT = "j/n/Y H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j E"
