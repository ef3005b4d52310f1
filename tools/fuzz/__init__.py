"""Fuzzers: run by `make fuzz-*` for as long as one likes; short runs are in tests/fuzz."""
