"""A fix is offered where it is certain; its guards say where it is not."""

from __future__ import annotations

import pytest

import sgf_lark
from sgf_lark.core.schema.formats import FormatName

#: A rule, a text in which it finds something, and the fix of each of its findings; "-" is none.
CASES = [
    # the node would be gone, or begins without ';'
    ("annotation-without-move", "(;FF[4];TE[1];W[bb])", "remove TE[1]"),
    ("annotation-without-move", "(;FF[4](TE[1];W[bb]))", "-"),
    # ... of properties that move
    ("root-outside-root", "(;FF[4];B[aa];SZ[19])", "move SZ[19] to the first node"),
    ("root-outside-root", "(;FF[4](;B[aa](SZ[19])))", "-"),
    # ... of game info
    ("second-game-info", "(;FF[4]PB[a](;B[aa];PW[b]))", "move PW[b] to the first node"),
    ("second-game-info", "(;FF[4]PB[a](;B[aa](PW[b])))", "-"),
    # it would be another game
    ("root-outside-root", "(;FF[4];GM[1])", "move GM[1] to the first node"),
    ("root-outside-root", "(;FF[4];GM[2])", "-"),
    # one fix for all
    (
        "node-after-variation",
        "(;FF[4](;B[aa]);W[bb];W[cc](;B[dd]);W[ee])",
        "enclose each such node in '(' and ')' / -",
    ),
    ("node-after-variation", "((;FF[4]);)", "-"),
    # another node declares the format
    ("missing-format", "(;C[x];B[aa])", "add FF[1] to the first node"),
    ("missing-format", "(C[x];B[aa])", "-"),
    ("missing-format", "(;;C[x];B[aa])", "-"),
    ("missing-format", "(;)", "add FF[1] to the first node"),
    # only the point after the corner of a board of Go is a pass
    ("point-off-board", "(;FF[4]GM[1]SZ[9];B[jj])", "replace B[jj] with B[], a pass"),
    ("point-off-board", "(;FF[3]GM[1]SZ[9];B[jj])", "replace B[jj] with B[tt], a pass"),
    ("point-off-board", "(;FF[4]GM[1]SZ[9];B[ja])", "-"),
    ("point-off-board", "(;FF[4]GM[1]SZ[9];B[aj])", "-"),
    ("point-off-board", "(;FF[4]GM[4]SZ[9];B[jj])", "-"),
    ("point-off-board", "(;FF[4]GM[1]SZ[9];B[jj][aa])", "-"),
    ("point-off-board", "(;FF[4]GM[1]SZ[9];AB[jj])", "remove AB[jj]"),
    # a komi in KO, in a first node without KM
    ("wrong-value", "(;FF[4]KO[6.5])", "replace KO[6.5] with KM[6.5]"),
    ("wrong-value", "(;FF[4]KO[6.5]KM[5])", "replace KO[6.5] with KO[]"),
    ("wrong-value", "(;FF[4];B[aa]KO[6.5])", "replace KO[6.5] with KO[]"),
    ("wrong-value", "(;FF[4]KO[x])", "replace KO[x] with KO[]"),
    ("wrong-value", "(;FF[4]GM[2]KO[6.5])", "replace KO[6.5] with KO[]"),
    ("wrong-value", "(;FF[4]KO[6.5][7])", "replace KO[6.5] with KO[] / replace KO[7] with KO[]"),
    ("wrong-value", "(;FF[4]FG[1])", "replace FG[1] with FG[0:1]"),
    ("unusual-form", "(;FF[4]BR[9段])", "-"),
    # an empty value, which may be a move
    ("wrong-value", "(;FF[4]PL[ ])", "remove PL[]"),
    ("wrong-value", "(;FF[4];B[aa]MN[ ])", "-"),
    # a guess
    ("wrong-value", "(;FF[4]HA[even])", "remove HA[even], if the game is even"),
    (
        "wrong-value",
        "(;FF[4]TM[1:30])",
        "replace TM[1:30] with TM[90], if 1:30 is minutes and seconds",
    ),
    (
        "wrong-form",
        "(;FF[4]RE[B+R (by resignation)])",
        "replace RE[B+R (by resignation)] with RE[B+R]; this removes '(by resignation)'",
    ),
    # hundredths that are a komi
    ("doubtful-komi", "(;FF[4]KM[750])", "replace KM[750] with KM[7.5]"),
    ("doubtful-komi", "(;FF[4]KM[751])", "-"),
    ("fox-habit", "(;FF[4]KM[650]AP[foxwq])", "replace KM[650] with KM[6.5]"),
    ("fox-habit", "(;FF[4]TT[650]AP[foxwq])", "-"),
    # coordinates that are all on the board
    (
        "other-game",
        "(;FF[4]SZ[9];B[C3];W[J1];B[A1])",
        "replace B[C3] with B[cg], and all other points likewise",
    ),
    (
        "other-game",
        "(;FF[4]SZ[9];B[C3];W[pass];B[A1])",
        "replace B[C3] with B[cg], and all other points likewise",
    ),
    ("other-game", "(;FF[4]SZ[9];B[C3];W[K1];B[A1])", "-"),
    (
        "other-game",
        "(;FF[4]SZ[9];B[C3];W[J1];B[A1]LB[x];W[])",
        "replace B[C3] with B[cg], and all other points likewise",
    ),
    ("other-game", "(;FF[4]SZ[9];B[C3];W[J10];B[A1])", "-"),
    ("other-game", "(;FF[4]SZ[9];B[C3];W[J9];B[A0])", "-"),
    ("other-game", "(;FF[4]GM[4]SZ[9];B[C3];W[J9];B[A1])", "-"),
    (
        "other-game",
        "(;FF[3]SZ[9];B[pass];W[J1];B[A1])",
        "replace B[pass] with B[tt], and all other points likewise",
    ),
    (
        "other-game",
        "(;FF[4]SZ[9];B[pass];W[J1];B[A1])",
        "replace B[pass] with B[], and all other points likewise",
    ),
    ("other-game", "(;FF[4]SZ[9]AB[pass];B[C3];W[J1];B[A1])", "-"),
    ("other-game", "(;FF[4]SZ[9]AE[x];B[C3];W[J1];B[A1])", "-"),
    ("other-game", f"(;FF[4]SZ[9]AB[aa]{';B[C3];W[J1]' * 8})", "-"),
    # ... or in one value
    ("wrong-value", "(;FF[4]SZ[9];B[C3];W[aa];B[dd])", "replace B[C3] with B[cg]"),
    ("wrong-value", "(;FF[4]SZ[9];B[C10];W[aa];B[dd])", "-"),
    ("wrong-value", "(;FF[4]SZ[9];B[C19];W[aa];B[dd])", "-"),
    ("wrong-value", "(;FF[4]SZ[9];B[C9];W[aa];B[dd])", "replace B[C9] with B[ca]"),
    ("wrong-value", "(;FF[4]GM[4]SZ[9];B[C3])", "-"),
    ("wrong-value", "(;FF[4]SZ[9];B[K3];W[aa];B[dd])", "-"),
    ("wrong-value", "(;FF[4]SZ[9];AB[C3];W[aa];B[dd])", "-"),
    ("wrong-value", "(;FF[4]SZ[9];B[zz9];W[aa];B[dd])", "-"),
    # ... or with the color before them
    ("wrong-value", "(;FF[4];B[Bdd])", "replace B[Bdd] with B[dd]"),
    ("wrong-value", "(;FF[4]SZ[9];B[B3])", "replace B[B3] with B[bg]"),
    ("wrong-value", "(;FF[4];B[Wdd])", "-"),
    ("wrong-value", "(;FF[4];B[Bz9])", "-"),
    ("wrong-value", "(;FF[4];B[B])", "-"),
    # a swap, which is a move of Hex
    (
        "wrong-value",
        "(;FF[4]GM[11];B[swap])",
        "replace B[swap] with B[swap-pieces], if the stones change places",
    ),
    ("wrong-value", "(;FF[4]GM[11]AB[swap])", "-"),
    ("wrong-value", "(;FF[4]GM[11];B[swapping])", "-"),
    ("wrong-value", "(;FF[4]GM[1];B[swap])", "-"),
    # points of a rectangle
    ("newer-form", "(;FF[3]SZ[19];AB[aa:ba])", "write the points one by one: [aa][ba]"),
    ("newer-form", "(;FF[1]SZ[19];AB[aa:at])", "-"),
    ("newer-form", "(;FF[1]SZ[26];AB[aa:zz])", "-"),
    ("newer-form", "(;FF[3]SZ[20];AB[aa:ts])", "-"),  # too many points to write one by one
    ("newer-form", "(;FF[3]GM[3];AB[a1:b2])", "-"),
    ("newer-form", "(;FF[1]SZ[26];B[zz])", "-"),
    ("newer-form", "(;FF[3]SZ[19];B[])", "replace B[] with B[tt]"),
    ("newer-form", "(;FF[3]GM[3]SZ[19];B[])", "-"),
    # an empty value that is a move
    ("empty-value", "(;FF[4]GM[1]SZ[9];AB[])", "remove AB[]"),
    ("empty-value", "(;FF[4];B[aa]TE[])", "replace TE[] with TE[1]"),
    ("empty-value", "(;FF[4]GM[11]SZ[9];B[])", "-"),
    # dates that are clear
    ("no-such-date", "(;FF[4]DT[1996-13-05])", "replace DT[1996-13-05] with DT[1996-05-13]"),
    ("no-such-date", "(;FF[4]DT[1996-05-00])", "replace DT[1996-05-00] with DT[1996-05]"),
    ("no-such-date", "(;FF[4]DT[0000-00-00])", "remove DT[0000-00-00]"),
    ("no-such-date", "(;FF[4]DT[1996-02-30])", "-"),
    ("no-such-date", "(;FF[3]DT[1996-02-30])", "-"),
    ("no-such-date", "(;FF[4]DT[1996-13-05,1996-02-30])", "-"),
    ("no-such-date", "(;FF[4]DT[1996-13-05,1996-05-00])", "-"),
    # a pass before the move, but not where the game begins
    (
        "missing-pass",
        "(;FF[4]GM[2]AB[a1][a8]AW[b1][b8]AE[d4][e4][d5][e5];B[c1];B[c8])",
        "insert W[PA] before the move",
    ),
    ("missing-pass", "(;FF[4]GM[2]AB[a1][a8]AW[b1][b8]AE[d4][e4][d5][e5]B[c1]B[c8])", "-"),
    (
        "missing-pass",
        "(;GM[Othello]BO[4 O*-- ---- ---- ---- *]W[c1];)",
        "insert B[PA] before the move",
    ),
    # points in the notation of the game
    ("go-style-point", "(;FF[4]GM[2];B[dc])", "replace B[dc] with B[d3]"),
    # points that are repeated, not rectangles
    ("repeated-point", "(;FF[4]AB[aa][aa])", "remove the repeat of AB[aa], which stays once"),
    ("repeated-point", "(;FF[4]AB[aa][x][aa])", "remove the repeat of AB[aa], which stays once"),
    ("repeated-point", "(;FF[4]AB[aa][aa:bb])", "-"),
    ("repeated-point", "(;FF[4]AB[aa:bb][aa])", "-"),
    ("repeated-point", "(;FF[4]AB[aa:bb][aa:bb])", "-"),
    # lines to the same point, not others beside them
    ("one-point-line", "(;FF[4]LN[aa:aa][aa:bb][x])", "remove LN[aa:aa]"),
    # points of another list
    ("setup-conflict", "(;FF[4];AB[aa]AW[aa])", "remove AW[aa]"),
    ("setup-conflict", "(;FF[4];AB[aa]AW[aa:bb])", "-"),
    ("setup-conflict", "(;FF[4];AB[aa:bb]AW[aa:bb])", "-"),
    ("setup-conflict", "(;FF[4];TR[aa]AB[bb]AW[aa][bb])", "remove AW[bb]"),
    ("markup-conflict", "(;FF[4];TR[aa]MA[aa])", "remove MA[aa]"),
    # moves with several points are setup at the beginning, and beside setup
    ("too-many-values", "(;FF[4];B[aa][bb])", "write the moves as setup: AB[aa][bb]"),
    ("too-many-values", "(;FF[4];AB[cc]B[aa][bb])", "write the moves as setup: AB[cc][aa][bb]"),
    ("too-many-values", "(;FF[4];B[aa];B[bb][cc])", "remove B[cc]"),
    ("too-many-values", "(;FF[4];B[aa][bb]TE[1])", "remove B[bb]"),
    ("too-many-values", "(;FF[4];B[aa][x])", "remove B[x]"),
    ("too-many-values", "(;FF[4];B[aa][aa])", "remove the repeat of B[aa], which stays once"),
    ("too-many-values", "(;FF[4]B[cc];B[aa][bb])", "remove B[bb]"),
    # annotations that were one
    ("contradicting-annotations", "(;FF[4];B[aa]TE[1]BM[1])", "replace TE[1]BM[1] with IT[]"),
    ("contradicting-annotations", "(;FF[4];B[aa]BM[1]TE[1])", "replace BM[1]TE[1] with DO[]"),
    ("contradicting-annotations", "(;FF[4];B[aa]TE[1]DO[])", "remove DO[]"),
    # brackets beside other text
    ("extra-close", "(;FF[4];B[aa])))", "remove the ')'"),
    ("extra-close", "(;FF[4];B[aa]))(;FF[4])", "remove the ')'"),
    ("extra-close", "(;FF[4];B[aa]))[x]", "-"),
    ("extra-close", "(;FF[4];B[aa]))]", "-"),
    ("extra-close", "(;FF[4]N))(;FF[4])", "remove the ')'"),
    ("extra-close", "(;FF[4];B[aa]))x", "remove the ')'"),
    ("extra-close", "(;FF[4]N))(;B[aa])FF[4])", "remove the ')'"),
    ("extra-close", "(;FF[4]GM[1]AP)SZ[9](;B[aa])(;B[bb]))", "-"),
    # ... or between names
    ("empty-tree", "(;FF[4]()(;B[aa]))", "remove '()'"),
    ("empty-tree", "(;FF[4]((;B[aa])(;B[bb])))", "remove '('"),
    ("empty-tree", "(;FF[4]C()[x];B[aa])", "-"),
    ("empty-tree", "(;FF[4]N()(;B[aa]))", "-"),
    ("empty-tree", "(;FF[4]()FF[4](;B[aa]))", "-"),
    ("empty-tree", "(;FF[4](44)(;B[aa]))", "-"),
    ("empty-tree", "(;FF[4]( x(;B[aa])))", "-"),
    ("empty-tree", "(;FF[4] x () y;B[aa])", "-"),
    # a stone without brackets
    ("missing-value", "(;FF[4];Bpd;W[dd])", "replace Bpd with B[pd]"),
    ("missing-value", "(;FF[4];ABpd;W[dd])", "replace ABpd with AB[pd]"),
    ("missing-value", "(;FF[4];N;W[dd])", "remove N"),
    ("missing-value", "(;FF[4];Bzz;W[dd])", "remove Bzz"),
    # a text that goes on
    ("unescaped-bracket", "(;FF[4];C[a] b];W[aa])", "write '\\]'"),
    ("unescaped-bracket", "(;FF[4];C[a] b] c];W[aa])", "-"),
    ("unescaped-bracket", "(;FF[4];C[a [b] :( c];W[aa])", "-"),
    ("unescaped-bracket", "(;FF[4];C[a [b] x][c];W[aa])", "write '\\]'"),
    ("unescaped-bracket", "(;FF[4]C[x]]é;B[aa])", "-"),
    (
        "unescaped-bracket",
        "(;FF[4];C[a] b]];W[aa])",
        "write '\\]' for each ']' of the text but its last",
    ),
    ("unescaped-bracket", r"(;FF[4];C[a;W[bb];B\][cc])", "-"),
    ("unescaped-bracket", "(;FF[4];C[a] b] x;W[aa])", "-"),
    # a value with its beginning
    ("unclosed-value", "(;FF[4];C[a", "close the value with ']' at the end"),
    ("unclosed-value", "(;FF[4];C[a)", "close the value with ']' at the end"),
    ("unclosed-value", "(;FF[4];C[a\\", "-"),
    ("unclosed-value", "(;FF[4];C[", "-"),
    (
        "unclosed-value",
        "\ufeff(;FF[4]C[a\udce4",
        "remove the half character E4 at the end, and write ']'",
    ),
    # properties that would begin a variation, or join a name
    ("property-outside-games", "FF[4]KM[5](;C[x])", "write '(;' before the properties"),
    ("property-outside-games", "FF[4]KM[5](;FF[4])", "-"),
    ("property-outside-games", "FF[4]KM[5](;GM[1])", "-"),
    ("property-outside-games", "(;FF[4]);B[aa]", "move the ')' after the properties"),
    ("property-outside-games", "(;FF[4]);B[aa])", "remove the ')' before the properties"),
    ("property-outside-games", "(;FF[4]N)B[aa])", "-"),
    ("property-outside-games", "(;FF[4]N)B[aa]", "-"),
    ("property-outside-games", "(;FF[4]N) B[aa]", "move the ')' after the properties"),
    (
        "property-outside-games",
        "(;FF[4];B[aa])；W[bb]",  # noqa: RUF001
        "write the signs of the record in ASCII",
    ),
    ("property-outside-games", ";FF[4]C[x](;B[aa])", "write '(' before the properties"),
    ("property-outside-games", "(;FF[4]);B[aa]--C[x]", "-"),
    # properties that are a game
    ("no-game-record", "FF[4]KM[5];B[aa]", "write '(;' before the properties and ')' after them"),
    ("no-game-record", ";FF[4];B[aa])", "write '(' before the properties"),
    ("no-game-record", "FF[4];B[aa])", "write '(;' before the properties"),
    ("no-game-record", "hello there", "-"),
    ("no-game-record", "（；FF[4]；B[aa]）", "write the signs of the record in ASCII"),  # noqa: RUF001
    ("no-game-record", "hello (there", "-"),
    # a bracket after a text
    ("stray-text", "(;FF[4]C[x]];B[aa])", "write '\\]' for the first of both"),
    ("stray-text", "(;FF[4]C[x] ];B[aa])", "write '\\]' for the first of both"),
    ("stray-text", "(;FF[4]KM[5]];B[aa])", "remove the ']'"),
    ("stray-text", "(;FF[4]SZ[9]];B[aa])", "remove the ']'"),
    ("stray-text", "(;FF[4]];B[aa])", "remove the ']'"),
    ("stray-text", "(;FF[4]C[x] y;B[aa])", "move the text into the comment, C[y]"),
    ("stray-text", "(;FF[4]C[x]--;B[aa])", "remove '--'"),
    ("stray-text", "(;FF[4]ZZ[1]C[x] y;B[aa])", "move the text into the comment, C[y]"),
    ("stray-text", "(;x W[bb]B[aa])", "move the text into the comment, C[x]"),
    ("stray-text", "(;FF[4]C[x]\x01;B[aa])", "remove the invisible characters"),
    ("stray-text", "(;FF[4]--C[x] y;B[aa])", "remove '--' / move the text into the comment, C[y]"),
    ("stray-text", "(;]C[x];FF[4])", "remove the ']'"),
    ("stray-text", "(;FF[4];B[aa]];W[bb])", "remove the ']'"),
    ("stray-text", "(;FF[4]RE[B+R]];B[aa])", "remove the ']'"),
    ("stray-text", "(;FF[4]ZZ[1]];B[aa])", "write '\\]' for the first of both"),
    ("stray-text", "(;FF[4]C[x][y]];B[aa])", "write '\\]' for the first of both"),
    ("stray-text", "(;GM[Othello]CO[x]]B[d3];)", "remove the ']'"),
    ("stray-text", "(;FF[4]KM[5]]];B[aa])", "remove all ']'"),
    # a text that a property would join, and one beside it
    ("stray-text", "(;FF[4]xC[x]]éx", "-"),
    ("stray-text", "(;FF[4]C[x] y KM[5]é n[tt];B[aa])", "move the text into the comment, C[y] / -"),
    ("stray-text", r"(;FF[4]C[x] a\b;B[aa])", r"move the text into the comment, C[a\\b]"),
    ("stray-text", r"(;GM[Othello]a\b PB[a];)", r"move the text into the comment, CO[a\b]"),
    # the signs of a record in full width, and nothing but them, names and values
    ("stray-text", "(;FF[4]；B[aa])", "write the signs of the record in ASCII"),  # noqa: RUF001
    ("stray-text", "(;FF[4]Ｎ［ｘ］;B[aa])", "write the signs of the record in ASCII"),  # noqa: RUF001
    ("stray-text", "(;FF[4]；B［ｐｄ］)", "write the signs of the record in ASCII"),  # noqa: RUF001
    (
        "stray-text",
        "(;FF[4]；B［ｐｄ］x)",  # noqa: RUF001
        "move the text into the comment, C[；B［ｐｄ］x]",  # noqa: RUF001
    ),
    ("stray-text", "(;FF[4]N Ａ ;B[aa])", "move the text into the comment, C[N Ａ]"),  # noqa: RUF001
    ("stray-text", "(;FF[4];[1]AP)", "-"),
    ("stray-text", "(;FF[4]SZ[1] 9];W[aa])", "-"),
    ("stray-text", "(;FF[4]CA[x] ];B[aa])", "remove the ']'"),
    # a node that would declare the format or the game
    ("missing-semicolon", "(FF[4];B[aa])", "write ';' before the property"),
    ("missing-semicolon", "(FF[4];SZ[9])", "write ';' before the property"),
    ("missing-semicolon", "(;FF[4](;B[aa](W[bb])))", "write ';' before the property"),
    ("missing-semicolon", "(FF[4];GM[1])", "-"),
    ("missing-semicolon", "(;FF[4](B[aa];GM[1]))", "-"),
    ("missing-semicolon", "(;FF[4];B[aa](FF[4]GM[2]))", "-"),
    ("missing-semicolon", "(FF[4];C[x]GM[1])", "-"),
    ("missing-semicolon", "(;FF[4](C[x](;FF[4])))", "write ';' before the property"),
    # trees that stay open
    ("unclosed-tree", "(;FF[4];B[aa]", "add ')'"),
    ("unclosed-tree", "(;FF[4](;B[aa](;W[bb])", "add '))'"),
    ("unclosed-tree", "(;FF[4];B[aa] N", "add ')'"),
    ("unclosed-tree", "(;GM[Othello]B[d3]", "add ';)'"),
    ("unclosed-tree", "(;GM[Othello]B[d3])", "write ';)'"),
    ("unclosed-tree", "(;FF[4](;B[aa](;FF[4]W[bb])(;FF[4])", "add '))'"),
    ("unclosed-tree", "(;FF[4](;B[aa](;W[bb])) x ;C[y]", "add ')'"),
    ("unclosed-tree", "(;FF[4](44", "-"),
    ("unclosed-tree", "(;FF[4];B[aa] --", "add ')'"),
    ("unclosed-tree", "(;FF[4](;B[aa](;W[bb]) N)", "add ')'"),
    ("unclosed-tree", "(;FF[4](;B[aa](;W[bb]) n)", "-"),
    ("unclosed-tree", "(;FF[4](;B[aa](;W[bb]) Né)", "-"),
    ("unclosed-tree", "(;FF[4](;B[aa]) [X]", "-"),
    ("unclosed-tree", "(;FF[4](;FF[4];C[x", "-"),
    ("unclosed-tree", "(;FF[4](;B[aa]((;W[bb]);B[cc])", "-"),
    ("unclosed-tree", "(;FF[4]Sé[9]", "-"),
    ("unclosed-tree", "(;FF[4](;B[aa];B[cc](;W[bb])))(;FF[4](;B[aa]) C[x]", "add ')'"),
    # names beside other text
    ("lowercase-identifier", "(;FF[4]Name[x];B[aa]Name[y])", "replace Name with N"),
    ("lowercase-identifier", "(;FF[4]Name[x];B[aa] stray Name[y])", "replace Name with N"),
    ("lowercase-identifier", "(;FF[4]Name[x] stray;B[aa])", "-"),
    ("lowercase-identifier", "(;FF[4]N[x] (y) Name[z])", "-"),
    # properties that would be another game, or take values
    ("swallowed-properties", "(;FF[4]PB[aPW[b];B[aa])", "write ']' where the value ends"),
    ("swallowed-properties", "(;FF[4]PB[aGM[1];B[aa])", "write ']' where the value ends"),
    ("swallowed-properties", "(;FF[4]PB[aGM[2];B[aa])", "-"),
    ("swallowed-properties", "(;FF[4]PB[a;GM[1];B[aa])", "-"),
    ("swallowed-properties", "(;FF[4]PB[a);B[aa])", "-"),
    ("swallowed-properties", "(;FF[4]PB[;B[aa])", "-"),
    ("swallowed-properties", "(;FF[4]PB[aPW[b][c];B[aa])", "write ']' where the value ends"),
    ("swallowed-properties", "(;FF[4]AB[aaAW[bb][cc];B[aa])", "-"),
    ("swallowed-properties", "(;FF[4](;PB[a)(;B[aa]))", "write ']' where the value ends"),
    ("swallowed-properties", "(;FF[4]AB[aa][bb;W[cc]C[x])", "write ']' where the value ends"),
    ("swallowed-properties", "(;FF[4]AB[aa][bb;W[cc][dd]C[x])", "-"),
    ("swallowed-properties", "(;FF[4]C[x];B[aa]C[y;W[bb]z])", "-"),
    # values of one property
    ("duplicate-property", "(;FF[4]AB[aa]AB[aa])", "remove the repeat of AB[aa], which stays once"),
    ("duplicate-property", "(;FF[4]AB[aa]AB[bb])", "merge them into one AB"),
    ("duplicate-property", "(;FF[4]C[a]C[b])", "join the texts into one C"),
    ("duplicate-property", "(;FF[4]PB[a]PB[b])", "remove PB[b]"),
    ("duplicate-property", "(;FF[4];B[aa];B[bb]B[cc])", "write ';' before the second move"),
    # ... in one node, which of GGF is one move
    ("duplicate-property", "(;GM[Othello]PB[a]PB[b]B[d3];)", "remove PB[b]"),
    ("duplicate-property", "(;GM[Othello]PB[a]B[d3]PB[b];)", "-"),
    # stones that were played in turns, and what is beside them
    (
        "duplicate-property",
        "(;FF[4]GM[1]SZ[19];B[pd];AB[dd]AW[cc]AB[dc]C[a]C[b])",
        "write ;B[dd];W[cc];B[dc], a move in each node / join the texts into one C",
    ),
    # setup before the move; PL after it for the opponent
    (
        "setup-with-move",
        "(;FF[4];AB[dd]W[pd])",
        "move the setup into its own node before the move: ;AB[dd];W[pd]",
    ),
    (
        "setup-with-move",
        "(;FF[4];W[pd]AB[dd])",
        "move the setup into its own node before the move: ;AB[dd];W[pd]",
    ),
    (
        "setup-with-move",
        "(;FF[4];B[pd]PL[W])",
        "move PL into its own node after the move: ;B[pd];PL[W]",
    ),
    (
        "setup-with-move",
        "(;FF[4];B[pd]PL[B])",
        "move the setup into its own node before the move: ;PL[B];B[pd]",
    ),
    (
        "setup-with-move",
        "(;FF[4];B[pd]PL[W]AB[dd])",
        "move the setup into its own node before the move: ;PL[W]AB[dd];B[pd]",
    ),
    (
        "setup-with-move",
        "(;FF[4]B[pd]PL[W])",
        "move PL into its own node after the move: ;FF[4]B[pd];PL[W]",
    ),
    # ... with the name of the node, and what is private in the first one
    (
        "setup-with-move",
        "(;FF[4];N[x]W[pd]AB[dd])",
        "move the setup into its own node before the move: ;N[x]AB[dd];W[pd]",
    ),
    (
        "setup-with-move",
        "(;FF[4]AB[dd]W[pd]ZZ[1])",
        "move the setup into its own node before the move: ;FF[4]AB[dd]ZZ[1];W[pd]",
    ),
    (
        "setup-with-move",
        "(;FF[4];AB[dd]W[pd]ZZ[1])",
        "move the setup into its own node before the move: ;AB[dd];W[pd]ZZ[1]",
    ),
    # the spelling of a value
    ("too-many-values", "(;FF[4]C[a][b])", "join the values into one text"),
    ("too-many-values", "(;FF[4]N[a][b])", "join the values into one text"),
    ("too-many-values", "(;FF[4]N[a][a])", "remove the repeat of N[a], which stays once"),
    (
        "too-many-values",
        "(;FF[4]N[a][][a])",
        "remove the repeat of N[a], which stays once, and empty values",
    ),
    ("too-many-values", "(;FF[4]N[][])", "remove N[]"),
    ("too-many-values", "(;FF[4]GM[1][2])", "remove GM[2]"),
    ("too-many-values", "(;FF[4];B[aa][])", "remove B[]"),
    ("too-many-values", "(;FF[4];B[aa]KO[][x])", "remove KO[x]"),
    ("too-many-values", "(;FF[4]FF[4][3])", "remove FF[3]"),
    ("too-many-values", "(;FF[4]CA[UTF-8][x])", "remove CA[x]"),
    ("too-many-values", "(;FF[4]RE[B+1][W+2])", "remove RE[W+2]"),
    # parts of the match that go back to it
    ("too-many-values", "(;FF[4]GM[6];PB[x][game:1]MI[length:7])", "move PB[game:1] to MI"),
    ("too-many-values", "(;FF[4]GM[6];PB[x][game:1])", "join the values into one text"),
    ("too-many-values", "(;FF[4]GM[6]PB[x][game:1])", "move PB[game:1] to MI"),
    ("too-many-values", "(;FF[4]GM[6]MI[length:7];PB[x][game:1])", "join the values into one text"),
    ("too-many-values", "(;FF[4]GM[6]MI[game:2]PB[x][game:1])", "join the values into one text"),
    ("too-many-values", "(;FF[4]GM[6]MI[length:7]PB[x][y])", "join the values into one text"),
    ("too-many-values", "(;FF[4]GM[6]MI[length:7]PB[x][foo:1])", "join the values into one text"),
    (
        "too-many-values",
        "(;FF[4]GM[6]MI[length:7]PB[x][g\\ame:1])",
        "join the values into one text",
    ),
    ("too-many-values", "(;FF[4]GM[6]MI[length:7]C[x][game:1])", "join the values into one text"),
    # a version
    ("application-without-version", "(;FF[4]AP[x])", "write AP[x:]"),
    # corners
    ("swapped-corners", "(;FF[4]AB[cc:aa])", "replace [cc:aa] with [aa:cc]"),
    ("swapped-corners", "(;FF[4]AB[ac:ca])", "replace [ac:ca] with [aa:cc]"),
    # a ko that is retaken at once
    (
        "ko-capture",
        "(;FF[4]SZ[9]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb];W[bb])",
        "add KO[], which marks the move as intended although it retakes the ko at once",
    ),
    # a handicap of one stone is the first move, where White plays next
    (
        "doubtful-number",
        "(;FF[4]GM[1]HA[1]AB[dd];W[pp])",
        "write ;B[dd], the first move; this removes HA[1]AB[dd]",
    ),
    (
        "doubtful-number",
        "(;FF[4]GM[1]HA[1]AB[dd]PL[W];W[pp])",
        "write ;B[dd], the first move; this removes HA[1]AB[dd]PL[W]",
    ),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd](;W[pp])(;B[qq]))", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd](;W[pp])(;AB[qq]))", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd];B[pp])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd][qq];W[pp])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AW[dd];W[pp])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd]AW[qq];W[pp])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd]PL[W]AE[aa];W[pp])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd]B[qq];W[pp])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[dd:ee];W[pp])", "-"),
    ("doubtful-number", "(;FF[4]GM[1]HA[1]AB[x];W[pp])", "-"),
    # KO came with FF[3]
    ("ko-capture", "(;FF[1]SZ[9]AB[ba][ab][bc]AW[ca][cc][db][bb];B[cb];W[bb])", "-"),
    # what is of another kind stays in its node
    ("root-outside-root", "(;FF[4];B[aa]SZ[19]C[x])", "move SZ[19] to the first node"),
    ("second-game-info", "(;FF[4]PB[a];B[aa]PW[b]C[x])", "move PW[b] to the first node"),
    # stray text in another node, and in this one
    ("lowercase-identifier", "(;FF[4]Name[x](;B[aa] stray))", "replace Name with N"),
    ("empty-text", "(;FF[4]C[];B[aa] x)", "remove C[]"),
    ("empty-text", "(;FF[4]C[] x;B[aa])", "-"),
    # text that says how the game is read, and text that goes on
    ("unescaped-bracket", "(;FF[4]CA[a] b];W[aa])", "-"),
    ("unescaped-bracket", "(;FF[4]C[a] b] c;W[aa])", "-"),
    # properties after text, and a game that is opened later
    ("property-outside-games", "x ;B[aa](;FF[4])", "-"),
    ("no-game-record", "FF[4]B[aa] (", "-"),
    ("line-break-in-line", "(;FF[4]N[a\tb\n])", "replace a line break with a space in N[a b]"),
    (
        "line-break-in-line",
        "(;FF[4]N[a\\\nb\nc])",
        "replace a line break with a space in N[a\\ b c]",
    ),
    # an edit near stray text, which of GGF, or within a value, or without brackets, is no harm
    ("two-moves", "(;x W[bb]B[aa])", "-"),
    ("duplicate-property", "(;GM[Othello] x PB[a]PB[b];)", "remove PB[b]"),
    ("newer-form", "(;FF[3]SZ[19]x AB[aa:bb])", "write the points one by one: [aa][ba][ab][bb]"),
    ("too-many-values", "(;FF[4]--PB[a][b])", "join the values into one text"),
    ("too-many-values", "(;FF[4];x B[aa][bb])", "write the moves as setup: AB[aa][bb]"),
    # stones as moves in the first node, beside setup later, and of both sides
    ("too-many-values", "(;FF[4]B[aa][bb])", "write the moves as setup: AB[aa][bb]"),
    (
        "too-many-values",
        "(;FF[4];B[dd];AB[cc]B[aa][bb])",
        "write the moves as setup: AB[cc][aa][bb]",
    ),
    ("two-moves", "(;FF[4];B[aa][bb]W[cc])", "write the moves as setup: AB[aa][bb]AW[cc]"),
    ("two-moves", "(;FF[4];B[aa]W[bb])", "write ';' before the second move"),
    ("setup-with-move", "(;FF[4];AB[cc]B[aa][bb])", "write the moves as setup: AB[cc][aa][bb]"),
    (
        "setup-with-move",
        "(;FF[4];AB[cc]MN[1])",
        "move the setup into its own node before the move: ;AB[cc];MN[1]",
    ),
    # names are no prose, whatever FF[3] calls them; nobody knows what is private
    ("duplicate-property", "(;FF[3]N[a]N[b])", "remove N[b]"),
    ("duplicate-property", "(;FF[4]ZZ[1]ZZ[2])", "merge them into one ZZ"),
    # an annotation that was never one with another
    ("contradicting-annotations", "(;FF[4];B[aa]DO[]TE[1])", "remove TE[1]"),
    # what the other node has
    (
        "root-outside-root",
        "(;FF[4]SZ[19];B[aa]SZ[19])",
        "remove SZ[19], which stays in the first node",
    ),
    ("root-outside-root", "(;FF[4]SZ[19];B[aa]SZ[9])", "remove SZ[9]"),
    (
        "second-game-info",
        "(;FF[4];B[aa]PB[a];W[bb]PW[b])",
        "move PW[b] to the game info at move 1",
    ),
    ("swallowed-properties", r"(;FF[4]C[a\];B[bb];W[cc])", r"write '\\]' where the value ends"),
]


