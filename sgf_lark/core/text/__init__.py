"""Bytes to text and back: encodings, sources, streams and files."""
