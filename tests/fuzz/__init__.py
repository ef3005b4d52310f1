"""Short runs of the fuzzers in tools/fuzz."""
