"""One table as a process: ledger, brain, devices and pages put together, and taken apart in order.

The end, in order: pages, brain (motors that run are stopped), devices, ledger, twin.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import cv2

from controller.blackbox import BlackBox, FreezingLedger
from controller.camera import CameraUnknown, PhotoReader
from controller.camera_place import watch_of
from controller.clock import TrustClock
from controller.config import (
    Config,
    ConfigError,
    GpioConfig,
    blackbox_path,
    enrolment_path,
    evidence_path,
    journal_path,
    lens_path,
    place_path,
    players_path,
)
from controller.devices import LiveDevices, open_lines
from controller.evening import agreed_settings
from controller.evidence import EvidenceStore
from controller.gpio import GpioPort
from controller.inputs import ClockState, LedgerState, Restarted
from controller.judge import walls_suit_any_dealer
from controller.live import BrainThread, LiveService, monotonic_ms
from controller.notify import Manager, brain_answers, keep_alive
from controller.players import Players, clean_name
from controller.retention import DAY_S, tidy_photos
from controller.room import Room
from controller.runtime import Runtime, Settings
from controller.snapshots import Opened, SnapshotKeeper, open_ledger, recheck_behind, snapshot_path
from controller.state import TableState
from controller.twin_process import TwinError, TwinProcess
from controller.web import WebServer, create_app, is_loopback, make_code
from firmware_bridge.link import Link
from rules.errors import InvalidOption
from rules.scoring import resolve_options
from rules.variants import get_variant
from vision.eyes import Eyes
from vision.sources import open_source

WATCH_TWIN_S = 0.5
WATCH_ROOM_S = 5.0
WATCH_CLOCK_S = 60.0
"""How soon a time service that comes late, or goes, is noticed."""
PAGES_END_S = 5.0
FIRST = asyncio.FIRST_COMPLETED


def check_settings(config: Config) -> None:
    """Say no to what could never run, before anything is opened or made.

    Raises:
        RuleError: if there is no such variant or option, or a table cannot be played with it.
        CameraUnknown: if the camera's address makes no sense.
        ConfigError: if the data folder is no folder.
    """
    if resolve_options(get_variant(config.variant), config.options).on("wilds"):
        raise InvalidOption(
            "option wilds: a table cannot be told yet which kinds are wild in a hand; play with wilds off "
            "(hands with wild tiles are scored by `score --jsonl` with the key wild)"
        )
    agreed_settings(config.variant, config.options, config.procedure)
    if config.sets == 2 and not walls_suit_any_dealer(get_variant(config.variant).tiles, config.options):
        raise ConfigError(
            "--sets 2: the walls of this game depend on who deals and cannot be built a hand ahead; "
            "play it with one set"
        )
    if config.camera is not None:
        try:
            open_source(config.camera)
        except ValueError as error:
            raise CameraUnknown(str(error)) from error
    for place in (config.data, *config.data.parents):
        if place.exists():
            if not place.is_dir():
                raise ConfigError(f"--data {config.data}: must be a folder, {place} is a file")
            break


def start_twin(
    config: Config,
    game: tuple[str, Mapping[str, Any]],
    port: int,
    stack: ExitStack,
    extra: tuple[str, ...] = (),
) -> tuple[Config, TwinProcess]:
    """Start the table's own twin for a game (variant, options); return settings that point at it.

    Its board keeps its memory in DATA/twin; DATA/twin/places.json tells where its sockets are.
    """
    folder = config.data / "twin"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    variant, options = game
    words = [
        "--realtime",
        "--seed",
        str(config.seed),
        "--variant",
        variant,
        "--speed",
        str(config.speed),
        "--sets",
        str(config.sets),
    ]
    words += ["--eeprom", str(folder / "eeprom.bin")]
    words += ["--screen-url", f"http://127.0.0.1:{port}", *extra]
    if options:
        words += ["--options", json.dumps(dict(options))]
    twin = stack.enter_context(TwinProcess(words))
    places = twin.wait_places()
    if places.note:
        _warn(places.note)
    (folder / "places.json").write_text(json.dumps(asdict(places)), encoding="utf-8")
    plugged = {
        "serial": places.serial,
        "camera": places.camera,
        "gpio": GpioConfig(kind="socket", path=Path(places.gpio)),
    }
    return config.model_copy(update=plugged), twin


def run_table(
    config: Config, sock: socket.socket, say: Callable[[str], None], twin_words: tuple[str, ...] = ()
) -> None:
    """Run one table until SIGTERM or SIGINT.

    Args:
        sock: bound, see `controller.web.bind`.
        say: prints a line for people.
    Raises:
        ControllerError: if a part cannot be opened, or the ledger can no longer be written.
    """
    with ExitStack() as stack:
        stack.callback(sock.close)
        data = config.data
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        clock = TrustClock()
        # first: a busy ledger is known before a twin is started
        room = Room(data)
        manager = Manager()
        ledger = open_ledger(
            journal_path(data),
            clock=clock.stamp,
            room=room,
            going_on=lambda seq: manager.starting(f"the ledger is read, row {seq}"),
        )
        stack.callback(ledger.journal.close)
        clock.follow(ledger.journal.last_stamp())
        twin = None
        if config.twin:
            config, twin = start_twin(
                config, _game(config, ledger.state), int(sock.getsockname()[1]), stack, twin_words
            )
        lines = open_lines(config.gpio)
        asyncio.run(_Table(config, ledger, room, clock, sock, say, twin, lines).run())


def _game(config: Config, state: TableState) -> tuple[str, Mapping[str, Any]]:
    """Variant and options that the table plays: those of the ledger's game, if one has begun."""
    begun = state.table
    return (config.variant, config.options) if begun is None else (begun.variant, begun.options)


