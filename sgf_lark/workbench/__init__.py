"""Tools for grammars: trees, samples, coverage, diagrams, playground."""
