"""The commands a page or robot may POST: one row each, from which routes and OpenAPI are generated."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.bits import SERVICE_CODE_MOST
from controller.web.claim_commands import CLAIMS
from controller.web.command_kit import (
    WHOLE,
    BySeat,
    CommandBody,
    CommandRow,
    Flags,
    FlowerTexts,
    Pip,
    SeatName,
    TileText,
)
from controller.web.correction_commands import CORRECTIONS


class Nothing(CommandBody):
    """No fields."""


class MaybeSeat(CommandBody):
    """Whose command it is, where that may stay open."""

    seat: SeatName | None = None


class SetDice(CommandBody):
    """What two dice show."""

    pips: Annotated[list[Pip], Field(min_length=2, max_length=2)]


class SetWall(CommandBody):
    """Where the wall was broken: the first tile came from this stack, 1 at its owner's right."""

    seat: SeatName
    stack: Annotated[int, Field(ge=1, le=24, strict=True), WHOLE]


class CallClock(CommandBody):
    """Whose turn it is; `first`: the dealer's first discard, which has more time."""

    seat: SeatName
    first: Annotated[bool, Field(strict=True)] = False


class Rename(CommandBody):
    """What the player at a seat is called."""

    seat: SeatName
    name: Annotated[str, Field(min_length=1, max_length=24)]


class Claim(CommandBody):
    """A win: who, how, from whom, and what a camera cannot know."""

    seat: SeatName
    by: Literal["self_draw", "discard", "rob_kong"]
    from_: Annotated[SeatName | None, Field(alias="from")] = None
    flags: Flags = Field(default_factory=list)


class DeclareKong(CommandBody):
    """A kong: who, which kind, which tile, from whom."""

    seat: SeatName
    kind: Literal["exposed_kong", "added_kong", "concealed_kong"]
    tile: TileText
    from_: Annotated[SeatName | None, Field(alias="from")] = None


class WithdrawKong(CommandBody):
    """A kong that was declared by mistake; without `tile` the seat's last one that lies face down."""

    seat: SeatName
    tile: TileText | None = None


class Correct(CommandBody):
    """The whole hand as tile text."""

    hand: Annotated[str, Field(min_length=1, max_length=120)]
    waive_kongs: Annotated[bool, Field(strict=True, description="Leave its undeclared kongs unpaid.")] = False
    flowers: Annotated[FlowerTexts | None, Field(description="The flowers laid aside, if they change.")] = (
        None
    )


class CorrectTile(CommandBody):
    """One tile: `index` counts the reading's tiles from 0 (melds, concealed, winning tile)."""

    index: Annotated[int, Field(ge=0, le=24, strict=True), WHOLE]
    tile: TileText


class SetFlowers(CommandBody):
    """The flowers that the winner has laid aside, each once; an empty list = none."""

    flowers: FlowerTexts


class Void(CommandBody):
    """Why the hand does not count."""

    reason: Annotated[str, Field(min_length=1, max_length=200)]


class Ask(CommandBody):
    """A question to the board; `argument` is a side, the first of some inputs or motors, a record, a seed."""

    question: Literal[
        "inputs",
        "selftest",
        "analog",
        "edges",
        "margin",
        "loopback",
        "fault_log",
        "statistics",
        "motor_seconds",
        "config",
    ]
    argument: Annotated[int, Field(ge=0, le=65_535, strict=True), WHOLE] = 0


class Service(CommandBody):
    """Take the machine, with the service code of its configuration, or give it back."""

    on: Annotated[bool, Field(strict=True)]
    code: Annotated[int, Field(ge=0, le=SERVICE_CODE_MOST, strict=True), WHOLE] = 0


class LampTest(CommandBody):
    """Lamps as bits of the pin map, the buzzer among them."""

    lamps: Annotated[int, Field(ge=0, le=65_535, strict=True), WHOLE]
    run_ms: Annotated[int, Field(ge=0, le=10_000, strict=True), WHOLE]


class Configure(CommandBody):
    """Values of the board's configuration to change; `was` is the crc of the answer that was seen."""

    was: Annotated[int, Field(ge=0, le=0xFFFFFFFF, strict=True), WHOLE]
    values: Annotated[
        dict[
            Literal[
                "sets",
                "service_code",
                "jam_ms",
                "tile_least_ms",
                "reverse_tries",
                "duty_percent",
                "feed_limit_ma",
                "stack_limit_ma",
                "main_limit_ma",
            ],
            Annotated[int, Field(ge=0, le=65_535, strict=True), WHOLE],
        ],
        Field(min_length=1),
    ]


