"""The language server: checker, fixes and boards inside an editor, by pygls."""
