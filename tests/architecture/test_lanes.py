"""No test hangs, wherever the tests run: ``tests/support/lint.py`` finds waits without a limit."""

from __future__ import annotations

import signal

import pytest
from support import lanes

pytestmark = pytest.mark.elsewhere


def test_every_test_has_a_time_limit(request: pytest.FixtureRequest) -> None:
    limit = request.node.get_closest_marker("timeout")

    assert request.config.pluginmanager.has_plugin("timeout")
    assert int(request.config.getini("timeout")) > 0
    assert (limit is not None) == lanes.is_night()


def test_ctrl_c_interrupts_tests_that_run_in_the_background() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
