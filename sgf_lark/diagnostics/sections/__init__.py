"""The tables of a settings file: ``[fmt]``, ``[convert]``, ``[properties]``, ``[games]``."""