COMMANDS: tuple[CommandRow, ...] = (
    CommandRow("start", Nothing, "Start a hand, or say that the tiles are in", "开始", {}),
    CommandRow("by_hand", Nothing, "Say that people built the walls; the machine is out", "手码牌", {}),
    CommandRow("pause", Nothing, "Let the build wait and open the centre, to add tiles", "码牌暂停", {}),
    CommandRow("resume", Nothing, "Close the centre and go on building", "继续码牌", {}),
    CommandRow("lift", Nothing, "Raise the walls", "升牌", {}),
    CommandRow("throw", MaybeSeat, "Spin the dice for the seat that throws", "掷骰", {"seat": "E"}),
    CommandRow("find_seats", Nothing, "Find seats by dice before a game", "掷骰定座位", {}),
    CommandRow("set_dice", SetDice, "Say what the dice show", "报骰", {"pips": [3, 4]}),
    CommandRow("set_wall", SetWall, "Say where the wall was broken", "报开门", {"seat": "W", "stack": 9}),
    CommandRow("dealt", MaybeSeat, "Say that the deal is done", "抓牌完毕", {"seat": "E"}),
    CommandRow("claim", Claim, "Call a win", "报和", {"seat": "S", "by": "discard", "from": "E"}),
    CommandRow("answer_from", BySeat, "Say whose discard it was", "谁打的", {"seat": "E"}),
    CommandRow("laid", BySeat, "Say that the hand is laid out", "亮牌", {"seat": "S"}),
    CommandRow("withdraw", MaybeSeat, "Take a claim back", "收回", {"seat": "S"}),
    CommandRow("confirm", BySeat, "Agree to the result", "同意", {"seat": "E"}),
    CommandRow("dispute", BySeat, "Disagree with the result", "有异议", {"seat": "W"}),
    CommandRow(
        "correct", Correct, "Write down the whole hand", "改牌", {"hand": "[111p,3] 234m 55m 678s 99s + 9s"}
    ),
    CommandRow("correct_tile", CorrectTile, "Correct one tile", "改一张牌", {"index": 9, "tile": "9p"}),
    CommandRow(
        "set_flowers", SetFlowers, "Say which flowers the winner has", "报花", {"flowers": ["a", "e"]}
    ),
    CommandRow("reshoot", MaybeSeat, "Take the photo again", "再拍一次", {"seat": "S"}),
    CommandRow("set_aside", BySeat, "Put an unread hand aside, to enter it later", "先搁着", {"seat": "E"}),
    CommandRow("void", Void, "Call the hand off", "作废", {"reason": "tiles fell"}),
    CommandRow(
        "declare_kong",
        DeclareKong,
        "Declare a kong",
        "报杠",
        {"seat": "S", "kind": "exposed_kong", "tile": "5p", "from": "E"},
    ),
    CommandRow(
        "withdraw_kong", WithdrawKong, "Take a declared kong back", "收回杠", {"seat": "S", "tile": "5p"}
    ),
    CommandRow("washout", MaybeSeat, "Propose a drawn hand", "荒庄", {"seat": "E"}),
    CommandRow("call_clock", CallClock, "Start the clock of a turn", "计时", {"seat": "S"}),
    CommandRow("stop_clock", Nothing, "The tile is out, stop the clock", "停表", {}),
    *CLAIMS,
    *CORRECTIONS,
    CommandRow("rename", Rename, "Name the player at a seat", "改名", {"seat": "E", "name": "龙井"}),
    CommandRow("new_game", Nothing, "Start a new game, all scores at 0", "新开一局", {}, "technician"),
    CommandRow("stop", Nothing, "Stop all motors now", "全停", {}, "technician"),
    CommandRow("clear_fault", Nothing, "Clear the standing fault", "清除故障", {}, "technician"),
    CommandRow("selftest", Nothing, "Run the board's self-test", "自检", {}, "technician"),
    CommandRow("read_inputs", Nothing, "Read all inputs of the board", "读输入", {}, "technician"),
    CommandRow(
        "ask",
        Ask,
        "Ask the board; the answer stands in the machine view",
        "问控制板",
        {"question": "margin", "argument": 2},
        "technician",
    ),
    CommandRow(
        "service",
        Service,
        "Enter or leave the service mode",
        "检修模式",
        {"on": True, "code": 1234},
        "technician",
    ),
    CommandRow(
        "lamp_test", LampTest, "Light lamps for a while", "试灯", {"lamps": 511, "run_ms": 2000}, "technician"
    ),
    CommandRow(
        "configure",
        Configure,
        "Change values of the board's configuration",
        "改控制板配置",
        {"was": 305419896, "values": {"jam_ms": 900}},
        "technician",
    ),
)


class Accepted(BaseModel):
    """A command that was accepted; `seq` is the journal row at which the answer was given."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"ok": True, "code": None, "params": {}, "seq": 42}]}
    )

    ok: Literal[True] = True
    code: str | None = None
    params: dict[str, Any] = Field(default_factory=dict)
    seq: int
