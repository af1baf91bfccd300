"""The laboratory of grammars: trees, samples, coverage, diagrams, playground."""
