"""What the pages of weekends show: each in a number of queries that does not grow with its tournaments."""
