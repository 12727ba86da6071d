"""The random steps of the campaign of interlocks, each followed by the judge."""

from __future__ import annotations

import random

from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from hardware.campaigns.core import DICE, DOME, FEEDS, INPUT, MOTOR, REST, SIDES, STACKERS, TRAYS, Core
from hardware.campaigns.interlock_judge import Judge
from hardware.campaigns.interlock_judges import Duty
from hardware.campaigns.interlock_rules import (
    DUTY,
    HEARTBEAT_MS,
    HELD_DOWN,
    LOW_DUTY,
    OVERWORK,
    PLANS,
    SERVICE_CODE,
    STUCK,
    SUPPLY,
    SUPPLY_LOW_MV,
    SUPPLY_MV,
    Figures,
)


class Walk(Judge):
    """One random walk."""

    def __init__(self, seed: int, core: Core, figures: Figures) -> None:
        super().__init__(core, figures)
        self._rng = random.Random(seed)
        self._reset()

    def step(self) -> None:
        """Do one thing and judge."""
        choice = self._rng.random()
        if self._motors & FEEDS and choice < (0.75 if self._motors & STACKERS else 0.07):
            self._pause()
        elif choice < 0.25:
            self._order()
        elif choice < 0.53:
            self._answer_as_a_table()
        elif choice < 0.65:
            self._put(self._rng.choice(tuple(INPUT)), self._rng.random() < 0.5)
        elif choice < 0.71:
            self._all_well()
        elif choice < 0.713:
            self._core.stop()
        elif choice < 0.715:
            self._reset()
        elif choice < 0.805 and self._motors:
            self._provoke()
        elif choice < 0.8065:
            self._put_supply(self._rng.random() < 0.7)
        elif choice < 0.8065 + OVERWORK:
            self._overwork()
        elif choice < 0.8065 + OVERWORK + STUCK:
            self._begin_build()
            self._jam()
        else:
            self._pass_time()
        self._judge()
        self._figures.steps += 1

    def _reset(self) -> None:
        cause = 0 if self._rng.random() < 0.3 else self._rng.randint(1, 5)
        self._core.reset(cause)
        self._direction.reset()
        self._duty = Duty(DUTY)  # the chip starts anew and knows of nothing
        self._jogged.clear()
        self._unknown = cause == 0
        self._since = dict.fromkeys(INPUT, 0)
        if self._supply_low_since is not None:
            self._supply_low_since = 0
        if not self._levels:
            self._levels = dict.fromkeys(INPUT, False)
            for name in REST:
                self._put(name, True)
            self._core.reset(1)
            self._unknown = False
        changes = self._core.changes()
        self._figures.tried["power-on"] += 1
        _, _, homed, _ = self._core.status()
        if homed or self._core.motors or any(bits & ~self._motors for _, bits in changes):
            self._break("power-on", f"motors {self._core.motors:04x}, homed {homed}")
        self._motors, self._sign_of_life, self._homing, self._stopped = 0, -HEARTBEAT_MS, False, False
        self._on_since.clear()
        if self._unknown:
            self._figures.tried["unknown-reset"] += 1
            if not self._core.status()[1]:
                self._break("unknown-reset", "the board is ready for orders")

    def _put_supply(self, low: bool) -> None:
        if low != (self._supply_low_since is not None):
            self._supply_low_since = self._core.now if low else None
            self._core.analog(SUPPLY, SUPPLY_LOW_MV if low else SUPPLY_MV)

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
        if self._motors & (TRAYS | DOME | STACKERS) and self._rng.random() < 0.4:
            self._wait_in_vain()
            return
        self._core.run(ms)

    def _provoke(self) -> None:
        """Something happens to what runs: a lid, the button, a switch under way, the host's end."""
        motors = self._motors
        often = ("jam",) * 6 if motors & FEEDS else ()
        what = self._rng.choice(("lid", "estop", "lost", "lost", "lost", "held", "silence", *often))
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
        elif what == "held":
            self._figures.tried["limit-held"] += 1
            pair = self._rng.choice(("dome_{}", *(f"tray_{{}}_{n}" for n in SIDES)))
            for end in ("down", "up"):
                self._put(pair.format(end), True)
        elif what == "jam":
            self._jam()
            return
        elif what == "silence":
            self._figures.tried["heartbeat"] += 1
            self._core.run(HEARTBEAT_MS + 5)
            return
        self._judge()
        self._core.run(40)

    def _jam(self) -> None:
        """A side is stuck until it has been turned back once or twice, or for good."""
        side = self._rng.choice(SIDES)
        for dark in (True, False):  # the tile that jams has been counted
            self._put(f"count_{side}", dark)
            self._live(30)
        self._put(f"jam_{side}", True)
        for _ in range(self._rng.randint(10, 26)):
            self._core.beat()
            self._sign_of_life = self._core.now
            self._core.run(100)
            self._judge()
        self._put(f"jam_{side}", False)

    def _overwork(self) -> None:
        """The least share of ten minutes is set, and a build goes on for more than it."""
        self._begin_build(LOW_DUTY)
        for turn in range(260):
            if not self._motors:
                break
            side = turn // 2 % 4 + 1
            self._put(f"count_{side}", True)
            self._live(30)
            self._put(f"count_{side}", False)
            self._live(600)

    def _begin_build(self, duty: int = DUTY) -> None:
        self._reset()
        self._core.set_duty(duty)
        self._duty = Duty(duty)
        self._all_well()
        self._go_home_for_sure()
        for order in (m.Home(), m.Build(144)):
            self._give(order)
            self._live(100)

    def _go_home_for_sure(self) -> None:
        for name in INPUT:
            self._put(name, name in REST)
        self._live(100)

    def _live(self, ms: int) -> None:
        """Time passes on a table whose stackers turn, with a host that beats."""
        while ms > 0:
            step = min(ms, 100)
            ms -= step
            self._core.beat()
            self._sign_of_life = self._core.now
            for n in SIDES:
                if self._core.motors & MOTOR[f"stack_{n}"]:
                    self._put(f"stack_home_{n}", not self._levels[f"stack_home_{n}"])
                elif not self._motors & STACKERS:
                    self._put(f"stack_home_{n}", True)
            self._core.run(step)
            self._judge()

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
            self._unknown = self._unknown and self._stopped

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
        elif kind < 0.85:
            order = rng.choice(PLANS)
        elif kind < 0.88:
            order = m.Pause(rng.random() < 0.3)
        elif kind < 0.96:
            self._serve()
            return
        else:
            order = m.Dice(rng.choice((500, 1500, 3000)))
        self._give(order)

    def _serve(self) -> None:
        """Enter service mode or leave it; there, jog: once, held for too long, or beside what runs."""
        rng, state = self._rng, self._core.status()[0]
        if state != m.State.service and rng.random() < 0.7:
            self._core.order(m.Service(True, SERVICE_CODE))
        elif state == m.State.service and rng.random() < 0.08:
            self._core.order(m.Service(False, 0))
        elif state == m.State.service and rng.random() < 0.83:
            actuator = rng.choice(HELD_DOWN)
            self._all_well()
            for _ in range(26):
                self._jog(actuator, 200)
                self._core.run(90)
                self._judge()
        else:
            self._jog(rng.choice(tuple(MOTOR)), rng.choice((100, 300, 1000, 2000)))
            for _ in range(2 if state == m.State.service and self._core.motors else 0):
                self._jog(rng.choice(tuple(MOTOR)), 300)
        self._judge()

    def _jog(self, actuator: str, run_ms: int) -> None:
        state, before = self._core.status()[0], self._core.motors
        reason = self._core.order(m.Jog(MOTOR[actuator].bit_length() - 1, run_ms))
        if MOTOR[actuator] & self._duty.must_rest:
            self._figures.tried["duty"] += 1
            if reason == 0:
                self._break("duty", f"{actuator} jogged")
        if state != m.State.service:
            self._figures.tried["jog-anytime"] += 1
            if reason == 0:
                self._break("jog-anytime", f"{actuator} jogged in {m.State(state).name}")
        elif before & ~MOTOR[actuator]:
            self._figures.tried["jog-two"] += 1
            if reason == 0:
                self._break("jog-two", f"{actuator} jogged beside {before:04x}")
        if reason == 0:
            self._sign_of_life = self._core.now
            if actuator in self._jogged or not before & MOTOR[actuator]:  # a throw is no jog
                self._jogged[actuator] = self._core.now + run_ms

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
        if reason == 0 and isinstance(order, m.Dice):
            self._jogged.pop("dice", None)
        if isinstance(order, m.Dice) and not stopped and not before & DICE and self._is_well_for_dice(state):
            self._figures.tried["dice"] += 1
            if reason not in (0, int(m.Reason.busy)):
                self._break("dice", f"{order} refused: {m.Reason(reason).name}")
