"""Builds the firmware (avr-gcc) and the simulator's harness (cc) into the user's cache.

The folder is named after a hash of all sources, so a change makes a new one and two processes may build at
once: each works in a folder of its own and moves the finished file into place.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from hardware.firmware import devices, flash_map

MCU = "atmega2560"
CFLAGS = (
    "-std=c11", "-Os", "-g", "-Wall", "-Wextra", "-Werror",
    "-ffunction-sections", "-fdata-sections", "-fshort-enums",
)  # fmt: skip
AVR_FLAGS = (f"-mmcu={MCU}", "-DF_CPU=16000000UL", "-Wl,--gc-sections", "-mrelax", "-flto")
SMALL_FLAGS = (
    "-mcall-prologues",
    "-fno-tree-loop-optimize", "-fno-ivopts", "-fno-move-loop-invariants",  # loops that gcc 5 makes longer
    "-fira-algorithm=priority", "-mstrict-X",  # few pointer registers, shared otherwise
    # the rest was found by trying, with avr-gcc 5.4
    "-fno-tree-reassoc", "-fno-tree-tail-merge", "-fno-ssa-phiopt", "-fno-guess-branch-probability",
    "-fno-tree-dominator-opts", "-fno-tree-pre", "-fno-ipa-sra", "-fno-inline-functions-called-once",
    "-fno-jump-tables", "-fno-tree-coalesce-vars",
)  # fmt: skip
"""Of the firmware, not of the bootloader, which runs before there is a C runtime."""
BOOT_FLAGS = (
    f"-Wl,--section-start=.text=0x{flash_map.BOOT_AT:X}",
    f"-Wl,--section-start=.bootname=0x{flash_map.BOOT_NAME_AT:X}",
    "-Wl,--undefined=boot_name", "-nostartfiles",
)  # fmt: skip
HARNESS_FLAGS = (
    "-std=gnu11", "-O2", "-Wall", "-Wextra", "-I/usr/include/simavr", "-I/usr/local/include/simavr",
)  # fmt: skip
HARNESS_LIBS = ("-lsimavr", "-lelf", "-lutil")
HOST_FLAGS = (
    "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Wshadow",
    "-Werror", "-fshort-enums",
    "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
)  # fmt: skip
LIBRARY_FLAGS = (
    "-std=c11", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror",
    "-fshort-enums", "-shared", "-fPIC",
)  # fmt: skip
OLD_PROTOCOL = "old-protocol"
FLASH_BUDGET = 24 * 1024
TOOL_TIMEOUT_S = 120


class BuildError(RuntimeError):
    """The build is not possible; one line that says what to install or what failed."""


@dataclass(frozen=True, slots=True)
class FirmwareInfo:
    """A built firmware: where it is, its hash, bytes of flash and of static RAM."""

    elf: Path
    source: str
    flash: int
    ram: int


def cache_folder() -> Path:
    """Return the user's cache folder of this product."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mahjong-table"


def firmware_sources() -> list[Path]:
    """Return the C files of the firmware, sorted."""
    root = _here()
    return sorted(path for part in ("core", "hal_avr", "app") for path in (root / part).glob("*.[ch]"))


def source_hash() -> str:
    """Return the hash of everything that goes into the firmware."""
    return _hash([*firmware_sources(), *_inputs()], (*CFLAGS, *AVR_FLAGS, *SMALL_FLAGS))


def write_headers(folder: Path, *more: str) -> None:
    """Write the generated devices.h, flash_map.h and protocol.h into `folder`; `more`: how protocol.h is."""
    (folder / "devices.h").write_text(devices.header_text(), "utf-8")
    (folder / "flash_map.h").write_text(flash_map.header_text(), "utf-8")
    _write_protocol(folder / "protocol.h", *more)


def _write_protocol(target: Path, *more: str) -> None:
    command = [sys.executable, "-m", "firmware_bridge.generate", "--c", str(target), *more]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(_here().parents[1]), *filter(None, sys.path)]),
    }
    _run(command, target.name, environment)


