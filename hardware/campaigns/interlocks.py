"""The rules that keep hands and parts whole, as properties over random steps on the core of the firmware.

A step changes an input, gives an order (past the link), beats, stops, resets, or lets some milliseconds pass.
Often the inputs answer as a table would, so that every state is reached; otherwise they do as they like. What
must hold is judged here from the levels that were put on the pins and the log of the motors.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from hardware.campaigns.core import (
    DEBOUNCE,
    DICE,
    DOME,
    FEEDS,
    INPUT,
    MOTOR,
    REST,
    SIDES,
    STACKERS,
    TRAYS,
    Core,
)
from hardware.campaigns.progress import Progress

MARGIN_MS = 3
"""The firmware looks at inputs once a millisecond and acts in the next step."""
LONGEST_MS = {
    **dict.fromkeys(("tray_raise", "tray_lower"), 4_000),
    **dict.fromkeys(("dome_raise", "dome_lower"), 3_000),
    **dict.fromkeys((f"stack_{n}" for n in SIDES), 950), "dice": 3_000,
}  # fmt: skip
BUILD_LONGEST_MS = 200_000
HEARTBEAT_MS = 600
LOW_MS = 150
SUPPLY, SUPPLY_LOW_MV, SUPPLY_MV = 0, 3_000, 4_000
"""Number and voltages of motor_supply in devices.toml."""
FULL = 1_000_000
FEWEST = 1_000
"""So often each rule's forbidden action is tried in a run of full size (a million steps)."""
PLANS = (
    *(m.Build(tiles) for tiles in (72, 108, 112, 120, 136, 144)),
    m.Build(108, 36, 36, 36, 0), m.Build(72, 36, 0, 36, 0), m.Build(108, 26, 28, 26, 28),
)  # fmt: skip
STATE_NAMES = {int(state): state.name for state in m.State}
RULES = {
    "lid": "no order starts a motor while the lid is open",
    "lid-opened": "an open lid switches everything off",
    "trays-dome-up": "trays are not ordered to move with the dome away from its bottom",
    "dome-trays-up": "dome and stackers are not ordered to move with a tray away from its bottom",
    "on-the-way": "trays and a build stop when the dome leaves its bottom, dome and a build when a tray does",
    "stacker-not-home": "no build starts with a stacker away from home",
    "estop": "no motor runs while the e-stop is pressed",
    "supply-low": f"no motor starts or runs while the motor supply is low, after {LOW_MS} ms of it",
    "latched": "after a stop or a fault nothing moves before it is cleared",
    "stale-clear": "a clear that names an older stop clears nothing",
    "not-homed": "before homing only homing and the dice move",
    "busy": "an order does not start while another is under way",
    "heartbeat": f"no motor runs longer than {HEARTBEAT_MS} ms after the last sign of life",
    "longest-run": "no motor runs longer than its longest run",
    "pause-dome": "in a pause the dome moves only when drum, feeds and stackers stand",
    "power-on": "nothing moves after a reset, and the table is not homed",
    "dice": "the dice may always be thrown, unless stopped or with the lid open",
}
SABOTAGES = {name: f"without: {text}" for name, text in RULES.items()}
MUTANT = {"power-on": "keep-motor"}
"""Where the flag has another name than the rule."""


@dataclass
class Figures:
    """What was seen."""

    steps: int = 0
    tried: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)


