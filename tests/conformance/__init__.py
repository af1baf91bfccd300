"""A conformance suite for SGF and GGF that any program can run; README.md has the protocol."""
