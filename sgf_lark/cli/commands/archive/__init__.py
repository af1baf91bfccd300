"""The commands of archives, a module each."""
