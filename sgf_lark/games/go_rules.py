"""The rules of Go by their names in RU: suicide and superko.

Source: FF[4], RU, for the names; for what they say the texts of the rules, as the page about the
rules of KataGo compares them.  Rules in Japan and Korea know no superko: a long cycle ends the
game without a result.  All others forbid to repeat a position, with the same side to play
(situational) or with either (positional).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class KoRule(StrEnum):
    """The positions that a move must not repeat."""

    SIMPLE = "simple"  # that before the last move
    POSITIONAL = "positional"  # any earlier one
    SITUATIONAL = "situational"  # any earlier one with the same side to play


class GoRules(NamedTuple):
    """The rules that decide about the legality of moves.

    Attributes:
        ko: What must not be repeated.
        suicide: A move may capture its own stones.
    """

    ko: KoRule = KoRule.SIMPLE
    suicide: bool = False

    @classmethod
    def of(cls, name: str) -> GoRules:
        """Return the rules that RU names; for an unknown name those of Japan."""
        name = name.strip().lower().replace("-", " ").replace("_", " ")
        if found := KATAGO.match(name):
            ko = KoRule(found["ko"]) if found["ko"] in set(KoRule) else KoRule.SIMPLE
            return cls(ko, suicide=found["suicide"] == "1")
        for beginning, rules in NAMED.items():
            if name.startswith(beginning):
                return rules
        return cls()


#: Rules by the beginnings of their names, in lower case.
NAMED = {
    "aga": GoRules(KoRule.SITUATIONAL),
    "bga": GoRules(KoRule.SITUATIONAL),
    "french": GoRules(KoRule.SITUATIONAL),
    "chinese": GoRules(KoRule.POSITIONAL),
    "nz": GoRules(KoRule.SITUATIONAL, suicide=True),
    "new zealand": GoRules(KoRule.SITUATIONAL, suicide=True),
    "goe": GoRules(KoRule.POSITIONAL, suicide=True),
    "ing": GoRules(KoRule.POSITIONAL, suicide=True),
    "tromp": GoRules(KoRule.POSITIONAL, suicide=True),
}

#: The rules as KataGo writes them one by one: ``koPOSITIONALscoreAREAtaxNONEsui1``.
KATAGO = re.compile(r"ko(?P<ko>simple|positional|situational|spight)score.*?sui(?P<suicide>[01])")
