"""Being told: notices on the page, by mail and by push; quiet hours, and the way out of all of it."""
