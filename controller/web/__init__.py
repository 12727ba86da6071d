"""The web layer: it asks the brain and formats; it computes no score and moves no motor."""

from __future__ import annotations

from controller.web.app import create_app
from controller.web.security import is_loopback
from controller.web.server import PortBusy, WebServer, bind
from controller.web.service import CommandAnswer, Service, StreamEvent
from controller.web.sessions import make_code

__all__ = [
    "CommandAnswer",
    "PortBusy",
    "Service",
    "StreamEvent",
    "WebServer",
    "bind",
    "create_app",
    "is_loopback",
    "make_code",
]
