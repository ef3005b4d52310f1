"""The pages of chat, reports and moderation."""
