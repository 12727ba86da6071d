"""`mahjong-table firmware`: images told and refused in words, and a board flashed over its serial port."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.diag.bootloader import STAYS
from controller.flashing import FAILURES
from firmware_bridge import messages as m
from firmware_bridge.boot_messages import BootBoard, Stay
from firmware_bridge.image import Image
from firmware_bridge.port import open_serial
from hardware.firmware import build, flash_map
from hardware.firmware.devices import load_devices
from hardware.firmware.release import intel_hex, version
from hardware.twin.harness_client import Harness
from tests.hardware.boot_chip import Chip

DEVICES = load_devices()["devices"]
SMALL = Image.of(bytes(range(256)) * 4, board=BootBoard.atmega2560, version=(1, 0, 0), source=1, layout=1)
AT_REST = {"dome_down", *(f"{name}_{n}" for name in ("stack_home", "tray_down") for n in (1, 2, 3, 4))}


def firmware(*words: str, timeout: float = 90) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", "firmware", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("images") / "board.img"
    done = firmware("build", "--out", str(path))
    assert (done.returncode, done.stdout) == (0, f"{path}\n"), done.stderr
    return path


def source_of(path: Path) -> str:
    return f"{Image.parse(path.read_bytes()).head.source:08x}"


# ---------------------------------------------------------------------- files


def test_an_image_says_what_it_is(built: Path) -> None:
    told = json.loads(firmware("info", str(built), "--json").stdout)
    held = built.read_bytes()[-told["size"] :]
    assert told == {
        "board": "atmega2560",
        "version": ".".join(map(str, version())),
        "source": source_of(built),
        "layout": f"{m.LAYOUT_HASH:08x}",
        "size": len(held),
        "crc": f"{zlib.crc32(held):08x}",
        "fits": True,
    }
    words = {lang: firmware("info", str(built), "--lang", lang).stdout for lang in ("en", "zh")}
    assert "version  " in words["en"]
    assert "版本  " in words["zh"]
    assert all(told["source"] in text and told["crc"] in text for text in words.values())


def test_an_image_of_another_protocol_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "other.img"
    path.write_bytes(SMALL.pack())
    assert json.loads(firmware("info", str(path), "--json").stdout)["fits"] is False
    assert "its protocol is not that of this program" in firmware("info", str(path), "--lang", "en").stdout


def damaged(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("command", ["info", "flash"])
@pytest.mark.parametrize(
    ("content", "said", "zh"),
    [
        (damaged(SMALL.pack(), 900), "the firmware image is damaged (its CRC is wrong)", "损坏"),
        (damaged(SMALL.pack(), 9), "the head of the firmware image is damaged", "头部损坏"),
        (SMALL.pack()[:-1], "the image should hold", "应有"),
        (b"hello", "this is no firmware image", "不是固件映像"),
        (None, "cannot read", "读不了"),
    ],
)
def test_what_is_no_whole_image_is_refused_in_one_sentence(
    tmp_path: Path, command: str, content: bytes | None, said: str, zh: str
) -> None:
    path = tmp_path / "bad.img"
    if content is not None:
        path.write_bytes(content)
    done = firmware(command, str(path), "--lang", "en")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("mahjong-table: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    told = firmware(command, str(path), "--lang", "zh", "--json")
    assert zh in told.stderr
    assert said in json.loads(told.stdout)["error"]["message"]


def parse_hex(text: str) -> dict[int, int]:
    """Return address -> byte, by the rules of the format and nothing of ours."""
    memory: dict[int, int] = {}
    upper = 0
    lines = text.splitlines()
    for line in lines:
        row = bytes.fromhex(line.removeprefix(":"))
        assert sum(row) % 256 == 0
        count, at, kind, data = row[0], row[1] << 8 | row[2], row[3], row[4:-1]
        assert len(data) == count
        if kind == 4:
            upper = int.from_bytes(data, "big") << 16
        elif kind == 0:
            for offset, byte in enumerate(data):
                assert memory.setdefault(upper + at + offset, byte) == byte
        else:
            assert line == lines[-1] == ":00000001FF"
    return memory


def test_intel_hex_crosses_64_kib() -> None:
    parts = {0: bytes(range(40)), 0x1FFF0: bytes(range(100)), 0x3F000: b"end"}
    assert parse_hex(intel_hex(parts)) == {
        at + offset: byte for at, data in parts.items() for offset, byte in enumerate(data)
    }


@pytest.mark.e2e
def test_the_first_flashing_starts_at_once(tmp_path: Path) -> None:
    """What a programmer writes is taken by the bootloader for a whole program."""
    path = tmp_path / "board.hex"
    assert firmware("build", "--hex", str(path)).returncode == 0
    memory = parse_hex(path.read_text())
    chip = Chip()
    for at in sorted({at // 256 for at in memory}):
        page = bytes(memory.get(at * 256 + offset, 0xFF) for offset in range(256))
        chip.harness.program(at * 256, page)
    chip.cut()
    assert chip.who() is not None
    here = chip.who()
    assert here is not None
    chip.close()
    assert here.valid
    assert here.size > 10_000


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    done = firmware("build", "--out", str(tmp_path / "no" / "where.img"))
    assert done.returncode == 1
    assert done.stderr.startswith("mahjong-table: cannot write ")


def test_the_version_is_that_of_the_sources() -> None:
    assert version("#define FIRMWARE_MAJOR 1u\n#define FIRMWARE_MINOR 22u\n#define FIRMWARE_PATCH 3u\n") == (
        1,
        22,
        3,
    )


def test_every_reason_to_stay_and_to_fail_has_words() -> None:
    assert {*STAYS} == {*Stay} - {Stay.listening}
    assert all(zh and en for zh, en in (*STAYS.values(), *FAILURES.values()))


# ---------------------------------------------------------------------- the board


class LiveChip:
    """A chip at a healthy table that runs by the wall clock behind a pseudo terminal.

    Args:
        named: its bootloader bears the name of ours.
    """

    def __init__(self, runs: Image | None, place: Path, *, named: bool = True) -> None:
        self.chip = Chip(runs)
        self.place = str(place)
        harness = self.chip.harness
        if not named:
            harness.program(flash_map.BOOT_NAME_AT, b"\xff" * 8)
        for row in (*DEVICES["sensors"], *DEVICES["keys"]):
            on = row["id"] in AT_REST
            harness.set_pin(row["port"], row["bit"], int(on == (row["active"] == "high")))
        for row in DEVICES["analog"]:
            harness.set_adc(row["channel"], row["healthy_mv"])
        harness.cut_power(1)
        harness.plug(place)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(harness,))
        self._thread.start()

    def _run(self, harness: Harness) -> None:
        while not self._over.is_set():
            self.chip.now = harness.run_paced(self.chip.now + 20_000).now_us

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.chip.close()


def old_firmware() -> Image:
    elf = build.build_firmware("older-source")
    return Image.of(build.flash_bytes(elf), board=BootBoard.atmega2560, version=(0, 0, 9), source=9, layout=9)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveChip]:
    made = LiveChip(old_firmware(), tmp_path / "board")
    yield made
    made.close()


@pytest.mark.e2e
@pytest.mark.realtime
def test_a_board_is_flashed_while_its_program_runs(live: LiveChip, built: Path) -> None:
    done = firmware("flash", str(built), "--port", live.place, "--lang", "en")
    assert done.returncode == 0, done.stderr
    source = source_of(built)
    assert f"({source}) runs" in done.stdout
    assert "100 %" in done.stderr
    assert "the program has stopped and leaves to its bootloader" in done.stderr
    again = firmware("flash", str(built), "--port", live.place, "--json")
    assert json.loads(again.stdout)["flashed"] is False
    assert "nothing done" in again.stderr
    diag = [sys.executable, "-m", "controller.cli", "diag", "status", "--serial", live.place, "--json"]
    status = json.loads(subprocess.run(diag, capture_output=True, text=True, timeout=30, check=False).stdout)
    assert status["source_hash"] == source


@pytest.mark.e2e
@pytest.mark.realtime
def test_a_board_without_a_program_is_flashed(tmp_path: Path, built: Path) -> None:
    live = LiveChip(None, tmp_path / "board")
    try:
        diag = [
            sys.executable,
            "-m",
            "controller.cli",
            "diag",
            "status",
            "--serial",
            live.place,
            "--lang",
            "en",
        ]
        said = subprocess.run(diag, capture_output=True, text=True, timeout=60, check=False).stderr
        done = firmware("flash", str(built), "--port", live.place, "--json")
    finally:
        live.close()
    assert "is in its bootloader (there is no whole program): give it a program" in said
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["flashed"], told["source"]) == (True, source_of(built))
    assert told["pages"] == told["pages_sent"]
    assert "没有完好的程序" in done.stderr
    assert "there is no whole program" in done.stderr


@pytest.mark.e2e
@pytest.mark.realtime
def test_a_program_that_hangs_at_once_is_replaced(tmp_path: Path, built: Path) -> None:
    """The watchdog resets it again and again, and each time the bootloader listens for a moment."""
    endless = Image.of(b"\xff\xcf", board=BootBoard.atmega2560, version=(1, 0, 0), source=1, layout=1)
    live = LiveChip(endless, tmp_path / "board")
    try:
        done = firmware("flash", str(built), "--port", live.place, "--json")
    finally:
        live.close()
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["source"] == source_of(built)


@pytest.mark.e2e
@pytest.mark.realtime
def test_an_image_for_another_board_is_refused_while_the_program_runs_on(
    live: LiveChip, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.img"
    made = Image.of(b"x" * 300, board=BootBoard.host, version=(1, 0, 0), source=1, layout=1)
    path.write_bytes(made.pack())
    done = firmware("flash", str(path), "--port", live.place, "--json", "--lang", "en")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "wrong_board"
    assert "another kind of board" in done.stderr


@pytest.mark.e2e
@pytest.mark.realtime
def test_a_board_without_our_bootloader_is_told_so(tmp_path: Path, built: Path) -> None:
    live = LiveChip(old_firmware(), tmp_path / "board", named=False)
    try:
        done = firmware("flash", str(built), "--port", live.place, "--lang", "en")
    finally:
        live.close()
    assert done.returncode == 1
    assert "the first time takes a programmer, see docs/update.md" in done.stderr


# ---------------------------------------------------------------------- ports


def test_a_held_port_is_told_with_its_holder_and_what_to_do(tmp_path: Path, built: Path) -> None:
    master, slave = os.openpty()
    port = open_serial(os.ttyname(slave))
    try:
        done = firmware("flash", str(built), "--port", os.ttyname(slave), "--lang", "en")
    finally:
        port.close()
        os.close(master)
        os.close(slave)
    assert done.returncode == 1
    assert f"(pid {os.getpid()})" in done.stderr
    assert "first" in done.stderr


def test_a_port_that_is_not_there_is_told(tmp_path: Path, built: Path) -> None:
    done = firmware("flash", str(built), "--port", str(tmp_path / "nothing"), "--lang", "en", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "no_board"
    assert "plug the board in" in done.stderr


def test_a_silent_port_is_told_in_time(built: Path) -> None:
    master, slave = os.openpty()
    try:
        done = firmware("flash", str(built), "--port", os.ttyname(slave), "--lang", "en", "--json")
    finally:
        os.close(master)
        os.close(slave)
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["code"] == "no_answer"