def build_firmware(mutant: str | None = None) -> Path:
    """Return the firmware's ELF file, building it if the sources changed.

    Args:
        mutant: leave a safety rule out (`MUTANT_...` in core/), so that a campaign can show that it notices;
            `OLD_PROTOCOL`: a board of protocol version 1.
    Raises:
        BuildError: without avr-gcc and avr-libc, or if the compiler refuses.
    """
    key = (
        source_hash()
        if mutant is None
        else _hash([*firmware_sources(), *_inputs()], (*AVR_FLAGS, *SMALL_FLAGS, mutant))
    )

    def compile_to(target: Path, work: Path) -> None:
        gcc = _tool("avr-gcc", "gcc-avr avr-libc")
        write_headers(work, *(("--as", "1") if mutant == OLD_PROTOCOL else ()))
        sources = [str(path) for path in firmware_sources() if path.suffix == ".c"]
        include = [f"-I{work}", f"-I{_here() / 'core'}", f"-I{_here() / 'hal_avr'}"]
        define = (f"-DFIRMWARE_SOURCE=0x{key[:8]}ul", *_mutation(mutant))
        _run(
            [gcc, *CFLAGS, *AVR_FLAGS, *SMALL_FLAGS, *define, *include, *sources, "-o", str(target)],
            "firmware",
        )

    return _build(f"firmware-{key[:16]}", "firmware.elf", compile_to)


def build_bootloader(mutant: str | None = None) -> Path:
    """Return the bootloader's ELF file (hardware/firmware/boot), building it if its sources changed.

    Args:
        mutant: leave a rule out (`MUTANT_...` in boot/), so that a test can show that it notices.
    Raises:
        BuildError: without avr-gcc and avr-libc, if the compiler refuses, or if it outgrew its section.
    """
    root = _here()
    shared = [root / "core" / name for name in ("cobs.c", "cobs.h", "crc32.c", "crc32.h")]
    sources = sorted([*(root / "boot").glob("*.[ch]"), *shared])

    def compile_to(target: Path, work: Path) -> None:
        gcc = _tool("avr-gcc", "gcc-avr avr-libc")
        write_headers(work)
        _write_protocol(work / "boot_protocol.h", "--of", "boot.toml")
        files_c = [str(path) for path in sources if path.suffix == ".c"]
        include = [f"-I{work}", f"-I{root / 'core'}", f"-I{root / 'boot'}"]
        flags = [*CFLAGS, *AVR_FLAGS, *BOOT_FLAGS, *_mutation(mutant)]
        _run([gcc, *flags, *include, *files_c, "-o", str(target)], "bootloader")

    boot_toml = root.parents[1] / "firmware_bridge" / "boot.toml"
    key = _hash([*sources, *_inputs(), boot_toml], (*CFLAGS, *AVR_FLAGS, *BOOT_FLAGS, mutant or ""))
    return _build(f"bootloader-{key[:16]}", "bootloader.elf", compile_to)


def flash_bytes(elf: Path) -> bytes:
    """Return what an ELF file puts into the program memory, from its first byte to its last."""
    with tempfile.TemporaryDirectory() as work:
        made = Path(work) / "flash.bin"
        _run([_tool("avr-objcopy", "binutils-avr"), "-O", "binary", str(elf), str(made)], "avr-objcopy")
        return made.read_bytes()


def build_harness() -> Path:
    """Return the simulator's harness program, building it if its sources changed.

    Raises:
        BuildError: without cc, libsimavr or libelf, or if the compiler refuses.
    """
    root = _here().parent / "twin" / "harness"
    sources = sorted(root.glob("*.[ch]"))
    if not sources:
        raise BuildError("the sources of the simulator's harness are not there (hardware/twin/harness)")

    def compile_to(target: Path, work: Path) -> None:
        cc = _tool("cc", "gcc libc6-dev")
        if not any(
            Path(folder, "simavr/sim_avr.h").exists() for folder in ("/usr/include", "/usr/local/include")
        ):
            raise BuildError("simavr is missing: apt install libsimavr-dev libelf-dev")
        files_c = [str(path) for path in sources if path.suffix == ".c"]
        _run([cc, *HARNESS_FLAGS, f"-I{root}", *files_c, *HARNESS_LIBS, "-o", str(target)], "harness")

    key = _hash(sources, (*HARNESS_FLAGS, *HARNESS_LIBS))
    return _build(f"harness-{key[:16]}", "harness", compile_to)


