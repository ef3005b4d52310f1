"""Reading the log of events and the webhooks of a member."""
