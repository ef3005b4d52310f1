"""Programs for development: benchmarks, load, fuzzers, fault injection, and the services they and the tests use."""
