"""The pages of a member's webhooks."""
