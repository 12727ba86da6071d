"""Everything the table asks the rules: opening, kong, hand, drawn hand. No rule is written here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from controller.errors import Refused
from controller.evening import dealer_after, draw_payment
from controller.state import SEATS, ClaimState, KongState, TableState
from rules.checking import check
from rules.errors import RuleError
from rules.false_win import false_win
from rules.hand import MeldKind
from rules.notation import format_hand, parse_hand
from rules.options import Options
from rules.procedure import Walls, dice_to_seat, walls_agreed
from rules.procedure import open_wall as rules_open_wall
from rules.ready import waits
from rules.rotation import Result
from rules.scoring import (
    Kong,
    Situation,
    Win,
    resolve_options,
    score,
    settle,
    settle_draw,
    settle_false_win,
    settle_kong,
)
from rules.seats import Seat
from rules.shapes import THIRTEEN_ORPHANS
from rules.tiles import Tile
from rules.variant import Variant
from rules.variants import get_variant
from rules.win_options import WIN_OPTIONS, resolve_win_options

Throws = tuple[tuple[Seat, tuple[int, int]], ...]


def variant_of(state: TableState) -> Variant:
    """Return the rule set of the game."""
    assert state.table is not None
    return get_variant(state.table.variant)


def has_flowers(state: TableState) -> bool:
    """Return whether the set of the game has flowers: then a win tells which of them the winner has."""
    return state.table is not None and any(tile.is_flower for tile in variant_of(state).kinds)


def kongs_are_paid(state: TableState) -> bool:
    """Return whether a kong pays at once, so that everyone has to hear of it."""
    return bool(variant_of(state).kongs)


def walls_of(state: TableState) -> Walls:
    """Return the stacks before each seat in this hand."""
    assert state.table is not None
    return walls_agreed(state.table.tiles, state.dealer, state.table.options)


def walls_suit_any_dealer(tiles: int, options: Mapping[str, Any]) -> bool:
    """Return whether the walls are the same whoever deals: only then they can be built a hand ahead.

    >>> walls_suit_any_dealer(136, {}), walls_suit_any_dealer(108, {})
    (True, False)
    """
    first = walls_agreed(tiles, SEATS[0], options)
    return all(walls_agreed(tiles, dealer, options) == first for dealer in SEATS)


def stacks_by_side(state: TableState) -> tuple[int, int, int, int]:
    """Return how many stacks the machine builds before sides 1 to 4; 0 where nobody plays."""
    wall = walls_of(state)
    one, two, three, four = (wall.get(state.seat_at(side), 0) for side in (1, 2, 3, 4))
    return one, two, three, four


def opening_mode(state: TableState) -> tuple[str, str]:
    """Return the options `opening` and `break_at` of the game."""
    assert state.table is not None
    options = state.table.options
    return str(options.get("opening", "two_throw")), str(options.get("break_at", "after"))


def second_thrower(state: TableState, throws: Throws) -> Seat | None:
    """Return who throws next after these throws, None when the wall can be opened."""
    if opening_mode(state)[0] != "two_throw" or len(throws) >= 2:
        return None
    seat, pips = throws[0]
    return dice_to_seat(seat, sum(pips))


def open_wall(state: TableState, throws: Throws) -> dict[str, Any]:
    """Return the body of fact wall_opened."""
    assert state.table is not None
    mode, break_at = opening_mode(state)
    pips = tuple(pips for _, pips in throws)
    opening = rules_open_wall(mode, state.dealer, pips, state.table.tiles, break_at, walls_of(state))
    return {
        "count_seat": opening.count_seat.value,
        "count": opening.count,
        "seat": opening.seat.value,
        "stack": opening.stack,
    }


def situation(state: TableState, flags: tuple[str, ...] = ()) -> Situation:
    """Return the circumstances of the hand for the rules."""
    assert state.table is not None
    return Situation(
        dealer=state.dealer,
        players=SEATS,
        options=state.table.options,
        flags=frozenset(flags),
        wall_left=None,
        round_wind=state.round_wind,
    )


def canonical_hand(text: str) -> str:
    """Return canonical tile text.

    Raises:
        Refused: with the position of what cannot be read.
    """
    try:
        return format_hand(parse_hand(text))
    except RuleError as error:
        raise Refused("refuse.tiles", position=getattr(error, "position", 0), why=str(error)) from error


def canonical_tile(text: str) -> str:
    """Return one tile as text, refusing anything else."""
    try:
        return str(Tile.parse(text))
    except RuleError as error:
        raise Refused("refuse.tiles", position=0, why=str(error)) from error


def judge_body(state: TableState, hand: str, flowers: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the rules' answer for the claim of this hand: legality, elements, total, deltas, next dealer.

    Args:
        flowers: the tiles that the winner laid aside.
    """
    claim = state.claim
    assert claim is not None
    assert claim.seat is not None
    variant, now = variant_of(state), situation(state, claim.flags)
    zeros = {seat.value: 0 for seat in SEATS}
    answer: dict[str, Any] = {"legal": False, "reason": None, "elements": [], "total": 0, "deltas": zeros}
    answer["next_dealer"] = state.dealer.value
    try:
        win = _win(claim, hand, flowers)
        scored = score(variant, win, now)
        answer |= {
            "legal": scored.legal,
            "reason": scored.reason,
            "elements": [
                [row.key, row.zh, row.en, row.value] for row in scored.elements for _ in range(row.count)
            ],
            "total": int(scored.total),
        }
        if scored.legal and claim.is_known:
            settled = settle(variant, (win,), now, {claim.seat: counted_points(state, int(scored.total))})
            answer["deltas"] = {seat.value: int(settled.deltas.get(seat, 0)) for seat in SEATS}
            answer["next_dealer"] = dealer_after(
                state, Result((claim.seat,), claim.from_seat), settled.next_dealer
            ).value
    except RuleError as error:
        answer |= {"legal": False, "reason": getattr(error, "code", None) or str(error)}
    return answer