class Walk:
    """One random walk, and the judge beside it."""

    def __init__(self, seed: int, core: Core, figures: Figures) -> None:
        self._rng = random.Random(seed)
        self._core, self._figures = core, figures
        self._levels: dict[str, bool] = {}
        self._since: dict[str, int] = {}
        self._on_since: dict[str, int] = {}
        self._motors = 0
        self._sign_of_life = 0
        self._old_stops: list[int] = []
        self._supply_low_since: int | None = None
        self._homing = False
        self._stopped = False
        self._reset()

    # ---- what the judge knows ----

    def _is(self, name: str, level: bool, at_ms: int | None = None) -> bool:
        """Return whether an input has had this level for so long that the firmware must know."""
        now = self._core.now if at_ms is None else at_ms
        return self._levels[name] == level and now - self._since[name] > DEBOUNCE[name] + MARGIN_MS

    def _trays_away(self, at_ms: int | None = None) -> bool:
        return any(self._is(f"tray_down_{n}", False, at_ms) for n in SIDES)

    def _break(self, rule: str, text: str) -> None:
        self._figures.broken[rule] += 1
        if len(self._figures.shown) < 10:
            self._figures.shown.append(f"{rule}: step {self._figures.steps}: {text}")

    # ---- steps ----

    def step(self) -> None:
        """Do one thing and judge."""
        choice = self._rng.random()
        if self._motors & FEEDS and choice < (0.75 if self._motors & STACKERS else 0.01):
            self._pause()
        elif choice < 0.25:
            self._order()
        elif choice < 0.55:
            self._answer_as_a_table()
        elif choice < 0.68:
            self._put(self._rng.choice(tuple(INPUT)), self._rng.random() < 0.5)
        elif choice < 0.72:
            self._all_well()
        elif choice < 0.723:
            self._core.stop()
        elif choice < 0.725:
            self._reset()
        elif choice < 0.748 and self._motors:
            self._provoke()
        elif choice < 0.7495:
            self._put_supply(self._rng.random() < 0.7)
        else:
            self._pass_time()
        self._judge()
        self._figures.steps += 1

    def _reset(self) -> None:
        self._core.reset(self._rng.randint(1, 5))
        self._since = dict.fromkeys(INPUT, 0)
        if self._supply_low_since is not None:
            self._supply_low_since = 0
        if not self._levels:
            self._levels = dict.fromkeys(INPUT, False)
            for name in REST:
                self._put(name, True)
            self._core.reset(1)
        changes = self._core.changes()
        self._figures.tried["power-on"] += 1
        _, _, homed, _ = self._core.status()
        if homed or self._core.motors or any(bits & ~self._motors for _, bits in changes):
            self._break("power-on", f"motors {self._core.motors:04x}, homed {homed}")
        self._motors, self._sign_of_life, self._homing, self._stopped = 0, -HEARTBEAT_MS, False, False
        self._on_since.clear()
        self._old_stops.clear()

    def _put_supply(self, low: bool) -> None:
        if low != (self._supply_low_since is not None):
            self._supply_low_since = self._core.now if low else None
            self._core.analog(SUPPLY, SUPPLY_LOW_MV if low else SUPPLY_MV)

    def _supply_is_low(self) -> bool:
        return self._supply_low_since is not None and self._core.now - self._supply_low_since > LOW_MS

    def _put(self, name: str, level: bool) -> None:
        if self._levels[name] != level:
            self._levels[name] = level
            self._since[name] = self._core.now
            self._core.put(INPUT[name], level)

    def _pass_time(self) -> None:
        ms = self._rng.choice((1, 1, 3, 7, 20, 30, 60, 60, 150, 350))
        if self._rng.random() < 0.97:
            self._core.beat()
            self._sign_of_life = self._core.now
        if self._motors & (TRAYS | DOME | STACKERS) and self._rng.random() < 0.07:
            self._wait_in_vain()
            return
        self._core.run(ms)

    def _provoke(self) -> None:
        """Something happens to what runs: a lid, the button, a switch under way, the host's end."""
        motors = self._motors
        what = self._rng.choice(("lid", "estop", "lost", "lost", "silence"))
        if what == "lid" and not self._levels["lid"]:
            self._figures.tried["lid-opened"] += 1
            self._put("lid", True)
        elif what == "estop" and not self._levels["estop"]:
            self._figures.tried["estop"] += 1
            self._put("estop", True)
        elif what == "lost" and motors & (TRAYS | FEEDS) and self._levels["dome_down"]:
            self._figures.tried["on-the-way"] += 1
            self._put("dome_down", False)
        elif what == "lost" and motors & (STACKERS | DOME) and not self._homing:
            self._figures.tried["on-the-way"] += 1
            self._put(f"tray_down_{self._rng.choice(SIDES)}", False)
        elif what == "silence":
            self._figures.tried["heartbeat"] += 1
            self._core.run(HEARTBEAT_MS + 5)
            return
        self._judge()
        self._core.run(40)

    def _pause(self) -> None:
        """By the host or both lift keys, often in the middle of a push: the dome waits for the stacker."""
        self._figures.tried["pause-dome"] += 1
        if self._rng.random() < 0.5:
            self._give(m.Pause(True))
        else:
            for name in ("key_lift_a", "key_lift_b"):
                self._put(name, True)
        for _ in range(self._rng.randint(1, 12)):
            self._core.beat()
            self._sign_of_life = self._core.now
            self._core.run(self._rng.choice((30, 60, 150)))
            self._answer_as_a_table()
            self._judge()
        for name in ("key_lift_a", "key_lift_b"):
            self._put(name, False)

    def _wait_in_vain(self) -> None:
        """Nothing answers: the longest run must end it."""
        for _ in range(22):
            self._core.beat()
            self._sign_of_life = self._core.now
            self._core.run(200)
            self._judge()

    def _all_well(self) -> None:
        """Someone sets everything right."""
        self._put_supply(False)
        for name in INPUT:
            if name.startswith(("key", "jam", "count", "decksel")) or name in ("lid", "estop"):
                self._put(name, False)
        _, stopped, _, stops = self._core.status()
        self._core.beat()
        self._core.run(60)
        self._sign_of_life = self._core.now
        self._judge()
        if stopped:
            self._clear(stops)

    def _clear(self, number: int) -> None:
        _, stopped, _, stops = self._core.status()
        answer = self._core.order(m.ClearFault(number))
        if stopped and number != stops:
            self._figures.tried["stale-clear"] += 1
            if answer == 0 and not self._core.status()[1]:
                self._break("stale-clear", f"{number} cleared stop {stops}")
        if answer == 0:
            self._stopped = self._core.status()[1]

    def _answer_as_a_table(self) -> None:
        """The inputs do what the motors make them do."""
        put, motors = self._put, self._core.motors
        if motors & MOTOR["tray_raise"] or motors & MOTOR["tray_lower"]:
            up = bool(motors & MOTOR["tray_raise"])
            for n in SIDES:
                put(f"tray_down_{n}", not up)
                put(f"tray_up_{n}", up)
        if motors & DOME:
            up = bool(motors & MOTOR["dome_raise"])
            put("dome_down", not up)
            put("dome_up", up)
        for n in SIDES:
            if motors & MOTOR[f"stack_{n}"]:
                put(f"stack_home_{n}", not self._levels[f"stack_home_{n}"])
            if motors & MOTOR[f"feed_{n}"]:
                put(f"count_{n}", not self._levels[f"count_{n}"])
        if motors == 0:
            self._go_home()

    def _go_home(self) -> None:
        if self._rng.random() < 0.5:
            for name in INPUT:
                if name in REST or name.startswith(("tray", "dome", "lid", "estop", "decksel")):
                    self._put(name, name in REST)

    def _order(self) -> None:
        rng = self._rng
        kind = rng.random()
        if kind < 0.16:
            self._clear(self._core.status()[3] if rng.random() < 0.6 else rng.randrange(256))
            return
        if kind < 0.40:
            order: Message = m.Home()
        elif kind < 0.70:
            order = m.Lift(m.Target(rng.randrange(2)), m.Direction(rng.randrange(2)))
        elif kind < 0.86:
            order = rng.choice(PLANS)
        elif kind < 0.92:
            order = m.Pause(rng.random() < 0.3)
        else:
            order = m.Dice(rng.choice((500, 1500, 3000)))
        self._give(order)

    def _give(self, order: Message) -> None:
        state, stopped, homed, _ = self._core.status()
        forbidden = self._forbidden(order, state, stopped, homed)
        before = self._core.motors
        reason = self._core.order(order)
        if reason == 0:
            self._sign_of_life = self._core.now
            self._homing = isinstance(order, m.Home) or (self._homing and isinstance(order, m.Dice))
        for rule in forbidden:
            self._figures.tried[rule] += 1
            if reason == 0 or self._core.motors & ~before:
                self._break(rule, f"{order} accepted in {m.State(state).name}")
        if isinstance(order, m.Dice) and not stopped and not before & DICE and self._is_well_for_dice(state):
            self._figures.tried["dice"] += 1
            if reason not in (0, int(m.Reason.busy)):
                self._break("dice", f"{order} refused: {m.Reason(reason).name}")

    def _is_well_for_dice(self, state: int) -> bool:
        calm = self._is("lid", False) and self._is("estop", False) and self._supply_low_since is None
        return calm and state not in (m.State.fault, m.State.safe, m.State.estop, m.State.stopped)

    def _forbidden(self, order: Message, state: int, stopped: bool, homed: bool) -> list[str]:
        """Return the rules that this order would break now."""
        dice, home = isinstance(order, m.Dice), isinstance(order, m.Home)
        trays = isinstance(order, m.Lift) and order.target == m.Target.trays
        rules = []
        if self._is("lid", True):
            rules.append("lid")
        if self._levels["estop"]:
            rules.append("estop")
        if self._supply_is_low():
            rules.append("supply-low")
        if stopped:
            rules.append("latched")
        if dice or isinstance(order, m.Pause):
            return rules if dice else [rule for rule in rules if rule != "lid"]  # to stand is no motion
        if state in (m.State.homing, m.State.building, m.State.lifting):
            rules.append("busy")
        if home:
            return rules
        if not homed:
            rules.append("not-homed")
        if (trays or isinstance(order, m.Build)) and self._is("dome_down", False):
            rules.append("trays-dome-up")
        if not trays and self._trays_away():
            rules.append("dome-trays-up")
        if isinstance(order, m.Build) and any(self._is(f"stack_home_{n}", False) for n in SIDES):
            rules.append("stacker-not-home")
        return rules

    # ---- the judge ----

    def _judge(self) -> None:
        """Hold the log of the motors against the levels on the pins."""
        core = self._core
        state, stopped, _, _ = core.status()
        self._figures.states[STATE_NAMES[state]] += 1
        for at_ms, bits in core.changes():
            rose = bits & ~self._motors
            if bits & DOME and bits & (FEEDS | STACKERS) and not self._homing:
                self._break("pause-dome", f"motors {bits:04x}")
            if rose:
                self._judge_start(rose, at_ms)
            for name, bit in MOTOR.items():
                if rose & bit:
                    self._on_since[name] = at_ms
                elif not bits & bit and name in self._on_since:
                    self._judge_length(name, at_ms - self._on_since.pop(name))
            self._motors = bits
        self._stopped = stopped
        if self._motors:
            self._judge_running()

    def _judge_start(self, rose: int, at_ms: int) -> None:
        if self._is("lid", True, at_ms):
            self._break("lid", f"motors {rose:04x} start")
        if self._levels["estop"] and self._since["estop"] <= at_ms:
            self._break("estop", f"motors {rose:04x} start")
        if rose & TRAYS and self._is("dome_down", False, at_ms):
            self._break("trays-dome-up", f"motors {rose:04x} start")
        away = self._trays_away(at_ms)
        if away and (rose & STACKERS or (rose & DOME and not self._homing)):
            self._break("dome-trays-up", f"motors {rose:04x} start")

    def _judge_length(self, name: str, ms: int) -> None:
        longest = LONGEST_MS.get(name, BUILD_LONGEST_MS)
        if ms >= 0.9 * longest:
            self._figures.tried["longest-run"] += 1
        if ms > longest + MARGIN_MS:
            self._break("longest-run", f"{name} ran {ms} ms")

    def _judge_running(self) -> None:
        core, motors = self._core, self._motors
        for name, since in self._on_since.items():
            if core.now - since > LONGEST_MS.get(name, BUILD_LONGEST_MS) + MARGIN_MS:
                self._break("longest-run", f"{name} runs for {core.now - since} ms")
        if self._levels["estop"]:
            self._break("estop", f"motors {motors:04x} run")
        if self._supply_is_low():
            self._break("supply-low", f"motors {motors:04x} run")
        if self._is("lid", True):
            self._break("lid-opened", f"motors {motors:04x} run")
        if core.now - self._sign_of_life > HEARTBEAT_MS:
            self._break("heartbeat", f"motors {motors:04x} run {core.now - self._sign_of_life} ms after it")
        away = self._trays_away() and (motors & STACKERS or (motors & DOME and not self._homing))
        if away or (motors & (TRAYS | FEEDS) and self._is("dome_down", False)):
            self._break("on-the-way", f"motors {motors:04x} run")
        if self._stopped:
            self._break("latched", f"motors {motors:04x} run")


