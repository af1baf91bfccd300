"""Grammar files: loading and linting them; the only package that builds parsers."""
