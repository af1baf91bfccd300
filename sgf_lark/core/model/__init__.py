"""The model: collections, games, nodes, properties, and drafts that change them."""
