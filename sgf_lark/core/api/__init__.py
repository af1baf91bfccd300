"""What users call first: reading, checking, fixing and formatting files and texts."""
