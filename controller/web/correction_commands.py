"""The commands that put right what was booked wrongly: wishes, answers, the referee's word."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from controller.web.command_kit import (
    WHOLE,
    BySeat,
    CommandBody,
    CommandRow,
    Flags,
    FlowerTexts,
    SeatName,
    TileText,
)

Reason = Annotated[str, Field(min_length=1, max_length=200, description="Why; it stays in the ledger.")]
HandNumber = Annotated[int, Field(ge=1, le=1_000_000, strict=True), WHOLE]
HandText = Annotated[str, Field(min_length=1, max_length=120)]
PlayerId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,32}$")]


class Correction(CommandBody):
    """A wish to put something right: why, and whose wish it is."""

    reason: Reason
    seat: SeatName | None = None


class AlsoWon(CommandBody):
    """Another winner of the same tile, and his hand."""

    winner: SeatName
    hand_text: HandText
    flags: Flags = Field(default_factory=list)
    flowers: FlowerTexts = Field(default_factory=list)


class ToldKong(CommandBody):
    """A kong of the hand; one from a discard tells whose it was, unless it is booked already."""

    seat: SeatName
    kind: Literal["exposed_kong", "added_kong", "concealed_kong"]
    tile: TileText
    from_: Annotated[SeatName | None, Field(alias="from")] = None


class CorrectResult(Correction):
    """How a hand truly ended; a win needs who, how, from whom and the hand as tile text.

    `also`: who else won the same tile. `kongs`: all kongs of the hand; without it they stand as booked.
    """

    hand: HandNumber
    kind: Literal["win", "drawn", "void"]
    winner: SeatName | None = None
    by: Literal["self_draw", "discard", "rob_kong"] | None = None
    from_: Annotated[SeatName | None, Field(alias="from")] = None
    hand_text: HandText | None = None
    flags: Flags = Field(default_factory=list)
    flowers: FlowerTexts = Field(default_factory=list)
    also: Annotated[list[AlsoWon] | None, Field(max_length=2)] = None
    kongs: Annotated[list[ToldKong] | None, Field(max_length=16)] = None


class SwapPlayers(Correction):
    """Two who sat at each other's places from a hand on; `stay`: they still do."""

    seats: Annotated[list[SeatName], Field(min_length=2, max_length=2)]
    from_hand: HandNumber
    stay: Annotated[bool, Field(strict=True)] = True


class ReplacePlayer(Correction):
    """Who plays at a place from now on: a player's id, a new guest if there is none, or nobody (`leaves`)."""

    place: SeatName
    player: PlayerId | None = None
    leaves: Annotated[bool, Field(strict=True)] = False


ProposalId = Annotated[
    int | None, Field(ge=1, strict=True, description="The correction that was seen; another one is refused.")
]


class AnswerCorrection(BySeat):
    """A seat's answer to what is asked for."""

    id: ProposalId = None


class RuleCorrection(CommandBody):
    """The referee's word; `referee` is an id, never a name."""

    id: ProposalId = None
    accept: Annotated[bool, Field(strict=True)]
    referee: PlayerId | None = None


CORRECTIONS: tuple[CommandRow, ...] = (
    CommandRow(
        "undo_result",
        Correction,
        "Ask to take the last result back",
        "撤销上一盘",
        {"seat": "E", "reason": "wrong payer"},
    ),
    CommandRow(
        "correct_result",
        CorrectResult,
        "Ask to correct the result of a hand",
        "更正结果",
        {
            "seat": "E",
            "reason": "it was my discard",
            "hand": 6,
            "kind": "win",
            "winner": "N",
            "by": "discard",
            "from": "E",
            "hand_text": "[345p,1] 345m 678p 34s 66s + 5s",
            "flags": [],
            "flowers": ["e"],
        },
    ),
    CommandRow(
        "swap_players",
        SwapPlayers,
        "Ask to swap two players who sat wrong from a hand on",
        "对调座位",
        {"seat": "E", "reason": "sat wrong", "seats": ["E", "S"], "from_hand": 4, "stay": True},
    ),
    CommandRow(
        "replace_player",
        ReplacePlayer,
        "Ask to let somebody else play at a place, or nobody",
        "换人",
        {"seat": "W", "reason": "has to leave", "place": "W", "leaves": False},
    ),
    CommandRow(
        "end_game", Correction, "Ask to end the game now", "结束牌局", {"seat": "N", "reason": "it is late"}
    ),
    CommandRow(
        "agree_correction",
        AnswerCorrection,
        "Agree to what is asked for",
        "同意更正",
        {"seat": "S", "id": 42},
    ),
    CommandRow(
        "reject_correction",
        AnswerCorrection,
        "Disagree with it, or take it back",
        "不同意更正",
        {"seat": "W", "id": 42},
    ),
    CommandRow(
        "rule_correction",
        RuleCorrection,
        "Decide as referee what is asked for",
        "裁定更正",
        {"id": 42, "accept": True, "referee": "club-7"},
        "referee",
    ),
)
