"""Tiles lying in a zone become melds, concealed row and winning tile: one row per way of laying."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.hand import Laid, read_layout
from vision.readings import BACK, HandReading, TileReading

ROW, SIDEWAYS, APART, ADDED = -400.0, -405.0, -372.0, -375.0


def tile(face: str, x: float, y: float = ROW, score: float = 0.99) -> Laid:
    turned = y in (SIDEWAYS, ADDED)
    return Laid(
        TileReading(face, (0, 0, 30, 40), 90.0 if turned else 0.0, score, ((face, score),)), x, y, turned
    )


def lay(text: str, left: float = -330.0) -> list[Laid]:
    """Lay a row: `5p` upright, `5p>` sideways, `5p^` added above the sideways tile before it, `-` back,
    `|` a gap of 14 mm, `!5p` the winning tile apart."""
    tiles: list[Laid] = []
    for word in text.split():
        if word == "|":
            left += 14.0
        elif word.endswith("^"):
            tiles.append(tile(word[:-1], tiles[-1].x, ADDED))
        elif word.startswith("!"):
            tiles.append(tile(word[1:], left + 24.0 + 15.0, APART))
        else:
            flat = word.endswith(">")
            width = 40.0 if flat else 30.0
            face = BACK if word == "-" else word.rstrip(">")
            tiles.append(tile(face, left + width / 2, SIDEWAYS if flat else ROW))
            left += width
    return tiles


PLAIN = "1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m"
ROWS = [
    ("no meld", f"{PLAIN} !5m", f"{' '.join(PLAIN.split())} + 5m", ()),
    ("chow", "2m> 1m 3m | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "[1m2m3m,1]", ("chow",)),
    ("pung from upper", "P> P P | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "[PPP,1]", ("pung",)),
    ("pung from opposite", "P P> P | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "[PPP,2]", ("pung",)),
    ("pung from lower", "P P P> | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "[PPP,3]", ("pung",)),
    ("kong, opposite", "5s 5s> 5s 5s | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "[5s5s5s5s,2]", ("exposed_kong",)),
    ("kong from lower", "5s 5s 5s 5s> | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "[5s5s5s5s,3]", ("exposed_kong",)),
    ("added kong", "5s 5s> 5s^ 5s | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "[5s5s5s5s+,2]", ("added_kong",)),
    ("concealed kong", "- 5s 5s - | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", "(5s5s5s5s)", ("concealed_kong",)),
    ("three melds", "P> P P | - 5s 5s - | 1m> 2m 3m | E E 2p 3p !4p",
     "[PPP,1] (5s5s5s5s) [1m2m3m,1] E E 2p 3p + 4p", ("pung", "concealed_kong", "chow")),
    ("four melds, single wait", "P> P P | N> N N | 1m> 2m 3m | 7p 7p 7p> | E !E",
     "[PPP,1] [NNN,1] [1m2m3m,1] [7p7p7p,3] E + E", ("pung", "pung", "chow", "pung")),
]  # fmt: skip


@pytest.mark.parametrize(("laid", "text", "kinds"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_layout(laid: str, text: str, kinds: tuple[str, ...]) -> None:
    hand = read_layout(lay(laid))
    assert hand.is_sure
    assert hand.text.startswith(text)
    assert tuple(meld.kind_hint for meld in hand.melds) == kinds
    assert hand.win_tile is not None
    assert hand.score == pytest.approx(0.99)


def test_a_gap_inside_the_concealed_row_is_no_meld() -> None:
    hand = read_layout(lay("1m 1m 1m | 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m !5m"))
    assert hand.melds == ()
    assert len(hand.concealed) == 13


def test_uneven_rows_are_still_rows() -> None:
    shaken = [
        Laid(one.reading, one.x + (-1) ** at * 2.0, one.y + (at % 3 - 1) * 2.0, one.is_sideways)
        for at, one in enumerate(lay("P> P P | - 5s 5s - | 1m> 2m 3m | E E 2p 3p !4p"))
    ]
    assert read_layout(shaken).text == "[PPP,1] (5s5s5s5s) [1m2m3m,1] E E 2p 3p + 4p"


def test_an_empty_zone_is_an_empty_hand() -> None:
    assert read_layout([]) == HandReading()
    assert not HandReading().is_sure


@pytest.mark.parametrize(
    "laid",
    [
        pytest.param("P> P N | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", id="a meld of strangers"),
        pytest.param("P> P> P | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", id="two sideways"),
        pytest.param("5s 5s - | 4p 5p 6p 7s 8s 9s E E 2p 3p !4p", id="half a concealed kong"),
        pytest.param("1m 1m 1m 2m !5m", id="tiles missing"),
        pytest.param(f"{PLAIN} !5m | | | | | !6m", id="two tiles apart"),
        pytest.param("- - - - - - - - - - - - -", id="face down"),
    ],
)
def test_odd_layouts_are_not_sure(laid: str) -> None:
    assert not read_layout(lay(laid)).is_sure


def test_a_fifth_copy_is_never_sure() -> None:
    hand = read_layout(lay("1m 1m 1m 1m 3m 4m 5m 6m 7m 8m 9m 9m 9m !1m"))
    assert [one.tile for one in hand.tiles].count("?") == 5
    assert not hand.is_sure
    assert hand.score <= 0.5


def test_a_kong_and_another_copy_is_never_sure() -> None:
    hand = read_layout(lay("- 5s 5s - | 5s 6s 7s 7s 8s 9s E E 2p 3p !4p"))
    assert not hand.is_sure


def aside(*faces: str) -> list[TileReading]:
    return [TileReading(face, (0, 0, 30, 40), 0.0, 0.99, ((face, 0.99),)) for face in faces]


FLOWERS = [
    ("nobody looked for them", "", None, "1m", None),
    ("none lies there", "", (), "1m", ()),
    ("three in their place", "", ("e", "a", "h"), "1m", ("e", "a", "h")),
    ("left of the hand, and in their place", "b c | ", ("a",), "1m", ("a", "b", "c")),
    ("what is no flower is not counted as one", "", ("a", "5m"), "1m", ("a", "?")),
    ("a flower seen twice is not believed", "", ("a", "b", "a"), "1m", ("?", "b", "?")),
    ("a doubt stays a doubt", "", ("?", "b"), "1m", ("?", "b")),
]


@pytest.mark.parametrize(
    ("before", "there", "first", "flowers"), [row[1:] for row in FLOWERS], ids=[row[0] for row in FLOWERS]
)
def test_flowers_are_no_part_of_the_hand(
    before: str, there: tuple[str, ...] | None, first: str, flowers: tuple[str, ...] | None
) -> None:
    hand = read_layout(lay(f"{before}{PLAIN} !5m"), None if there is None else aside(*there))
    assert hand.is_sure
    assert hand.concealed[0].tile == first
    assert len(hand.tiles) == 14
    assert (None if hand.flowers is None else tuple(tile.tile for tile in hand.flowers)) == flowers


def test_a_flower_among_the_hand_makes_no_laid_out_hand() -> None:
    hand = read_layout(lay("1m 1m 1m 2m 3m 4m a 5m 6m 7m 8m 9m 9m 9m !5m"), aside())
    assert not hand.is_laid_out
    assert hand.flowers == ()


def doubtful(laid: list[Laid], place: int, **chances: float) -> list[Laid]:
    """The same tiles, one of them seen badly: faces with what the pixels give them."""
    seen = sorted(chances.items(), key=lambda row: -row[1])
    face, chance = seen[0]
    tile = face if chance >= 0.8 else "?"
    laid[place] = replace(
        laid[place], reading=replace(laid[place].reading, tile=tile, score=chance, alternatives=tuple(seen))
    )
    return laid


def faces(**chances: float) -> dict[str, float]:
    """Chances by face: keywords cannot begin with a digit, so `m1` is 1m."""
    return {name[1] + name[0] if len(name) == 2 else name: chance for name, chance in chances.items()}


MELDED = "5p> 5p 5p | 4p 5m 6p 7s 8s 9s E E 2p 3p !4p"
RULES = [
    ("a pung's third tile", MELDED, 2, faces(p6=0.55, p5=0.44), "5p", True),
    ("a pung's third tile, hardly supported", MELDED, 2, faces(p6=0.79, p5=0.2), "5p", False),
    ("a pung's third tile, not supported", MELDED, 2, faces(p6=0.7, p5=0.04), "6p", False),
    ("the fifth 1m", f"{PLAIN} !5m".replace("5m 6m", "1m 6m"), 4, faces(m1=0.55, m7=0.44), "7m", True),
    ("a doubt that no rule settles", f"{PLAIN} !5m", 4, faces(m3=0.55, m2=0.44), "3m", False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("laid", "place", "chances", "best", "is_sure"), [row[1:] for row in RULES], ids=[row[0] for row in RULES]
)
def test_the_rules_of_a_hand_choose_among_what_the_pixels_support(
    laid: str, place: int, chances: dict[str, float], best: str, is_sure: bool
) -> None:
    hand = read_layout(doubtful(lay(laid), place, **chances))
    seen = hand.tiles[place]
    assert (seen.best, seen.is_sure) == (best, is_sure)
    assert seen.alternatives[0][0] == best
    assert seen.score == hand.score
    assert (seen.score >= 0.8) is is_sure


def test_rules_touch_only_whom_they_speak_of() -> None:
    laid = lay(MELDED)
    hand = read_layout(doubtful(laid, 2, **faces(p6=0.55, p5=0.44)))
    assert [tile.score for tile in hand.concealed] == [0.99] * 10


def test_a_place_that_may_be_no_tile_is_not_made_surer_than_it_is() -> None:
    laid = doubtful(lay(MELDED), 2, **faces(p5=0.9, p6=0.09))
    weak = replace(laid[2], reading=replace(laid[2].reading, tile="?", score=0.45))
    hand = read_layout([*laid[:2], weak, *laid[3:]])
    assert not hand.tiles[2].is_sure
    assert hand.tiles[2].score <= 0.5
