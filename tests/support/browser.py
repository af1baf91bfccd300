"""A real browser without a window, driven through its own protocol.

Source: the Chrome DevTools Protocol.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect

#: The program; None where it is not installed.
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

#: Seconds until something has to have happened.
PATIENCE = 30.0


@contextmanager
def opened(folder: Path, url: str) -> Iterator[Browser]:
    """A page of Chromium.

    Args:
        folder: For its profile.
        url: To open.
    """
    command = [
        *(str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu"),
        *("--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0"),
        *(f"--user-data-dir={folder}", "about:blank"),
    ]
    with subprocess.Popen(  # noqa: S603  # found on the path
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            ports = (re.search(r"ws://127\.0\.0\.1:(\d+)/", line) for line in process.stderr)
            port = next(found[1] for found in ports if found)
            with urlopen(f"http://127.0.0.1:{port}/json/list") as answer:  # our own
                pages = json.load(answer)
            target = next(one for one in pages if one["type"] == "page")
            with connect(target["webSocketDebuggerUrl"], max_size=None) as socket:
                yield Browser(socket, url)
        finally:
            process.kill()


class Browser:
    """A page, seen from outside.

    Args:
        socket: To the browser.
        url: To open.

    Attributes:
        requests: What the page and its workers have asked for.
        complaints: What went wrong in it.
    """

    def __init__(self, socket: Any, url: str) -> None:
        self._socket = socket
        self._number = 0
        self.requests: list[str] = []
        self.complaints: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        # A worker waits at its beginning, so that none of its requests is missed.
        self.call(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True
        )
        self.call("Page.navigate", url=url)

    def call(self, method: str, **params: Any) -> Any:
        """Ask the browser for something, and wait for its answer."""
        number = self._send({"method": method, "params": params})
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("id") == number:
                assert "error" not in message, message["error"]
                return message["result"]
            self._note(message)

    def _send(self, message: dict[str, Any]) -> int:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, **message}))
        return self._number

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Target.attachedToTarget":
            for wanted in ("Network.enable", "Runtime.enable", "Runtime.runIfWaitingForDebugger"):
                self._send({"method": wanted, "sessionId": params["sessionId"]})
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.complaints.append(params["entry"]["text"])

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript gives."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return result["result"].get("value")

    def wait_for(self, expression: str) -> Any:
        """Wait until an expression is true, and give it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = self.value(expression)
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {expression}")

    def violations(self, scheme: str) -> list[tuple[str, list[str]]]:
        """What axe-core finds in a light or dark page: rules, and elements that break them."""
        places = [
            Path(one) / "axe-core/axe.js" for one in os.environ.get("NODE_PATH", "").split(":")
        ]
        axe = next((place for place in places if place.is_file()), None)
        if axe is None:
            pytest.skip("axe-core is not installed: npm install axe-core, and name it in NODE_PATH")
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=media)
        self.value(axe.read_text(encoding="utf-8") + ";0")
        run = "axe.run().then(one => JSON.stringify(one.violations))"
        answer = self.call("Runtime.evaluate", expression=run, awaitPromise=True)
        self.call("Emulation.setEmulatedMedia", features=[])
        found = json.loads(answer["result"]["value"])
        return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]

    def press(self, key: str, text: str = "", code: int = 0) -> None:
        """Press a key."""
        common = {"key": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def settle(self) -> None:
        """Wait until what has been changed or scrolled is on the screen."""
        frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        self.call("Runtime.evaluate", expression=frames, awaitPromise=True)

    def click(self, x: float, y: float) -> None:
        """Click at a place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Type letters where the keyboard is."""
        self.call("Input.insertText", text=text)

    def reload(self) -> None:
        """Load the page again."""
        self.value("document.body.className = 'old'")
        self._load_again()
        self.wait_for("document.body && document.body.className !== 'old'")

    def _load_again(self) -> None:
        self.call("Page.reload")

    def download_to(self, folder: Path) -> None:
        """Save what is downloaded into a folder."""
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def resize(self, width: int, height: int) -> None:
        """Make the window as large as that of some device."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,  # pixels of a phone
        )
