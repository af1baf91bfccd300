"""The choices for facts that another format cannot express; light, for the command's options."""

from enum import StrEnum
from typing import Literal, TypeAlias


class Lossy(StrEnum):
    """Choices for facts that the new format cannot express.

    ``keep``: write them as private properties.  ``drop``: leave them out.
    ``refuse``: convert no game that has such a fact.
    """

    KEEP = "keep"
    DROP = "drop"
    REFUSE = "refuse"


#: The values of :class:`Lossy`, as texts.
LossyName: TypeAlias = Literal["keep", "drop", "refuse"]
