"""The pages of the talk: at the table, of who reports, of who moderates."""
