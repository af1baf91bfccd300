"""How fast and how large, side by side with other programs: ``python -m tests.benchmarks``."""
