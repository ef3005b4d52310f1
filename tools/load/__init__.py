"""Players made of code that sign up and play through the real pages and sockets, for tests and benchmarks."""
