"""A small RTSP camera on loopback: JPEG over RTP, interleaved in the RTSP connection (RFC 2326, RFC 2435).

What FFmpeg reads from it went through a real socket and a real demuxer; how it misbehaves is chosen by name.
"""

from __future__ import annotations

import base64
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Iterator

MAX_PAYLOAD = 1400
JPEG_PAYLOAD, CLOCK_HZ = 26, 90_000


class RtspCamera:
    """Streams the JPEGs of `frames` in turn, one each `frame_s`, to one client after another.

    Args:
        frames: called for each picture, None = the stream stays open and silent from then on.
        login: name and password it wants (Basic), None = nobody is asked.
        hangs: "" or the request that is never answered ("OPTIONS", "DESCRIBE", "PLAY").
    """

    def __init__(
        self,
        frames: Callable[[], bytes | None],
        *,
        login: tuple[str, str] | None = None,
        hangs: str = "",
        frame_s: float = 0.05,
    ) -> None:
        self._frames, self._login, self._hangs, self._frame_s = frames, login, hangs, frame_s
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._open: list[socket.socket] = []
        self._over = threading.Event()
        self.connections = 0
        self.requests: list[str] = []
        self._accept = threading.Thread(target=self._serve, daemon=True)
        self._accept.start()

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/table"

    def hang_up(self) -> None:
        """Drop whoever is connected; the next one is served."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._open.clear()

    def close(self) -> None:
        self._over.set()
        self._server.close()
        self.hang_up()

    def _serve(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while not self._over.is_set():
                request = _read_request(connection)
                if not request:
                    return
                method = request.split(" ", 1)[0]
                self.requests.append(request)
                if method == self._hangs:
                    self._over.wait()
                    return
                connection.sendall(self._answer(method, request))
                if method == "PLAY":
                    self._stream(connection)
                if method == "TEARDOWN":
                    return

    def _answer(self, method: str, request: str) -> bytes:
        sequence = _header(request, "CSeq")
        said = [f"CSeq: {sequence}"]
        if self._login is not None and method != "OPTIONS" and not self._knows(request):
            said.append('WWW-Authenticate: Basic realm="camera"')
            return _packed("401 Unauthorized", said)
        if method == "DESCRIBE":
            text = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
            text += f"m=video 0 RTP/AVP {JPEG_PAYLOAD}\r\na=control:track0\r\n"
            said += [f"Content-Base: {self.url}/", "Content-Type: application/sdp"]
            return _packed("200 OK", [*said, f"Content-Length: {len(text)}"]) + text.encode("ascii")
        if method == "SETUP":
            said += ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1", "Session: 1;timeout=60"]
        elif method == "OPTIONS":
            said.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, TEARDOWN")
        else:
            said.append("Session: 1")
        return _packed("200 OK", said)

    def _knows(self, request: str) -> bool:
        assert self._login is not None
        expected = base64.b64encode(":".join(self._login).encode()).decode("ascii")
        return _header(request, "Authorization") == f"Basic {expected}"

    def _stream(self, connection: socket.socket) -> None:
        sequence, ticks = 0, 0
        while not self._over.wait(self._frame_s):
            jpeg = self._frames()
            if jpeg is None:
                self._over.wait()
                return
            ticks += int(self._frame_s * CLOCK_HZ)
            for packet in rtp_packets(jpeg, sequence, ticks):
                connection.sendall(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
                sequence += 1


def rtp_packets(jpeg: bytes, sequence: int, ticks: int) -> Iterator[bytes]:
    """Yield the RTP packets of one baseline JPEG (4:2:0, standard Huffman tables, sides in whole 8s)."""
    width, height, tables, scan = _taken_apart(jpeg)
    quantization = struct.pack(">BBH", 0, 0, len(tables)) + tables
    at = 0
    while at < len(scan):
        head = struct.pack(">B", 0) + at.to_bytes(3, "big") + bytes([1, 255, width // 8, height // 8])
        head += quantization if at == 0 else b""
        part = scan[at : at + MAX_PAYLOAD - len(head)]
        at += len(part)
        marker = 0x80 if at >= len(scan) else 0
        yield struct.pack(">BBHII", 0x80, marker | JPEG_PAYLOAD, sequence & 0xFFFF, ticks, 1) + head + part
        sequence += 1


def _taken_apart(jpeg: bytes) -> tuple[int, int, bytes, bytes]:
    """Return width, height, the two quantization tables and the scan's data of a baseline JPEG."""
    tables, size, at = {}, (0, 0), 2
    while True:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4], "big")
        body = jpeg[at + 4 : at + 2 + length]
        at += 2 + length
        if marker == 0xDB:
            for start in range(0, len(body), 65):
                tables[body[start] & 15] = body[start + 1 : start + 65]
        elif marker == 0xC0:
            height, width = struct.unpack(">HH", body[1:5])
            size = width, height
        elif marker == 0xDA:
            return *size, tables[0] + tables[1], jpeg[at:-2]


def _read_request(connection: socket.socket) -> str:
    """Return the next request, skipping interleaved packets of the client, "" at the end."""
    data = b""
    while not data.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        if not byte:
            return ""
        if not data and byte == b"$":
            head = connection.recv(3, socket.MSG_WAITALL)
            connection.recv(int.from_bytes(head[1:], "big"), socket.MSG_WAITALL)
            continue
        data += byte
    return data.decode("latin-1")


def _header(request: str, name: str) -> str:
    for line in request.splitlines():
        key, _, value = line.partition(":")
        if key.lower() == name.lower():
            return value.strip()
    return ""


def _packed(status: str, lines: list[str]) -> bytes:
    return "\r\n".join([f"RTSP/1.0 {status}", *lines, "", ""]).encode("ascii")
