"""The report: what an engine says of the decisions of finished matches."""
