"""Chat at the matches, reports, and moderation."""
