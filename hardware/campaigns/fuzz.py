"""Damaged streams of frames into both decoders: the host's in Python, the board's core with ASan and UBSan.

A frame that is accepted must be one that was sent. What the CRC lets through by chance is its due: one of
2^32 of the frames that came as far as its check; more is a mistake. A crash of the core ends its process.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Any

from firmware_bridge.frames import FrameClass, encode
from firmware_bridge.messages import MESSAGES
from hardware.campaigns.link import Listening
from hardware.campaigns.progress import Progress
from hardware.firmware.build import build_fuzz

SABOTAGES = {
    "no-crc": "neither decoder looks at the CRC: frames that nobody sent are accepted",
    "long-frame": "the board keeps one byte more of a frame than it has room for: the core ends",
}
MISS_RATE = 2.0**-32
UNLIKELY = 10.0
"""So many times the expected number may pass by chance; 10^7 streams expect 0.001, so none."""
CORPUS = 997
KEPT = 64
"""Frames from so many streams ago may still wait for a 0x00 that was lost."""
KINDS = {
    "command": FrameClass.COMMAND,
    "response": FrameClass.RESPONSE,
    "event": FrameClass.EVENT,
    "note": FrameClass.NOTE,
}


def corpus(chance: random.Random) -> list[bytes]:
    """Return frames of every message with whatever content, some as repeats and some as acknowledgements."""
    kinds = list(MESSAGES.values())
    frames = []
    for number in range(CORPUS):
        kind = kinds[number % len(kinds)]
        message = kind.unpack(chance.randbytes(kind.LENGTH))
        seq, boot, again = chance.randrange(256), chance.randrange(256), chance.random() < 0.3
        if chance.random() < 0.1:
            frames.append(encode(FrameClass.EVENT_ACK, seq, boot, kind.CODE, again=again))
        else:
            frames.append(encode(KINDS[kind.KIND], seq, boot, message, again=again))
    return frames


def harm(stream: bytes, chance: random.Random) -> bytes:
    """Return the stream with one harm done to it."""
    at, what = int(chance.random() * len(stream)), int(chance.random() * 6)
    if what == 0:
        return stream[:at] + bytes([stream[at] ^ 1 << chance.getrandbits(3)]) + stream[at + 1 :]
    if what == 1:
        return stream[:at] + bytes([chance.getrandbits(8)]) + stream[at + 1 :]
    if what == 2:
        return stream[:at] + stream[at + 1 :]
    if what == 3:
        return stream[:at] + bytes([chance.getrandbits(8) if chance.getrandbits(1) else 0]) + stream[at:]
    if what == 4:
        return stream[: at + chance.getrandbits(3)] + stream[at:]
    return stream[: at + 1]


def fuzz_host(
    streams: int, seed: int, *, blind: bool = False, progress: Progress | None = None
) -> dict[str, int]:
    """Feed the host's decoder; returns its counters and `wrong`, accepted frames that nobody sent."""
    chance = random.Random(seed)
    frames = corpus(chance)
    texts = [frame.strip(b"\0") for frame in frames]
    decoder = Listening(blind=blind)
    sent: deque[bytes] = deque(maxlen=KEPT * 3)
    wrong = 0
    for _ in range(streams):
        stream = b""
        for _ in range(1 + int(chance.random() * 3)):
            which = int(chance.random() * CORPUS)
            stream += frames[which]
            sent.append(texts[which])
        for _ in range(int(chance.random() * 4)):
            stream = harm(stream, chance) if stream else stream
        decoder.feed(stream)
        for text in decoder.accepted:
            wrong += text not in sent
        decoder.accepted.clear()
        if progress is not None:
            progress.add()
    return {
        "streams": streams,
        "accepted": decoder.frames,
        "wrong": wrong,
        "crc_errors": decoder.crc_errors,
        "cobs_errors": decoder.cobs_errors,
        "length_errors": decoder.length_errors,
        "unknown": decoder.unknown,
    }


def run(n: int, seed: int, sabotage: str | None = None) -> dict[str, Any]:
    """Feed `n` streams to each side, both at the same time; returns the figures."""
    core = _start_core(build_fuzz(sabotage), n, seed)
    with Progress(n, "streams") as progress:
        host = fuzz_host(n, seed, blind=sabotage == "no-crc", progress=progress)
    told, words = core.communicate()
    figures: dict[str, Any] = {"crashes": int(core.returncode != 0)}
    if core.returncode:
        print(words, file=sys.stderr, flush=True)
        board = dict.fromkeys(("streams", "accepted", "wrong", "crc_errors", "cobs_errors"), 0)
    else:
        board = json.loads(told)
    figures |= {f"host_{name}": value for name, value in host.items()}
    figures |= {f"board_{name}": value for name, value in board.items()}
    checked = host["crc_errors"] + board["crc_errors"] + host["wrong"] + board["wrong"]
    figures["wrong"] = host["wrong"] + board["wrong"]
    figures["wrong_expected"] = round(checked * MISS_RATE, 6)
    return {**figures, "missed": _missed(figures)}


def _start_core(program: Path, n: int, seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [program, str(n), str(seed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _missed(figures: dict[str, Any]) -> list[str]:
    missed = []
    if figures["crashes"]:
        missed.append("crashes: the core ended; a sanitizer's words are above")
    if figures["wrong"] > int(UNLIKELY * figures["wrong_expected"]):
        missed.append(f"wrong: {figures['wrong']}, expected {figures['wrong_expected']}")
    return missed
