"""What a hand waits for, and how far it is from waiting: one record in, one answer out.

Keys: `hand` (13 tiles, melds counted as three; a winning tile after `+` is left out of account), `seen`
(further visible tiles), `seat_wind`, `round_wind`, `flowers`, `last_tile`, `options`, `flags`, `wall_left`,
`wild` as in `rules.records`. How the tile comes is asked for every way, so that `self_draw`, `rob_kong`,
`kong_replacement` and `last_of_kind` of a record are left alone, as other keys are, and so are the flags
`after_kong`, `kong_discard` and `last_of_kind`. A way that the other circumstances rule out cannot be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.distance import FAR
from rules.errors import InvalidRequest, InvalidWin
from rules.fields import Fields
from rules.hand import Hand
from rules.ready import shanten, tiles_of, useful_tiles, waits
from rules.records import read_record, refuse_wild, wild_tiles
from rules.refusals import refusal_text
from rules.scoring import FLAGS, Options, Score, resolve_options, score
from rules.shapes import REGULAR, Shape
from rules.tiles import Tile
from rules.variant import Variant
from rules.wilds import Placement

_CIRCUMSTANCES = (
    "seat_wind",
    "round_wind",
    "flowers",
    "last_tile",
    "options",
    "flags",
    "wall_left",
    "from",
    "wild",
)
_HOW_IT_CAME = frozenset({"after_kong", "kong_discard", "last_of_kind"})
# name of a way in answers -> how it is told in a record
WAYS: dict[str, dict[str, bool]] = {
    "discard": {"self_draw": False, "last_of_kind": False},
    "self_draw": {"self_draw": True, "last_of_kind": False},
    "last_of_kind": {"self_draw": False, "last_of_kind": True},
    "last_of_kind_self_draw": {"self_draw": True, "last_of_kind": True},
}
# what is worth enough to lift a cheap hand over the minimum: element, how it is told in a record, in English
_RARE: tuple[tuple[str, dict[str, bool], str], ...] = (
    ("last_tile_claim", {"self_draw": False, "last_tile": True}, "the last tile"),
    ("last_tile_draw", {"self_draw": True, "last_tile": True}, "the last tile"),
    ("out_with_replacement_tile", {"self_draw": True, "kong_replacement": True}, "a kong replacement"),
    ("robbing_the_kong", {"self_draw": False, "rob_kong": True}, "a robbed kong"),
)


def answer_waits(variant: Variant, record: Mapping[str, Any], *, explain: bool = False) -> dict[str, Any]:
    """Return `waits` in form and which of them are `exhausted` (all four copies in the own hand).

    With `explain` each wait has a row in `detail`: `copies` unseen; for every way (a discard, a self-draw,
    the last of its kind either way) the total, whether it may win and its elements, None for a way that
    cannot be; and `why` where no way wins, with `unless` (element keys) where the last tile, a kong
    replacement or a robbed kong would. Of a hand with wild tiles all waits are told, wherever these
    stand; a wild tile that is still to come is one.

    Raises:
        RuleError: if the hand is not one short of a win in number, a field is odd, or the circumstances
            contradict each other whatever tile comes and however.
    """
    fields = Fields(record)
    options = resolve_options(variant, fields.mapping("options"))
    hand = _hand_of(variant, fields)
    seen = _seen(variant, fields, hand)
    found = _waits(hand, _shapes(variant, options), _wild(variant, options, fields))
    exhausted = [tile for tile in found if hand.tiles.count(tile) == tile.copies]
    answer: dict[str, Any] = {"waits": _texts(found), "exhausted": _texts(exhausted)}
    if explain:
        _all_tiles_shown(variant, hand)
        asked = _Asked(variant, options, _told(record, fields), hand, seen)
        answer["detail"] = [_detail(asked, tile) for tile in found]
        asked.check()
    return answer


def _wild(variant: Variant, options: Options, fields: Fields) -> tuple[Tile, ...]:
    wild = wild_tiles(variant, fields)
    if variant.wild is not None and options.on("wilds") and not wild:
        raise InvalidRequest("the table plays with wild tiles: name their kinds (wild)")
    return wild


def _waits(hand: Hand, shapes: tuple[Shape, ...], wild: tuple[Tile, ...]) -> tuple[Tile, ...]:
    if not wild:
        return waits(hand, shapes)
    kinds = sum(1 << tile.index for tile in set(wild))
    mask = Placement(hand, kinds, shapes).completing()
    return tiles_of(mask | kinds if mask else 0)


def answer_shanten(variant: Variant, record: Mapping[str, Any], *, explain: bool = False) -> dict[str, Any]:
    """Return how far the hand is from being ready: `regular` and its `useful` tiles, then other shapes.

    The unit is tiles, 0 = ready. Other shapes have a key where the declared melds allow them, and `best` is
    the smallest number where nothing is declared. Melds need not be written: 10 tiles are a hand with one
    meld. With `explain` each shape has a row in `detail` with its own useful tiles and their unseen copies.

    Raises:
        RuleError: as `answer_waits`; and for wild tiles: how far away they leave a hand is not worked out.
    """
    fields = Fields(record)
    hand = _hand_of(variant, fields)
    refuse_wild(variant, fields, "how far a hand is from ready")
    seen = _seen(variant, fields, hand)
    melds = _melds(variant, hand)
    options = resolve_options(variant, fields.mapping("options"))
    shapes = [
        shape
        for shape in _shapes(variant, options)
        if shape.allows(hand.melds) and shape.distance(hand.counts, melds) < FAR
    ]
    answer: dict[str, Any] = {}
    for shape in shapes:
        answer[shape.key] = shanten(hand.counts, melds, (shape,))
        if shape is REGULAR:
            answer["useful"] = _texts(_useful(hand, melds, shape))
    if melds == 0:
        answer["best"] = min(answer[shape.key] for shape in shapes)
    if explain:
        answer["detail"] = [_shape_detail(shape, hand, melds, seen) for shape in shapes]
    return answer


# ---- reading a record ----


def _hand_of(variant: Variant, fields: Fields) -> Hand:
    """Return the hand without its winning tile, checked for the number of tiles."""
    hand = fields.hand("hand").with_win_tile(None)
    for tile in hand.tiles:
        if tile.is_flower:
            raise InvalidRequest(
                f"{fields.name('hand')}: {tile} is laid aside, not held: tell it with flowers; "
                "winds and dragons are capital letters"
            )
        if tile not in variant.kinds:
            raise InvalidRequest(f"{fields.name('hand')}: {tile} is not in the tile set of {variant.key}")
    if hand.size != variant.hand_size and (hand.melds or hand.size % 3 != 1 or hand.size > variant.hand_size):
        raise InvalidRequest(
            f"{fields.name('hand')}: {hand.size} tiles, a kong counting as 3; {variant.hand_size} are needed"
            " (a drawn tile goes after a plus sign)"
        )
    return hand


def _melds(variant: Variant, hand: Hand) -> int:
    """Return the number of melds, those that are not written too."""
    return (variant.hand_size - sum(hand.counts)) // 3


def _all_tiles_shown(variant: Variant, hand: Hand) -> None:
    if hand.size != variant.hand_size:
        raise InvalidRequest(f"hand: {hand.size} tiles; to tell totals, write the melds too, e.g. [123m]")


def _shapes(variant: Variant, options: Options) -> tuple[Shape, ...]:
    """Return the shapes that a variant wins in, the regular one first."""
    shapes = variant.shapes(options)
    return tuple(sorted(shapes, key=lambda shape: shape is not REGULAR))


def _seen(variant: Variant, fields: Fields, hand: Hand) -> tuple[Tile, ...]:
    """Return the further visible tiles, checked against the tiles of the hand."""
    seen = fields.tiles("seen")
    for tile in set(seen):
        held = hand.tiles.count(tile)
        if tile not in variant.kinds:
            raise InvalidRequest(f"{fields.name('seen')}: {tile} is not in the tile set of {variant.key}")
        if seen.count(tile) + held > tile.copies:
            raise InvalidRequest(
                f"{fields.name('seen')}: a fifth {tile}, {seen.count(tile)} beside {held} in the hand"
            )
    return seen


# ---- what a wait is worth ----


class _Asked:
    """What the ways to win on one wait have in common; counts the ways that could be and could not."""

    def __init__(
        self,
        variant: Variant,
        options: Options,
        told: Mapping[str, Any],
        hand: Hand,
        seen: tuple[Tile, ...],
    ) -> None:
        self.variant = variant
        self.options = options
        self.told = told
        self.hand = hand
        self.seen = seen
        self.possible = 0
        self.contradiction: InvalidWin | None = None

    def check(self) -> None:
        """Raise what contradicts itself if no tile could come in any way."""
        if self.contradiction is not None and not self.possible:
            raise self.contradiction

    def score(self, tile: Tile, way: str) -> Score | None:
        """Return the worth of one way, None if it cannot be.

        A copy that stands concealed rules out the last of its kind; three that everybody sees make it
        certain. Some variants do not ask.
        """
        come = dict(WAYS[way])
        asks = "last_of_kind" in self.variant.flags
        if come["last_of_kind"] and (not asks or tile in self.hand.concealed):
            return None
        melded = sum(meld.tiles.count(tile) for meld in self.hand.melds)
        if asks and melded + self.seen.count(tile) == tile.copies - 1:
            come["last_of_kind"] = True
        try:
            scored = self._score(tile, come)
        except InvalidWin as error:
            self.contradiction = error
            return None
        self.possible += 1
        return scored

    def _score(self, tile: Tile, come: Mapping[str, bool]) -> Score:
        told = {key: value for key, value in self.told.items() if key != "from" or not come["self_draw"]}
        win, situation = read_record(self.variant, {**told, **come, "hand": f"{self.hand} + {tile}"})
        return score(self.variant, win, situation)

    def wins_rarely(self, tile: Tile) -> list[tuple[str, str]]:
        """Return the rare ways of `_RARE` that win on a tile, each as element key and English words."""
        return [(key, words) for key, come, words in _RARE if self._wins(tile, come)]

    def _wins(self, tile: Tile, come: Mapping[str, bool]) -> bool:
        try:
            return self._score(tile, come).legal
        except InvalidWin:
            return False


def _told(record: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
    """Return the circumstances that hold however the tile comes."""
    told = {key: record[key] for key in _CIRCUMSTANCES if key in record}
    told["flags"] = [flag for flag in fields.words("flags", FLAGS, []) if flag not in _HOW_IT_CAME]
    return told


def _detail(asked: _Asked, tile: Tile) -> dict[str, Any]:
    copies = tile.copies - asked.hand.tiles.count(tile) - asked.seen.count(tile)
    detail: dict[str, Any] = {"tile": str(tile), "copies": copies, "ways": {}}
    scores: list[Score] = []
    if copies:
        for way in WAYS:
            scored = asked.score(tile, way)
            detail["ways"][way] = None if scored is None else _way(scored)
            scores += [] if scored is None else [scored]
    if not any(scored.legal for scored in scores):
        detail["why"] = _why(asked.variant, asked.options, scores, copies)
        if detail["why"]["code"] == "below_minimum":
            detail["why"] |= _unless(asked, tile, detail["why"])
    return detail


def _unless(asked: _Asked, tile: Tile, why: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rare ways that win where no other does, and the words of `why` with them; {} for none."""
    rare = asked.wins_rarely(tile)
    if not rare:
        return {}
    names = {fan.key: fan.zh for fan in asked.variant.fans}
    ways = list(dict.fromkeys(words for _, words in rare))
    listed = " or ".join([", ".join(ways[:-1]), ways[-1]] if len(ways) > 1 else ways)
    return {
        "unless": [key for key, _ in rare],
        "zh": f"{why['zh']}，除非{'、'.join(names[key] for key, _ in rare)}",
        "en": f"{why['en']}, unless by {listed}",
    }


