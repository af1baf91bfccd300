"""What is written is read alike by sgfmill."""

from typing import Any

import pytest
from support.of_sgfmill import OPTIONS, of_ours, of_sgfmill

import sgf_lark


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]PB[a\\]b\\\\]C[x\\: [y\\]\n\nz];B[aa](;W[bb])(;W[cc];B[dd](;W[])(;W[ee])))(;FF[4])",
        "(;FF[3]LB[aa:x][bb:y];B[tt](;W[aa])(;W[bb]))",
    ],
)
def test_sgfmill_reads_what_is_written(text: str, options: dict[str, Any]) -> None:
    written = sgf_lark.dumps(sgf_lark.loads(text), **options)

    assert of_sgfmill(written) == of_ours(sgf_lark.loads(written))
