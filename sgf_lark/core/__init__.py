"""The core: from a text to games, to findings, and back to a text; it imports no other room."""

from .lazy import load_names_lazily

load_names_lazily(__name__)