def _way(scored: Score) -> dict[str, Any]:
    """Return a score in the form of the score command."""
    row: dict[str, Any] = {
        "total": scored.total,
        "meets_minimum": scored.legal,
        "fan": [
            {"name": each.zh, "en": each.en, "points": each.value, "count": each.count}
            for each in scored.elements
        ],
    }
    if not scored.legal:
        row |= {"legal": False, "reason": scored.reason}
    return row


def _why(variant: Variant, options: Options, scores: list[Score], copies: int) -> dict[str, Any]:
    """Return why no way wins, for programs and in both languages."""
    if copies and not scores:
        return {
            "code": "cannot_be",
            "zh": "所说的情况下不会以这张牌和牌",
            "en": "under these circumstances nobody wins on it",
        }
    if not scores:
        return {
            "code": "no_copy",
            "zh": "四张都已看到，没有可和的牌",
            "en": "all four copies are visible",
        }
    reasons = {scored.reason for scored in scores}
    if reasons != {"below_minimum"}:
        texts = [refusal_text(str(reason)) for reason in sorted(map(str, reasons - {"below_minimum"}))]
        return {
            "code": "refused",
            "zh": "规则不允许：" + "、".join(zh for zh, _ in texts),
            "en": "refused by the rules: " + ", ".join(en for _, en in texts),
        }
    least = variant.minimum(options)
    most = max(scored.minimum_total for scored in scores)
    flowers = any(scored.total != scored.minimum_total for scored in scores)
    return {
        "code": "below_minimum",
        "most": most,
        "minimum": least,
        "zh": f"最多 {most} 分，不够起和 {least} 分" + ("（花牌不计）" if flowers else ""),
        "en": f"at most {most}, below the minimum of {least}" + (" (flowers left out)" if flowers else ""),
    }


# ---- useful tiles ----


def _useful(hand: Hand, melds: int, shape: Shape) -> list[Tile]:
    """Return the kinds that bring the shape nearer and of which the own hand, melds too, lacks a copy."""
    useful = useful_tiles(hand.counts, melds, (shape,))
    return [tile for tile in useful if hand.tiles.count(tile) < tile.copies]


def _shape_detail(shape: Shape, hand: Hand, melds: int, seen: tuple[Tile, ...]) -> dict[str, Any]:
    useful = {
        str(tile): tile.copies - hand.tiles.count(tile) - seen.count(tile)
        for tile in _useful(hand, melds, shape)
    }
    return {
        "shape": shape.key,
        "name": shape.zh,
        "en": shape.en,
        "shanten": shanten(hand.counts, melds, (shape,)),
        "useful": useful,
        "live": sum(useful.values()),
    }


def _texts(tiles: tuple[Tile, ...] | list[Tile]) -> list[str]:
    return [str(tile) for tile in tiles]
