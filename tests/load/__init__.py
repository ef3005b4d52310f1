"""Players made of code: they sign up and play through the real pages and sockets."""
