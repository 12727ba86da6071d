"""A scripted table on a free port, and Debian's chromium that may talk to it and to nobody else."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from controller.web import WebServer, bind, create_app
from tests.browser.fake_service import FakeService

CHROMIUM = Path("/usr/bin/chromium")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]
WIDE = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}


class Table:
    """The scripted service under a real server in its own thread, and pages that look at it."""

    def __init__(self, browser: Browser, service: FakeService) -> None:
        self.service = service
        self.server = WebServer(create_app(service), bind("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self.server.port}"
        self.complaints: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + 10
        while not self.server.is_started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)

    def _run(self) -> None:
        self._loop.run_until_complete(self.server.serve())

    def open(self, path: str, size: dict[str, int] | None = None, **options: Any) -> Page:
        """Open a page in a browser of its own; everything it complains about is kept."""
        context = self._browser.new_context(viewport=size or WIDE, **options)  # type: ignore[arg-type]
        self._contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.on("console", lambda line: self._complain(line.type in ("error", "warning"), path, line.text))
        page.on("pageerror", lambda error: self._complain(True, path, str(error)))
        page.on("request", lambda one: self._complain(not one.url.startswith(self.origin), path, one.url))
        page.goto(self.origin + path)
        page.locator("html[data-seq]").wait_for(state="attached")
        return page

    def _complain(self, wrong: bool, path: str, text: str) -> None:
        expected = "status of 409" in text or "status of 401" in text or "status of 403" in text
        if wrong and not expected:
            self.complaints.append(f"{path}: {text}")

    def tell(self, name: str, **body: Any) -> None:
        """Let another hand (a key, another phone) give a command."""
        fields = {("from" if key == "from_" else key): value for key, value in body.items()}
        answer = asyncio.run_coroutine_threadsafe(self.service.command(name, fields, "player"), self._loop)
        assert answer.result(5)["ok"], name

    def do(self, change: Callable[[], None]) -> None:
        """Run something in the service's loop."""

        async def run() -> None:
            change()

        asyncio.run_coroutine_threadsafe(run(), self._loop).result(5)

    def wait_phase(self, phase: str, step: str | None = None) -> None:
        """Wait until the service stands in a phase."""
        deadline = time.monotonic() + 8
        while self.service.state["phase"] != phase or (step and self.service.state["step"] != step):
            assert time.monotonic() < deadline, f"{self.service.state['phase']} is not {phase} {step}"
            time.sleep(0.01)

    def close(self) -> None:
        """Close pages and server."""
        for context in self._contexts:
            context.close()
        asyncio.run_coroutine_threadsafe(self.server.stop(), self._loop).result(5)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the session: playwright's loop runs in this thread until it ends; other tests want their own.
    if not CHROMIUM.exists():
        pytest.skip("no chromium: `make deps` installs it")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield started
        started.close()


@pytest.fixture
def make_table(browser: Browser) -> Iterator[Callable[..., Table]]:
    tables: list[Table] = []

    def make(**options: Any) -> Table:
        tables.append(Table(browser, FakeService(**options)))
        return tables[-1]

    yield make
    for table in tables:
        table.close()
        assert table.complaints == []


@pytest.fixture
def table(make_table: Callable[..., Table]) -> Table:
    return make_table()