def name_players(players: Players, names: Mapping[str, str]) -> None:
    """Call the players at seats by the names of the settings; a name given on a page stays.

    Raises:
        ConfigError: if a name is empty or too long.
    """
    known = players.names()
    for seat, name in names.items():
        player = f"p{'ESWN'.index(seat) + 1}"
        try:
            if player not in known:
                players.rename(player, name)
            else:
                clean_name(name)
        except ValueError as error:
            raise ConfigError(f"players.{seat}: {error}") from error


def _eyes(config: Config) -> Eyes:
    """Return the eyes of this table, ready for the first photo."""
    cv2.setNumThreads(config.eyes_threads)
    eyes = Eyes(threads=config.eyes_threads, enrolment=enrolment_path(config.data))
    eyes.warm_up()
    return eyes


class _Table:
    """The asyncio part of one run."""

    def __init__(
        self,
        config: Config,
        ledger: Opened,
        room: Room,
        clock: TrustClock,
        sock: socket.socket,
        say: Callable[[str], None],
        twin: TwinProcess | None,
        lines: GpioPort | None,
    ) -> None:
        self._config = config
        self._ledger = ledger
        self._journal = ledger.journal
        self._room = room
        self._clock = clock
        self._socket = sock
        self._say = say
        self._twin = twin
        self._lines = lines
        self._manager = Manager()

    async def run(self) -> None:
        """Run until a signal, or until a part fails."""
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        config = self._config
        store = EvidenceStore(evidence_path(config.data), is_low=self._room.is_low)
        players = Players(players_path(config.data))
        name_players(players, config.players)
        service = LiveService(self._journal.epoch, store, players)
        keeper = SnapshotKeeper(snapshot_path(self._journal.path), self._journal.checked_from)
        brain = self._brain(service, players.names(), keeper)
        place = None if config.twin else place_path(config.data)  # a twin's table is another one each time
        camera_watch = watch_of(lens_path(config.data), place)
        devices = LiveDevices(
            brain.post,
            serial=config.serial,
            camera=config.camera,
            wishes=config.picture.wishes(),
            gpio=self._lines,
            make_reader=lambda: PhotoReader(_eyes(config), store, camera_watch),
            say=_warn,
        )
        service.attach(brain)
        brain.start(devices, Restarted(self._journal.seq), ClockState(self._clock.is_ok))
        watches = [
            asyncio.create_task(self._watch_clock(brain), name="clock"),
            asyncio.create_task(self._watch_room(brain), name="room"),
            asyncio.create_task(self._tidy(), name="tidy"),
        ]
        life = asyncio.create_task(keep_alive(self._manager, partial(brain_answers, brain)), name="life")
        try:
            await loop.run_in_executor(None, devices.start)
            await self._show(service, stop)
        finally:
            self._manager.stopping()
            for watch in watches:
                watch.cancel()
            life.cancel()
            await loop.run_in_executor(None, brain.stop)
            await loop.run_in_executor(None, devices.stop)
            keeper.close()
            players.close()

    def _brain(self, service: LiveService, names: dict[str, str], keeper: SnapshotKeeper) -> BrainThread:
        config = self._config
        link = Link(monotonic_ms())
        box = BlackBox(blackbox_path(config.data), link.recorder, is_low=self._room.is_low)
        runtime = Runtime(
            config.variant,
            config.options,
            self._ledger.state,
            settings=Settings(
                table=config.table,
                sets=config.sets,
                is_fresh=config.twin,
                procedure=config.procedure,
            ),
            link=link,
            now_ms=monotonic_ms(),
            earlier=self._ledger.latest(),
        )
        return BrainThread(
            runtime,
            FreezingLedger(self._journal, box),
            service.show,
            service.failed,
            epoch=self._journal.epoch,
            names=names,
            history=self._ledger.history,
            keep=keeper.committed,
        )

    async def _show(self, service: LiveService, stop: asyncio.Event) -> None:
        """Serve the pages until told to stop."""
        host, port = self._config.host, int(self._socket.getsockname()[1])
        code = None if is_loopback(host) else make_code()
        server = WebServer(create_app(service, code=code, host=host), self._socket)
        pages = asyncio.create_task(server.serve(), name="pages")
        ends: list[asyncio.Future[Any]] = [
            pages,
            asyncio.create_task(stop.wait(), name="signal"),
            asyncio.create_task(self._watch_twin(), name="twin"),
            asyncio.create_task(self._watch_past(), name="past"),
            service.failure,
        ]
        try:
            await asyncio.wait(
                [service.failure, asyncio.create_task(service.wait_first())], return_when=FIRST
            )
            self._say(f"mahjong-table: http://{_name(host)}:{port}/")
            self._manager.ready(f"http://{_name(host)}:{port}/")
            if code is not None:
                self._say(f"code for other devices: {code}")
            done, _ = await asyncio.wait(ends, return_when=FIRST)
            for end in done:
                end.result()  # raises what ended us, if it was a failure
        finally:
            await server.stop()
            for end in ends[1:4]:
                end.cancel()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(pages, PAGES_END_S)

    async def _watch_clock(self, brain: BrainThread) -> None:
        while True:
            await asyncio.sleep(WATCH_CLOCK_S)
            if self._clock.refresh():
                brain.post(ClockState(self._clock.is_ok))

    async def _watch_room(self, brain: BrainThread) -> None:
        """Keep the ledger's reserve, and raise the alarm of a disk that is nearly full."""
        was_low = False
        while True:
            self._room.hold()
            is_low = self._room.is_low()
            if is_low is not was_low:
                brain.post(LedgerState("low" if is_low else "ok"))
                _warn(f"{self._journal.path.parent}: the disk is {'nearly full' if is_low else 'free again'}")
            was_low = is_low
            await asyncio.sleep(WATCH_ROOM_S)

    async def _tidy(self) -> None:
        """Let photos go that are too old or too many, once a day."""
        keep, folder = self._config.keep, evidence_path(self._config.data)
        while True:
            await asyncio.to_thread(tidy_photos, folder, days=keep.photo_days, mib=keep.photo_mib)
            await asyncio.sleep(DAY_S)

    async def _watch_past(self) -> None:
        """Have the rows checked that the start took from a snapshot; ends only where they are not right.

        Raises:
            JournalDamaged: as a start without the snapshot would have.
        """
        if self._journal.checked_from:
            await recheck_behind(self._journal.path)
        await asyncio.Event().wait()

    async def _watch_twin(self) -> None:
        """Wait for the end of the twin, for ever without one.

        Raises:
            TwinError: when it has ended.
        """
        while self._twin is None or self._twin.is_alive:
            await asyncio.sleep(WATCH_TWIN_S)
        raise TwinError(f"the twin ended: {self._twin.last_words()}")


def _warn(text: str) -> None:
    """Write a line for people who look after the table."""
    print(f"mahjong-table: {text}", file=sys.stderr, flush=True)


def _name(host: str) -> str:
    """Return what stands for the host in an address that one can click."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
