"""The formats of tournaments, pure: `core` says what a format is, `table.FORMATS` holds them all."""
