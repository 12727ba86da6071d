"""Claims on one tile: their order, the time they have, a robbed kong, and the words that count as calls.

Who may claim at all is `rules.legal`. Source: win-procedure.md sections 2 and 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rules.errors import InvalidRequest
from rules.legal import CLAIMS, Claim, precedence
from rules.seats import ALL_SEATS, Seat, in_order_after, seat_after

_CLASS = {"win": 0, "kong": 1, "pung": 1, "chow": 2}
"""win > pung = exposed kong > chow."""
KONG_WAYS = ("exposed", "added", "concealed")
ROB_CONCEALED = ("none", "thirteen_orphans")
THIRTEEN_ORPHANS = "thirteen_orphans"

CALL_WORDS: Mapping[str, str] = MappingProxyType(
    {"吃牌": "chow", "碰牌": "pung", "杠牌": "kong", "和牌": "win", "补花": "flower"}
)
"""The five words that are calls, and what each of them calls; anything else is not a call."""


def claim_rank(discarder: Seat, claim: Claim, players: Sequence[Seat] = ALL_SEATS) -> tuple[int, int, int]:
    """Return the place of a claim in the order of all claims on one discard; the lowest one is granted.

    First the kind, then the distance after the discarder; no two different claims have the same rank.

    Raises:
        InvalidRequest: for an unknown kind, or a seat that cannot claim this tile.

    >>> claim_rank(Seat.E, Claim(Seat.N, "pung")) < claim_rank(Seat.E, Claim(Seat.S, "chow"))
    True
    """
    if claim.kind not in _CLASS:
        raise InvalidRequest(f"a claim is one of {', '.join(CLAIMS)}, not {claim.kind!r}")
    if claim.seat == discarder or claim.seat not in players or discarder not in players:
        raise InvalidRequest(f"{claim.seat} cannot claim the discard of {discarder}")
    order = in_order_after(discarder, players)
    return _CLASS[claim.kind], order.index(claim.seat), CLAIMS.index(claim.kind)


def offered_first(kinds: Sequence[str]) -> str:
    """Return what a player who could claim a tile in several ways is offered first: the win before all.

    Raises:
        InvalidRequest: for no or an unknown kind.
    """
    unknown = [kind for kind in kinds if kind not in CLAIMS]
    if unknown or not kinds:
        raise InvalidRequest(f"options are among {', '.join(CLAIMS)}, at least one, not {list(kinds)}")
    return min(kinds, key=CLAIMS.index)


# ---- the claim window ----


@dataclass(frozen=True, slots=True)
class TimedClaim:
    """A claim and the time after the discard at which its word was said, in seconds."""

    claim: Claim
    seconds: float


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What became of the claims on one discard.

    `closed_at`: seconds after the discard; earlier than the whole window where no higher claim was possible.
    """

    granted: tuple[Claim, ...]
    late: tuple[Claim, ...]
    closed_at: float


def claim_window(
    discarder: Seat,
    claims: Sequence[TimedClaim],
    window_s: float,
    multi_win: bool = False,
    players: Sequence[Seat] = ALL_SEATS,
) -> WindowResult:
    """Return the claims that are granted and those that came too late, in the order of their time.

    The last instant of the window is still in time. Who has spoken can raise his own claim inside the window;
    his highest one counts.

    Raises:
        InvalidRequest: for a negative time or a claim that cannot be made.
    """
    if window_s < 0 or any(each.seconds < 0 for each in claims):
        raise InvalidRequest("times are seconds after the discard, from 0 on")
    heard: list[Claim] = []
    late: list[Claim] = []
    closed_at = float(window_s)
    for each in sorted(claims, key=lambda timed: timed.seconds):
        if each.seconds > closed_at:
            late.append(each.claim)
            continue
        claim_rank(discarder, each.claim, players)
        heard.append(each.claim)
        if is_decided(discarder, heard, multi_win, players):
            closed_at = float(each.seconds)
    return WindowResult(precedence(discarder, heard, multi_win, players), tuple(late), closed_at)


def is_decided(
    discarder: Seat, claims: Sequence[Claim], multi_win: bool = False, players: Sequence[Seat] = ALL_SEATS
) -> bool:
    """Return whether no claim that may still come could be granted before, or beside, the best one heard.

    With one winner: the next player after the discarder has called a win. With several: everyone has.
    """
    winners = {claim.seat for claim in claims if claim.kind == "win"}
    if multi_win:
        return winners == set(players) - {discarder}
    return seat_after(discarder, players) in winners


# ---- robbing a kong ----


def rob(
    konger: Seat,
    way: str,
    claims: Sequence[Claim],
    *,
    hands: Mapping[Seat, str] | None = None,
    rob_concealed: str = "none",
    multi_win: bool = False,
    players: Sequence[Seat] = ALL_SEATS,
) -> tuple[tuple[Claim, ...], bool]:
    """Return the wins that are granted on the tile of a kong, and whether the kong stands (and is paid).

    Args:
        way: one of KONG_WAYS; only an added kong can be robbed, a concealed one by option.
        hands: what each winner's hand is, for `rob_concealed`.
        rob_concealed: one of ROB_CONCEALED.
    Raises:
        InvalidRequest: for an unknown word, or a claim that is no win.
    """
    if way not in KONG_WAYS or rob_concealed not in ROB_CONCEALED:
        raise InvalidRequest(f"a kong is {', '.join(KONG_WAYS)}; rob_concealed {', '.join(ROB_CONCEALED)}")
    if any(claim.kind != "win" for claim in claims):
        raise InvalidRequest("a kong is robbed by a win only")
    robbing = [claim for claim in claims if _may_rob(claim, way, hands or {}, rob_concealed)]
    granted = precedence(konger, robbing, multi_win, players)
    return granted, not granted


def _may_rob(claim: Claim, way: str, hands: Mapping[Seat, str], rob_concealed: str) -> bool:
    if way == "concealed":
        return rob_concealed == THIRTEEN_ORPHANS and hands.get(claim.seat) == THIRTEEN_ORPHANS
    return way == "added"


# ---- calls ----


def is_call(word: str) -> bool:
    """Return whether a word is one of the five calls.

    >>> is_call("碰牌"), is_call("等等")
    (True, False)
    """
    return word in CALL_WORDS


def call_makes(word: str, kind: str) -> bool:
    """Return whether a word calls this and nothing else: 碰牌 makes no kong, 杠牌 no pung."""
    return CALL_WORDS.get(word) == kind
