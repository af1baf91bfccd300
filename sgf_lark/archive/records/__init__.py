"""Records of an archive, read again from their sources: to copy them, and to merge them."""
