"""Firefox without a window, driven through WebDriver BiDi as :mod:`.browser` drives Chromium.

Source: W3C, WebDriver BiDi.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

from .browser import PATIENCE, Browser

#: The program; None where it is not installed.
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

#: It asks nobody on its own.
_SETTINGS = """
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("layout.css.prefers-color-scheme.content-override", {scheme});
user_pref("remote.prefs.recommended", true);
"""

#: The code points of keys that are no letters.
_KEYS = {
    "Tab": "\ue004",
    "End": "\ue010",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}


@contextmanager
def opened(folder: Path, url: str, *, dark: bool = False) -> Iterator[Firefox]:
    """A page of Firefox.

    Args:
        folder: For its profile.
        url: To open.
        dark: A dark page is preferred.
    """
    settings = _SETTINGS.format(scheme=0 if dark else 1)
    (folder / "user.js").write_text(settings, encoding="utf-8")
    command = [str(FIREFOX), "--headless", "--no-remote", "--remote-debugging-port=0"]
    with subprocess.Popen(  # noqa: S603  # found on the path
        [*command, "--profile", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        clock = threading.Timer(PATIENCE, process.kill)  # it may say nothing
        clock.start()
        try:
            assert process.stderr is not None
            places = (re.search(r"ws://127\.0\.0\.1:\d+", line) for line in process.stderr)
            address = next((found[0] for found in places if found), None)
            assert address is not None, "Firefox does not say where it listens"
            clock.cancel()
            threading.Thread(target=process.stderr.read, daemon=True).start()
            with connect(f"{address}/session", max_size=None) as socket:
                yield Firefox(socket, url)
        finally:
            clock.cancel()
            process.kill()


class Firefox(Browser):
    """A page of Firefox, seen from outside; its commands are those of WebDriver BiDi."""

    def __init__(self, socket: Any, url: str) -> None:
        self._socket = socket
        self._number = 0
        self.requests = []
        self.complaints = []
        self.call("session.new", capabilities={})
        events = ["network.beforeRequestSent", "log.entryAdded"]
        self.call("session.subscribe", events=events)
        self._page = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("browsingContext.navigate", context=self._page, url=url, wait="none")

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method == "network.beforeRequestSent":
            self.requests.append(params["request"]["url"])
        elif method == "log.entryAdded" and params["level"] == "error":
            self.complaints.append(params["text"] or "")

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript gives."""
        answer = self.call(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then(one => JSON.stringify(one))",
            target={"context": self._page},
            awaitPromise=True,
        )
        result = answer.get("result", {"type": "undefined"})
        return json.loads(result["value"]) if result["type"] == "string" else None

    def settle(self) -> None:
        """Wait until what has been changed or scrolled is on the screen."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def _act(self, kind: str, *actions: dict[str, Any], **more: Any) -> None:
        source = {"type": kind, "id": kind, "actions": [*actions], **more}
        self.call("input.performActions", context=self._page, actions=[source])

    def press(self, key: str, text: str = "", code: int = 0) -> None:
        """Press a key."""
        del text, code
        value = _KEYS.get(key, key)
        self._act("key", {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value})

    def type(self, text: str) -> None:
        """Press the keys of letters where the keyboard is."""
        for letter in text:
            self.press(letter)

    def click(self, x: float, y: float) -> None:
        """Click at a place of the window."""
        place = {"type": "pointerMove", "x": round(x), "y": round(y)}
        press = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act("pointer", place, *press)

    def resize(self, width: int, height: int) -> None:
        """Make the window as large as that of some device."""
        viewport = {"width": width, "height": height}
        self.call("browsingContext.setViewport", context=self._page, viewport=viewport)

    def _load_again(self) -> None:
        self.call("browsingContext.reload", context=self._page, wait="none")

    def download_to(self, folder: Path) -> None:
        """Save what is downloaded into a folder."""
        behavior = {"type": "allowed", "destinationFolder": str(folder)}
        self.call("browser.setDownloadBehavior", downloadBehavior=behavior)

    def screenshot(self) -> str:
        """A picture of the window, as PNG in Base64."""
        return str(self.call("browsingContext.captureScreenshot", context=self._page)["data"])
