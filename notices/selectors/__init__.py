"""What the pages ask."""
