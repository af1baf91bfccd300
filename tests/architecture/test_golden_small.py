"""The small golden record: what the package says of the samples and of the catalogue."""

import pytest
from support import golden_small
from support.accept import ACCEPT
from support.golden_small import differences, read_small, small_texts
from support.lanes import is_night


@pytest.mark.both_lanes
def test_the_package_says_of_the_samples_and_the_catalogue_what_is_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if is_night():
        monkeypatch.setattr(golden_small, "EVERY", 1)
    texts, known = [*small_texts()], read_small()
    found = [*differences(known, texts)]
    found += [f"{name}: is gone" for name in known.keys() - {one.name for one in texts}]

    assert not found, "\n".join([*found[:10], f"{len(found)} texts", ACCEPT])
