"""The shape of commands: they are made when they are named, and their help has sections."""