def build_host() -> Path:
    """Return the firmware's core as a program of this machine, with sanitizers, for unit tests and campaigns.

    Raises:
        BuildError: without cc, or if the compiler refuses.
    """
    return _build_core("host", ("hal_host",), None)


def build_fuzz(mutant: str | None = None) -> Path:
    """Return the core with sanitizers and a `main` that feeds it streams of bad frames (hal_fuzz/).

    Raises:
        BuildError: without cc, or if the compiler refuses.
    """
    return _build_core("fuzz", ("hal_host", "hal_fuzz"), mutant)


def build_golden() -> Path:
    """Return the core with a `main` that holds a file of golden frames against it (hal_golden/).

    Raises:
        BuildError: without cc, or if the compiler refuses.
    """
    return _build_core("golden", ("hal_host", "hal_golden"), None)


def build_library(mutant: str | None = None) -> Path:
    """Return the firmware's core as a shared library (hal_library/): a campaign steps it without a process.

    Raises:
        BuildError: without cc, or if the compiler refuses.
    """
    hals = ("hal_host", "hal_library")
    return _build_core("library", hals, mutant, flags=LIBRARY_FLAGS, file_name="firmware-core.so")


def _build_core(
    name: str,
    hals: Sequence[str],
    mutant: str | None,
    *,
    flags: Sequence[str] = HOST_FLAGS,
    file_name: str = "firmware-core",
) -> Path:
    """Build core/ and the last of the hals, which may include files of those before."""
    sources = sorted(path for part in ("core", *hals) for path in (_here() / part).glob("*.[ch]"))

    def compile_to(target: Path, work: Path) -> None:
        cc = _tool("cc", "gcc libc6-dev")
        write_headers(work)
        wanted = [path for path in sources if path.suffix == ".c" and path.parent.name in ("core", hals[-1])]
        include = [f"-I{work}", f"-I{_here() / 'core'}"]
        command = [cc, *flags, *_mutation(mutant), *include, *map(str, wanted), "-o", str(target)]
        _run(command, "firmware core")

    key = _hash([*sources, *_inputs()], (*flags, mutant or ""))
    return _build(f"{name}-{key[:16]}", file_name, compile_to)


def firmware_info() -> FirmwareInfo:
    """Return the firmware's file, hash and sizes, building it first if need be."""
    elf = build_firmware()
    output = _run([_tool("avr-size", "binutils-avr"), str(elf)], "avr-size")
    text, data, bss = (int(word) for word in output.splitlines()[1].split()[:3])
    return FirmwareInfo(elf, source_hash(), text + data, data + bss)


def _mutation(mutant: str | None) -> tuple[str, ...]:
    return () if mutant is None else (f"-DMUTANT_{mutant.upper().replace('-', '_')}",)


def _here() -> Path:
    with as_file(files("hardware").joinpath("firmware")) as folder:
        return Path(folder)


def _inputs() -> list[Path]:
    bridge = _here().parents[1] / "firmware_bridge"
    return [
        _here().parent / "wiring" / "devices.toml", _here() / "devices.py", _here() / "flash_map.py",
        *(bridge / name for name in ("protocol.toml", "spec.py", "generate.py")),
    ]  # fmt: skip


def _hash(paths: Sequence[Path], more: Sequence[str]) -> str:
    digest = hashlib.sha256("\0".join(more).encode())
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _tool(name: str, packages: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BuildError(f"{name} is missing: apt install {packages}")
    return found


def _run(command: Sequence[str], what: str, environment: dict[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TOOL_TIMEOUT_S, env=environment, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{what}: {error}") from error
    if done.returncode != 0:
        lines = (
            [line for line in done.stderr.splitlines() if "error" in line]
            or done.stderr.splitlines()
            or ["failed"]
        )
        raise BuildError(f"{what}: {lines[0]}")
    return done.stdout


def _build(folder_name: str, file_name: str, compile_to: Callable[[Path, Path], None]) -> Path:
    folder = cache_folder() / folder_name
    target = folder / file_name
    if target.exists():
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            made = Path(work) / file_name
            compile_to(made, Path(work))
            os.replace(made, target)
    except OSError as error:
        raise BuildError(f"cannot write to the cache {folder}: {error.strerror or error}") from error
    return target