def counted_points(state: TableState, total: int) -> int:
    """Return what counts of the checked value of the hand: all of it, or no more than the winner stated."""
    return counted_of(state, total, state.stated)


def counted_of(state: TableState, total: int, stated: int | None) -> int:
    """Return what counts of a checked value beside the one that was stated."""
    counted = check(total, 0, stated, str(win_options(state)["stated_counts"])).points
    assert counted is not None
    return counted


def robbed_kong(state: TableState, hand: str) -> KongState | None:
    """Return the kong that the claim robs: one that its payer added the winning tile to, or None.

    Where the table agreed on it, thirteen orphans rob a concealed kong, too (`rob_concealed`).
    """
    claim, held = state.claim, parse_hand(hand)
    if claim is None or claim.by != "rob_kong" or claim.from_seat is None or held.win_tile is None:
        return None
    kinds = {MeldKind.ADDED_KONG.value}
    if win_options(state)["rob_concealed"] == THIRTEEN_ORPHANS.key and THIRTEEN_ORPHANS.readings(held):
        kinds.add(MeldKind.CONCEALED_KONG.value)
    wanted = (claim.from_seat, str(held.win_tile))
    fitting = (kong for kong in state.kongs if not kong.robbed and kong.kind in kinds)
    return next((kong for kong in fitting if (kong.seat, kong.tile) == wanted), None)


def fifth_copies(state: TableState, seat: Seat, hand: str) -> tuple[str, ...]:
    """Return every tile of which this hand and the kongs of the others would need more than there are.

    A kong that is robbed keeps three of its tiles: the fourth is the winning one.
    """
    held, robbed = parse_hand(hand), robbed_kong(state, hand)
    tiles = [tile for meld in held.melds for tile in meld.tiles] + list(held.concealed)
    counts = Counter([*tiles, *(() if held.win_tile is None else (held.win_tile,))])
    seen = dict(counts)
    for kong in state.kongs:
        if kong.seat is not seat:
            tile = Tile.parse(kong.tile)
            counts[tile] += 3 if kong.robbed or kong is robbed else 4
    return tuple(str(tile) for tile in seen if counts[tile] > tile.copies)


def kong_kind(text: object) -> str:
    """Return the kind of a kong: exposed, added or concealed, with or without `_kong`."""
    for kind in (MeldKind.EXPOSED_KONG, MeldKind.ADDED_KONG, MeldKind.CONCEALED_KONG):
        if text in (kind.value, kind.value.removesuffix("_kong")):
            return kind.value
    raise Refused("refuse.invalid", field="kind")


