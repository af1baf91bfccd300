"""Findings: their rules, catalogue, selection and settings."""

from sgf_lark.names import load_names_lazily

load_names_lazily(__name__)
