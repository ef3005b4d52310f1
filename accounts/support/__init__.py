"""The pages of those who look after the site: people, what is done to accounts, the record of it (docs/support.md)."""
