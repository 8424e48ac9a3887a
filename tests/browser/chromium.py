"""Headless Chromium over its debugging pipe: no driver, no library. One page; what it asked for and complained of."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Queue
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)
# How long to wait for something to appear: a bound on a hung test, not a measure of speed.
PATIENCE_S = 60.0
# The middle of an element that two frames later is where it was, and is what lies there; else null.
STILL = """(async () => {
    const element = document.querySelector(%s);
    element?.scrollIntoView({block: 'center', behavior: 'instant'});
    const middle = () => {
        const box = element?.getClientRects()[0];
        return box ? [box.left + box.width / 2, box.top + box.height / 2] : null;
    };
    const before = middle();
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const after = middle();
    if (!before || !after || before[0] !== after[0] || before[1] !== after[1]) return null;
    return element.contains(document.elementFromPoint(...after)) ? after : null;
})()"""


def find() -> str | None:
    """The browser on the PATH."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class BrowserError(AssertionError):
    """The page or the browser didn't do what was asked."""


class Chromium:
    """A browser with one page. ``requests``, ``dialogs`` and ``complaints`` are all that it saw so far."""

    def __init__(self, executable: str, profile: Path) -> None:
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.complaints: list[str] = []
        self._replies: dict[int, Queue[dict[str, Any]]] = {}
        self._last = 0
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # As root Chromium's own sandbox can't start; the pages are ours.
        flags = [*_FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else []), f"--user-data-dir={profile}", "about:blank"]

        def connect() -> None:
            # The browser takes commands on descriptor 3 and answers on 4; the copies keep clear of both meanwhile.
            commands, answers = os.dup(to_browser), os.dup(from_browser)
            os.dup2(commands, 3)
            os.dup2(answers, 4)

        self._process = subprocess.Popen(
            [executable, *flags],
            preexec_fn=connect,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        threading.Thread(target=self._listen, daemon=True).start()
        self._session = ""
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(1280, 900)

    # --- the protocol ------------------------------------------------------------------------

    def _listen(self) -> None:
        rest = b""
        while piece := os.read(self._read, 1 << 16):
            *messages, rest = (rest + piece).split(b"\0")
            for message in messages:
                self._receive(json.loads(message))

    def _receive(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._replies[message["id"]].put(message)
            return
        method, parameters = message["method"], message["params"]
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(parameters["message"])
            self._send("Page.handleJavaScriptDialog", {"accept": False})
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))

    def _send(self, method: str, parameters: dict[str, Any]) -> Queue[dict[str, Any]]:
        self._last += 1
        number, replies = self._last, Queue[dict[str, Any]]()
        self._replies[number] = replies
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return replies

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command of the DevTools protocol."""
        try:
            reply = self._send(method, parameters).get(timeout=PATIENCE_S)
        except Empty:
            raise BrowserError(f"no answer to {method}") from None
        if "error" in reply:
            raise BrowserError(f"{method}: {reply['error']['message']}")
        result: dict[str, Any] = reply["result"]
        return result

    # --- the page ----------------------------------------------------------------------------

    def open(self, address: str) -> None:
        """Goes to an address."""
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        reply = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return reply["result"].get("value")

    def wait(self, condition: str) -> Any:
        """The first true value of an expression."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                # An element comes over as an empty object.
                if (value := self.run(condition)) not in (None, False, 0, ""):
                    return value
            except BrowserError:
                pass  # Between two pages there is nothing to evaluate in.
            time.sleep(0.05)
        raise BrowserError(f"never came true: {condition}; the page says: {self.run('document.body.innerText')[:1500]}")

    def text(self, selector: str) -> str:
        """The visible text of the first element, waited for."""
        return str(self.wait(f"document.querySelector({json.dumps(selector)})?.innerText"))

    def texts(self, selector: str) -> list[str]:
        """The visible texts of all elements that are there now."""
        found: list[str] = self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText)")
        return found

    def click(self, selector: str) -> None:
        """A click with the mouse in the middle of the first element, once it keeps its place and nothing covers it.

        What arrives late moves what is below it: a place measured before that belongs to something else by the click.
        """
        place = self.wait(STILL % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def type(self, selector: str, text: str) -> None:
        """Types over what a field holds."""
        self.click(selector)
        self.run(f"document.querySelector({json.dumps(selector)}).select()")
        self.call("Input.insertText", text=text)

    def press(self, key: str, modifiers: int = 0) -> None:
        """One key: Enter, Tab, Escape; modifiers: 2 is Ctrl, 8 is Shift."""
        code = {"Enter": 13, "Tab": 9, "Escape": 27}[key]
        more = {"text": "\r"} if key == "Enter" and not modifiers else {}
        common = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        """The size of the window in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def theme(self, name: str) -> None:
        """What the system prefers: light or dark."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """A picture of the window, or of the whole page."""
        reply = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(reply["data"]))

    def close(self) -> None:
        """Ends the browser."""
        closing: Callable[[], object] = lambda: self.call("Browser.close")  # noqa: E731
        try:
            session, self._session = self._session, ""
            closing() if session else None
            self._process.wait(timeout=PATIENCE_S)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
