"""A real Chromium, for tests of pages; they are skipped where there is none."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--force-device-scale-factor=1",
)  # fmt: skip
PATIENCE = 60

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None or importlib.util.find_spec("selenium") is None,
    reason="needs Chromium, chromedriver and selenium (Debian: apt install chromium chromium-driver)",
)


class Browser:
    """A browser and what tests ask of it."""

    def __init__(self, folder: Path) -> None:
        from selenium import webdriver

        options = webdriver.ChromeOptions()
        for flag in (*FLAGS, f"--user-data-dir={folder}", "--window-size=1280,900"):
            options.add_argument(flag)
        options.binary_location = str(CHROMIUM)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(str(DRIVER)))

    def open(self, address: str) -> None:
        self.driver.get(address)

    def js(self, code: str):
        """The value of an expression on the page."""
        return self.driver.execute_script(f"return {code}")

    def wait(self, code: str) -> None:
        """Wait until an expression is true on the page."""
        from selenium.webdriver.support.wait import WebDriverWait

        seen = WebDriverWait(self.driver, PATIENCE, 0.05)
        seen.until(lambda _: self.js(f"Boolean({code})"), f"{code}\n{self.text('body')}")

    def text(self, selector: str) -> str:
        return self.js(f"document.querySelector({selector!r}).innerText")

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is; names as in `selenium.webdriver.common.keys.Keys`."""
        from selenium.webdriver import ActionChains
        from selenium.webdriver.common.keys import Keys

        for key in keys:
            ActionChains(self.driver).send_keys(getattr(Keys, key, key)).perform()

    def click(self, selector: str) -> None:
        self.driver.find_element("css selector", selector).click()

    def click_cell(self, y: int, x: int, *, only_point: bool = False) -> None:
        """Click on a cell of the world, or move the mouse there."""
        from selenium.webdriver import ActionChains

        world = self.driver.find_element("css selector", ".world")
        height, width, tile = self.js(
            "[live.header.height, live.header.width, live.layer.svg.getScreenCTM().a]"
        )
        aside, down = round((x + 0.5 - width / 2) * tile), round((y + 0.5 - height / 2) * tile)
        moved = ActionChains(self.driver).move_to_element_with_offset(world, aside, down)
        (moved if only_point else moved.click()).perform()

    def choose(self, selector: str, value: str) -> None:
        from selenium.webdriver.support.select import Select

        Select(self.driver.find_element("css selector", selector)).select_by_value(value)

    def look(self, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Have a screen of another size, and another taste."""
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [theme]})

    def complaints(self) -> list[str]:
        """What the browser itself has complained of since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def close(self) -> None:
        self.driver.quit()


class Server:
    """`gridarium serve`, or another command, in a process of its own, which can be killed and started again at the same address.

    Its `lines` are what it has printed.
    """

    def __init__(self, *arguments: str, command: str = "serve") -> None:
        with contextlib.closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/"
        self._arguments = (command, *arguments)
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "gridarium", *self._arguments, "--port", str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.lines = [self._process.stdout.readline()]
        assert self.address in self.lines[0]

    def read_lines(self, count: int) -> list[str]:
        """Wait for further lines."""
        assert self._process.stdout is not None
        self.lines += [self._process.stdout.readline() for _ in range(count)]
        return self.lines

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()