def kong_deltas(state: TableState, seat: Seat, kind: str, tile: str, feeder: Seat | None) -> dict[str, int]:
    """Return what a kong pays at once, units by seat."""
    kong = Kong(seat, MeldKind(kind), Tile.parse(canonical_tile(tile)), feeder)
    deltas = settle_kong(variant_of(state), kong, situation(state)).deltas
    return {each.value: int(deltas.get(each, 0)) for each in SEATS}


def draw_result(state: TableState) -> tuple[dict[str, int], Seat]:
    """Return payments and next dealer of a drawn hand."""
    settled = settle_draw(variant_of(state), situation(state))
    agreed = draw_payment(state)
    deltas = {seat.value: int(settled.deltas.get(seat, 0)) + agreed[seat] for seat in SEATS}
    return deltas, dealer_after(state, Result(), settled.next_dealer)


def win_options(state: TableState) -> Options:
    """Return what the table agreed on for claims and false wins; what it did not tell is the default."""
    told = {} if state.table is None else state.table.procedure
    known = {option.key for option in WIN_OPTIONS}
    return resolve_win_options({key: value for key, value in told.items() if key in known})


def settle_agreed(state: TableState) -> tuple[dict[str, int], Seat, tuple[Seat, ...]]:
    """Return what all agreed wins on one tile pay, the next dealer, and the winners, the nearest first."""
    flags = {flag for win in state.agreed for flag in win.claim.flags}
    wins, counted = [], {}
    for win in state.agreed:
        claim, flowers = win.claim, tuple(tile for tile, _ in win.reading.flowers or () if tile != "?")
        assert claim.seat is not None
        assert win.reading.hand is not None
        wins.append(_win(claim, win.reading.hand, flowers))
        counted[claim.seat] = counted_of(state, win.result.total, win.stated)
    settled = settle(variant_of(state), wins, situation(state, tuple(flags)), counted)
    deltas = {seat.value: int(settled.deltas.get(seat, 0)) for seat in SEATS}
    winners = tuple(win.seat for win, _ in settled.paid)
    result = Result(winners, state.agreed[0].claim.from_seat)
    return deltas, dealer_after(state, result, settled.next_dealer), winners


def _win(claim: ClaimState, hand: str, flowers: tuple[str, ...]) -> Win:
    assert claim.seat is not None
    return Win(
        claim.seat,
        parse_hand(hand),
        claim.by or "discard",
        claim.from_seat,
        flowers=len(flowers),
        flower_tiles=tuple(Tile.parse(tile) for tile in flowers),
    )


def may_several_win(state: TableState) -> bool:
    """Return whether all who claim one tile win, by the rules of the game."""
    assert state.table is not None
    variant = variant_of(state)
    return variant.multi_win(resolve_options(variant, state.table.options))


def waits_for_referee(state: TableState) -> bool:
    """Return whether a win that all others agree to still needs the referee; a drawn hand does not."""
    is_win = state.claim is not None and state.claim.kind == "win" and state.accused is None
    return is_win and win_options(state).on("referee")


def false_win_deltas(state: TableState, seat: Seat, each: int | None = None) -> dict[str, int]:
    """Return what a false win pays, units by seat.

    Args:
        each: points to every other player as a referee set them; None = as variant and table agreed.
    """
    variant = variant_of(state)
    if each is None and variant.pay_false_win is not None:
        deltas = settle_false_win(variant, seat, _is_not_ready(state, seat), situation(state)).deltas
        return {other.value: int(deltas.get(other, 0)) for other in SEATS}
    amount = win_options(state).number("false_win_each") if each is None else each
    return {other.value: points * variant.unit for other, points in false_win(seat, amount).deltas.items()}


def _is_not_ready(state: TableState, seat: Seat) -> bool:
    """Return whether the hand laid out was not even ready; a hand that nobody knows counts as ready."""
    hand = state.reading.hand if state.reading is not None and state.reading.seat is seat else None
    if hand is None or state.table is None:
        return False
    variant = variant_of(state)
    return not waits(parse_hand(hand), variant.shapes(resolve_options(variant, state.table.options)))
