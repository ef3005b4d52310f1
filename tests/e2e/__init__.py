"""The site as people meet it: real browsers on the real processes."""