def run(n: int, seed: int, sabotage: str | None = None) -> dict[str, Any]:
    """Return the figures of `n` steps; `missed` names every bound that does not hold.

    A run without one of the rules ends when that rule is seen broken.
    """
    figures = Figures()
    started = time.monotonic()
    mutant = None if sabotage is None else MUTANT.get(sabotage, sabotage)
    walk = Walk(seed, Core(mutant), figures)
    with Progress(n, "steps") as progress:
        while figures.steps < n and not (sabotage and figures.broken[sabotage]):
            walk.step()
            progress.add()
    return _told(figures, n, time.monotonic() - started)


def _told(figures: Figures, n: int, wall_s: float) -> dict[str, Any]:
    missed = [f"{rule} broken {figures.broken[rule]} times" for rule in RULES if figures.broken[rule]]
    fewest = FEWEST if n >= FULL else n * FEWEST // FULL // 2
    missed += [
        f"{rule} tried only {figures.tried[rule]} times, wanted {fewest}"
        for rule in RULES
        if figures.tried[rule] < fewest
    ]
    return {
        "steps": figures.steps,
        "tried": {rule: figures.tried[rule] for rule in RULES},
        "broken": sum(figures.broken.values()),
        "broken_by_rule": dict(figures.broken),
        "states": dict(figures.states.most_common()),
        "wall_s": round(wall_s, 1),
        "shown": figures.shown,
        "missed": missed,
    }
