"""The black box: when the machine faults, the last minute of the wire is kept beside the ledger.

Files `blackbox/<journal row>-<fault>.jsonl`, the newest `KEEP` of them; written by a thread of its own, since
the brain waits for nothing. `python -m hardware.campaigns.replay FILE` feeds one to the firmware again.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from controller.driver import Ledger
from controller.facts import Fact, Record
from firmware_bridge.errors import BadRecording
from firmware_bridge.record import Recorder, Recording, parse_recording

KEEP = 20


class BlackBox:
    """Writes what the recorder holds into a folder with a bounded number of files."""

    def __init__(
        self,
        folder: Path,
        recorder: Recorder,
        *,
        keep: int = KEEP,
        is_low: Callable[[], bool] = lambda: False,
    ) -> None:
        """Write into `folder` what `recorder` holds; nothing while `is_low` says that the disk is."""
        self._is_low = is_low
        self._folder = folder
        self._recorder = recorder
        self._keep = keep
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="blackbox")

    def freeze(self, record: Record) -> Future[Path | None]:
        """Keep the last minute as of now; the future tells the file, None if it could not be written."""
        body = record.body
        about = {"seq": record.seq, "at": record.at_utc}
        about |= {key: body[key] for key in ("key", "code", "side", "phase", "step") if key in body}
        name = f"{record.seq:08}-{body.get('key', 'fault')}.jsonl"
        return self._writer.submit(self._write, name, self._recorder.recording(**about))

    def close(self) -> None:
        """Wait for what is being written."""
        self._writer.shutdown()

    def _write(self, name: str, recording: Recording) -> Path | None:
        if self._is_low():
            return None
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            part = self._folder / f"{name}.part"
            part.write_text(recording.text(), "utf-8")
            os.replace(part, self._folder / name)
            for old in black_boxes(self._folder)[self._keep :]:
                old.unlink()
        except OSError:
            return None  # a full disk must not stop the table; the ledger tells of the fault itself
        return self._folder / name


class FreezingLedger:
    """A ledger that lets the black box be kept at each fault, after the fault is on disk."""

    def __init__(self, ledger: Ledger, box: BlackBox) -> None:
        self._ledger = ledger
        self._box = box

    def append(self, facts: Sequence[Fact]) -> tuple[Record, ...]:
        """See `driver.Ledger.append`."""
        records = self._ledger.append(facts)
        for record in records:
            if record.kind == "fault":
                self._box.freeze(record)
        return records


def black_boxes(folder: Path) -> list[Path]:
    """Return the files, newest first."""
    with contextlib.suppress(OSError):
        return sorted(folder.glob("*.jsonl"), reverse=True)
    return []


def read_black_box(path: Path) -> Recording:
    """Return what a file holds.

    Raises:
        BadRecording: naming the file.
    """
    try:
        return parse_recording(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadRecording(f"{path}: {error}") from error
