"""Notifications on the page, by e-mail and by Web Push; quiet hours and unsubscribing."""
