"""Examples of overtime, and what each of them means: judged by hand."""

from sgf_lark.core import Clock

#: Who writes so, the text of OT, and what it means: periods x seconds, stones / seconds, the
#: seconds of each move and the cap, the main time before ":"; "-" is not to be read.
JUDGED = """
KGS              | 5x30 byo-yomi                                 | japanese 5x30
KGS              | 3x60 byo-yomi                                 | japanese 3x60
KGS              | 1x10 byo-yomi                                 | japanese 1x10
KGS              | 11x10 byo-yomi                                | japanese 11x10
KGS              | 10x60 byo-yomi                                | japanese 10x60
KGS              | 2x10 byo-yomi                                 | japanese 2x10
KGS              | 2x30 byo-yomi                                 | japanese 2x30
KGS              | 3x10 byo-yomi                                 | japanese 3x10
KGS              | 5x10 byo-yomi                                 | japanese 5x10
KGS              | 5x15 byo-yomi                                 | japanese 5x15
KGS              | 5x40 byo-yomi                                 | japanese 5x40
KGS              | 5x60 byo-yomi                                 | japanese 5x60
CGoban           | 25/300 Canadian                               | canadian 25/300
CGoban           | 25/600 Canadian                               | canadian 25/600
CGoban           | 20/120 Canadian                               | canadian 20/120
CGoban           | 15/300 Canadian                               | canadian 15/300
CGoban           | 25/180 Canadian                               | canadian 25/180
OGS              | 3x30 byo-yomi                                 | japanese 3x30
OGS              | 86400 fischer                                 | fischer 86400
OGS              | 14400 fischer                                 | fischer 14400
OGS              | 259200 simple                                 | simple 259200
OGS              | 60 simple                                     | simple 60
OGS              | 0 none                                        | none
goban            | 5x30 Byo-Yomi                                 | japanese 5x30
goban            | 3x60 byoyomi                                  | japanese 3x60
goban            | 5x30.5 byo-yomi                               | japanese 5x30.5
goban            | 10/600 CANADIAN                               | canadian 10/600
goban            | 25/180.5 Canadian                             | canadian 25/180.5
goban            | 30 Fischer                                    | fischer 30
goban            | 0x30 byo-yomi                                 | -
goban            | 5x0 byo-yomi                                  | -
goban            | 0/300 Canadian                                | -
goban            | 15/0 Canadian                                 | -
goban            | 0 Fischer                                     | -
goban            | 0 simple                                      | -
goban in Kotlin  | 5*30 Byo-Yomi                                 | japanese 5x30
SmartGo          | 1 x 60 seconds Byo-yomi                       | japanese 1x60
SmartGo          | 1 x 60 seconds Byoyomi                        | japanese 1x60
Tygem, converted | 3x 30 sec                                     | japanese 3x30
GoGui            | 1 moves / 30 sec                              | canadian 1/30
GoGui            | 5 moves / 30 sec                              | canadian 5/30
GoGui            | 10 moves / 5 min                              | canadian 10/300
GoGui, a test    | 8 xyz 16                                      | -
PlayHex          | fischer 5                                     | fischer 5
PlayHex          | fischer 5 capped                              | fischer 5 up to main
PlayHex          | fischer 5 capped 600                          | fischer 5 up to 600
gospeed          | Fischer 10                                    | fischer 10
gospeed          | Hourglass                                     | hourglass
YuanYu           | None                                          | none
YuanYu           | 1x5 byo-yomi                                  | japanese 1x5
qGo              | 3:30                                          | -
playdots         | 20 sec / move                                 | simple 20
DGS | Japanese byoyomi: 90 days + 1 day per move and 10 extra periods | 7776000: japanese 10x86400
DGS              | Canadian byoyomi: 30 days + 15 days per 10 stones | 2592000: canadian 10/1296000
DGS              | Fischer time: 30 days with 1 day extra per move | 2592000: fischer 86400
FF[4], example   | 25 moves / 10 min                             | canadian 25/600
FF[4], example   | 5 mins Japanese style, 1 move / min           | -
a single tool    | 5x30                                          | japanese 5x30
a single tool    | fischer +10s                                  | fischer 10
a single tool    | Fischer +5s por jugada                        | -
people           | 5 x 30 byo-yomi                               | japanese 5x30
people           | 5x1 min byo-yomi                              | japanese 5x60
people           | 25 stones / 10 minutes                        | canadian 25/600
people           | absolute                                      | absolute
people           | sudden death                                  | absolute
people           | byo-yomi                                      | -
people           | byo yomi                                      | -
people           | x30 byo-yomi                                  | -
people           | 25/600                                        | -
people           | 20, 30, 40 stones                             | -
people           | 5x30 byo-yomi, sudden death                   | -
people           | 5x30 byo-yomi or so                           | -
people           | We don't pay OT                               | -
people           | A very long overtime information text (OT property) | -
people           | 2 hours, then 60                              | -
"""

EXAMPLES = [[part.strip() for part in line.split("|")] for line in JUDGED.strip().splitlines()]


def meaning(clock: Clock | None) -> str:
    """A clock as the table above has it."""
    if clock is None:
        return "-"
    main = f"{clock.initial.seconds:.10g}: " if clock.initial else ""
    seconds = clock.extension.seconds or clock.increment.seconds
    before = {"japanese": f"{clock.periods}x", "canadian": f"{clock.extension.moves}/"}
    time = f" {before.get(clock.system, '')}{seconds:.10g}" if seconds else ""
    cap = "main" if clock.cap == float("inf") else f"{clock.cap}".removesuffix(".0")
    return f"{main}{clock.system}{time}{'' if clock.cap is None else f' up to {cap}'}"
