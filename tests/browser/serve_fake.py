"""Serve the fake table for looking at the pages: `python -m tests.browser.serve_fake [PORT]`."""

from __future__ import annotations

import asyncio
import sys

from controller.web import WebServer, bind, create_app
from tests.browser.fake_service import FakeService


def main() -> None:
    """Serve until interrupted."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8765
    server = WebServer(create_app(FakeService(pace=0.4)), bind("127.0.0.1", port))
    print(f"http://127.0.0.1:{server.port}/table")
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