@pytest.mark.parametrize(("rule", "text", "fixes"), CASES)
def test_a_fix_is_offered_only_where_nothing_stands_against_it(
    rule: str, text: str, fixes: str
) -> None:
    data = text.encode(errors="surrogateescape")
    found = [finding for finding in sgf_lark.check(data) if finding.name == rule]

    assert " / ".join(one.fix.message if one.fix else "-" for one in found) == fixes


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("(;FF[4]SZ[19:19])", [True]),
        ("(;FF[4]GM[ 1])", [True]),
        ("(;FF[4]KM[ 6.5]KM[5])", [True]),
        # of these another one may be what is read
        ("(;FF[4]SZ[19:19]SZ[9])", [False]),
        ("(;FF[4]GM[ 1]GM[2])", [False]),
        ("(;FF[4]ST[ 1]ST[2])", [False]),
    ],
)
def test_another_spelling_is_safe_but_of_root_properties_that_occur_twice(
    text: str, safe: list[bool]
) -> None:
    found = sgf_lark.check(text.encode())

    assert [one.fix.safe for one in found if one.fix and one.code[0] == "V"] == safe


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("(;FF[4]SZ[19x19])", [True]),
        ("(;FF[4]GM[Othello])", [True]),
        ("(;FF[4]PL[])", [True]),
        ("(;FF[4]PL[ ])", [True]),
        ("(;FF[4];B[aa]KO[][])", [True]),
        # something is added, or lost
        ("(;FF[4]FG[1])", [False]),
        ("(;FF[4];B[aa]KO[x])", [False]),
        ("(;FF[4]GM[Hex])", [False]),
        ("(;FF[4]SZ[])", [False]),
        ("(;FF[4]SZ[ ])", [False]),
        # another one may be what is read
        ("(;FF[4]KM[6,5]KM[5])", [False, True]),
        ("(;FF[4]SZ[19x19]SZ[9])", [False, False]),
    ],
)
def test_a_corrected_value_is_unsafe_where_it_may_mean_something_else(
    text: str, safe: list[bool]
) -> None:
    found = sgf_lark.check(text.encode())

    assert sorted(one.fix.safe for one in found if one.fix) == safe


@pytest.mark.parametrize(("format_", "fixes"), [("ff4", ["replace FF[5] with FF[4]"]), ("ff3", [])])
def test_an_unknown_format_is_called_ff4_only_where_it_is_read_so(
    format_: FormatName, fixes: list[str]
) -> None:
    found = sgf_lark.check(b"(;FF[5])", format=format_)

    assert [one.fix.message for one in found if one.fix and one.property == "FF"] == fixes
