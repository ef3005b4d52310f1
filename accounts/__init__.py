"""Users and clubs: authentication, preferences, relationships, API access, personal data and support."""
