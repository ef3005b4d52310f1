"""The report card: what an engine says of the decisions of finished matches."""
