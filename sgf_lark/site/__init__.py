"""The site: pages made of guides, docstrings, catalogue, tables and grammars, with a search."""
