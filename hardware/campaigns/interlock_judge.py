"""The judge of the campaign of interlocks: what must hold, from levels on pins and the motors' log."""

from __future__ import annotations

from firmware_bridge import messages as m
from firmware_bridge.wire import Message
from hardware.campaigns.core import DEBOUNCE, DOME, FEEDS, MOTOR, SIDES, STACKERS, TRAYS, Core
from hardware.campaigns.interlock_judges import Direction, Duty
from hardware.campaigns.interlock_rules import (
    BUILD_LONGEST_MS,
    DUTY,
    HEARTBEAT_MS,
    JOG_LONGEST_MS,
    LONGEST_MS,
    LOW_MS,
    MARGIN_MS,
    ORDERED,
    STATE_NAMES,
    Figures,
)


class Judge:
    """What the world beside the chip knows of it."""

    def __init__(self, core: Core, figures: Figures) -> None:
        self._core, self._figures = core, figures
        self._levels: dict[str, bool] = {}
        self._since: dict[str, int] = {}
        self._on_since: dict[str, int] = {}
        self._motors = 0
        self._sign_of_life = 0
        self._supply_low_since: int | None = None
        self._homing = False
        self._stopped = False
        self._unknown = False
        self._jogged: dict[str, int] = {}  # motor, when it must be off
        self._direction = Direction()
        self._duty = Duty(DUTY)

    def _is(self, name: str, level: bool, at_ms: int | None = None) -> bool:
        """Return whether an input has had this level for so long that the firmware must know."""
        now = self._core.now if at_ms is None else at_ms
        return self._levels[name] == level and now - self._since[name] > DEBOUNCE[name] + MARGIN_MS

    def _trays_away(self, at_ms: int | None = None) -> bool:
        return any(self._is(f"tray_down_{n}", False, at_ms) for n in SIDES)

    def _limit_is_held(self) -> bool:
        pairs = (("dome_down", "dome_up"), *((f"tray_down_{n}", f"tray_up_{n}") for n in SIDES))
        return any(self._is(down, True) and self._is(up, True) for down, up in pairs)

    def _break(self, rule: str, text: str) -> None:
        self._figures.broken[rule] += 1
        if len(self._figures.shown) < 10:
            self._figures.shown.append(f"{rule}: step {self._figures.steps}: {text}")

    def _supply_is_low(self) -> bool:
        return self._supply_low_since is not None and self._core.now - self._supply_low_since > LOW_MS

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
        if self._unknown:
            rules.append("unknown-reset")
        if self._ordered(order) & self._duty.must_rest:
            rules.append("duty")
        if isinstance(order, m.Pause):
            return [rule for rule in rules if rule != "lid"]  # to stand is no motion
        if dice:
            return rules
        if state in (m.State.homing, m.State.building, m.State.lifting, m.State.service):
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

    @staticmethod
    def _ordered(order: Message) -> int:
        """Return the motors that an order starts, or may."""
        if isinstance(order, m.Lift):
            kind = "tray" if order.target == m.Target.trays else "dome"
            return int(MOTOR[f"{kind}_raise" if order.direction == m.Direction.up else f"{kind}_lower"])
        return int(ORDERED.get(type(order), 0))

    def _judge(self) -> None:
        """Hold the log of the motors against the levels on the pins."""
        core = self._core
        state, stopped, _, _ = core.status()
        self._figures.states[STATE_NAMES[state]] += 1
        for at_ms, bits in core.changes():
            self._judge_change(at_ms, bits)
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
        self._judge_change(core.now, self._motors)
        self._judge_jog()
        if self._motors:
            self._judge_running()

    def _judge_change(self, at_ms: int, bits: int) -> None:
        """Directions and warmth, with the motors as they are from now on."""
        switched = self._direction.switched
        trouble = self._direction.change(at_ms, bits)
        self._figures.tried["reverse"] += self._direction.switched - switched
        if trouble is not None:
            self._break("reverse", trouble)
        over = self._duty.until(at_ms, bits)
        if over:
            self._break("duty", f"motors {over:04x} run on")
        if self._unknown and bits:
            self._break("unknown-reset", f"motors {bits:04x} run")

    def _judge_jog(self) -> None:
        for name, until_ms in tuple(self._jogged.items()):
            if not self._motors & MOTOR[name]:
                del self._jogged[name]
            elif self._core.now > until_ms + MARGIN_MS:
                late = self._core.now - until_ms
                self._break("jog-longest", f"{name} runs on {late} ms after its order")

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
        if name in self._jogged:
            self._figures.tried["jog-longest"] += ms >= 0.9 * JOG_LONGEST_MS
            if ms > JOG_LONGEST_MS + MARGIN_MS:
                self._break("jog-longest", f"{name} was jogged for {ms} ms")
            return
        if ms >= 0.9 * longest:
            self._figures.tried["longest-run"] += 1
        if ms > longest + MARGIN_MS:
            self._break("longest-run", f"{name} ran {ms} ms")

    def _judge_running(self) -> None:
        core, motors = self._core, self._motors
        for name, since in self._on_since.items():
            if name in self._jogged:
                continue
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
        if self._limit_is_held() and any(core.now - at_ms > MARGIN_MS for at_ms in self._on_since.values()):
            self._break("limit-held", f"motors {motors:04x} run")
        if self._stopped:
            self._break("latched", f"motors {motors:04x} run")
