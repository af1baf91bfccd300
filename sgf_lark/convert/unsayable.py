"""The choices for facts that another format cannot express; light, for the command's options."""

from enum import StrEnum


class Unsayable(StrEnum):
    """What becomes of that for which another format has no words.

    ``keep``: it is written all the same, as a private property.  ``drop``: it is left out.
    ``refuse``: a game that has such a thing is not converted.
    """

    KEEP = "keep"
    DROP = "drop"
    REFUSE = "refuse"
