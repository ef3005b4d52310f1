"""Television, the wall and the overlay: what is chosen, what is shown, what a socket says."""
