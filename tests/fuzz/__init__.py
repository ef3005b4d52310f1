"""Fuzzers: run by hand or by `make`, for as long as one likes."""
