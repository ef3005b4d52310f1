"""The real processes without a browser: sockets, sweeps and the computer's worker."""
