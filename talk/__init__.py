"""Talk at the tables, reports of what went wrong, and who looks after it."""
