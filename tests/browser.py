"""A browser without a window, driven by keys: Chromium, by its own protocol over a pipe."""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("google-chrome") or ""
_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--hide-scrollbars", "--remote-debugging-pipe"),
)
# The protocol's pipes are those numbered 3 and 4.
_START = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for number, pipe in enumerate(pipes, start=3):
    os.dup2(pipe, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
_NAMED = {"Enter": (13, "\r"), "Escape": (27, "")}


class Browser:
    """One tab of a browser."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._write, self._read = to_browser, from_browser
        self._got, self._number, self._session = b"", 0, ""
        self.dialogs: list[str] = []  # that scripts opened
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime"):
            self._call(f"{domain}.enable")

    def open(self, address: str) -> None:
        self._call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def run(self, script: str) -> Any:
        done = self._call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def wait(self, fact: str, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(AssertionError, RuntimeError):  # between two pages
                if self.run(f"!!({fact})"):
                    return
            time.sleep(0.005)
        raise TimeoutError(f"{fact} never came true on {self.text()[:500]}")

    def press(self, key: str) -> None:
        code, text = _NAMED.get(key, (ord(key[0].upper()), key))
        event = {"key": key, "windowsVirtualKeyCode": code}
        self._call("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
        self._call("Input.dispatchKeyEvent", type="keyUp", **event)

    def press_and_go(self, key: str) -> None:
        """Press a key that leads to another page, and wait for that."""
        self.run("window.stillHere = true")
        self.press(key)
        self.wait("!window.stillHere && document.readyState === 'complete'")

    def write(self, text: str) -> None:
        self._call("Input.insertText", text=text)

    def text(self) -> str:
        return str(self.run("document.body.innerText"))

    def look(self, width: int, height: int, scheme: str = "light") -> None:
        """Make the window so large, and prefer light pages or dark ones."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._call("Emulation.setEmulatedMedia", features=features)

    def picture(self, path: Path) -> None:
        taken = self._call("Page.captureScreenshot", format=path.suffix.removeprefix("."))
        path.write_bytes(base64.b64decode(taken["data"]))

    def _call(self, method: str, **parameters: Any) -> Any:
        number = self._send(method, **parameters)
        while (answer := self._next()).get("id") != number:
            if answer.get("method") == "Page.javascriptDialogOpening":
                self.dialogs.append(answer["params"]["message"])
                self._send("Page.handleJavaScriptDialog", accept=True)  # the page waits for it
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _send(self, method: str, **parameters: Any) -> int:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        return self._number

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._got:
            if not select.select([self._read], [], [], 120)[0]:
                raise TimeoutError("the browser doesn't answer")
            chunk = os.read(self._read, 1 << 16)
            if not chunk:
                raise EOFError("the browser has ended")
            self._got += chunk
        first, _, self._got = self._got.partition(b"\0")
        found: dict[str, Any] = json.loads(first)
        return found


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser with a profile of its own, and end it."""
    (read_theirs, write_ours), (read_ours, write_theirs) = os.pipe(), os.pipe()
    pipes = read_theirs, write_theirs
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        options = [*_OPTIONS, f"--user-data-dir={folder}", "about:blank"]
        command = [sys.executable, "-c", _START, *map(str, pipes), PROGRAM, *options]
        process = subprocess.Popen(command, pass_fds=pipes, stderr=subprocess.DEVNULL)
        for pipe in pipes:
            os.close(pipe)
        try:
            yield Browser(write_ours, read_ours)
        finally:
            process.kill()
            process.wait()
            os.close(write_ours)
            os.close(read_ours)
