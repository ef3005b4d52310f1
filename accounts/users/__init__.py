"""User accounts: members, guests and bots, free usernames and preferences."""
