"""A camera's address as people may see it: cameras carry passwords in every part of theirs."""

from __future__ import annotations

import re
import urllib.parse


def told_address(camera: str) -> str:
    """Return the address for logs and pages: scheme, host, port and a plain path only.

    Names and passwords stand before the host, in the query (`?user=a&pwd=b`), or in the path itself
    (`/user=a_password=b_channel=1`).

    >>> told_address("rtsp://owner:secret@10.0.0.7:554/ch1")
    'rtsp://10.0.0.7:554/ch1'
    >>> told_address("http://cam.lan/video.cgi?user=a&pwd=b")
    'http://cam.lan/video.cgi?…'
    >>> told_address("rtsp://10.0.0.7/user=a_password=b_channel=1")
    'rtsp://10.0.0.7/…'
    >>> told_address("0")
    '0'
    """
    scheme, mark, rest = camera.partition("://")
    if not mark:  # a number or path; or an address whose scheme was forgotten
        return re.sub(r"^[^/@]*:.*@", "…@", camera)
    try:
        parts = urllib.parse.urlsplit(camera)
        host, port = parts.hostname, parts.port
    except ValueError:
        return f"{scheme}://…"
    if not host or "@" in rest.partition(parts.netloc)[2]:  # a password with / ? or # ends the host early
        return f"{scheme}://…"
    place = f"[{host}]" if ":" in host else host
    path = parts.path if "=" not in parts.path else "/…"
    return f"{scheme}://{place}{'' if port is None else f':{port}'}{path}{'?…' if parts.query else ''}"
