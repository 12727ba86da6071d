"""The tile text of DESIGN section 5: what it accepts, how it prints, what it refuses and where."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import InvalidHand
from rules.hand import Hand, Meld, MeldKind
from rules.notation import NotationError, format_hand, format_tiles, parse_hand, parse_tiles
from rules.tiles import TILES, Tile

# (text, canonical text)
ACCEPTED = [
    ("[123m,1](5555p) 678s EE 23m + 4m", "[123m,1](5555p) 23m 678s EE + 4m"),
    ("[555p]", "[555p]"),
    ("[5555p] 1m", "[5555p] 1m"),
    ("[5555p+] 1m", "[5555p+] 1m"),
    ("[5555p+,2] 1m", "[5555p+,2] 1m"),
    ("(5555p) 1m", "(5555p) 1m"),
    ("[EEE,3] 1m", "[EEE,3] 1m"),
    ("NNN1234m", "1234m NNN"),
    ("12m 5p 3m", "123m 5p"),
    ("1 2 m", "12m"),
    ("  1m  +  2 m ", "1m + 2m"),
    ("[ 1 2 3 m , 1 ] 4m", "[123m,1] 4m"),
    ("[1m2m3m] 4m", "[123m] 4m"),
    ("[312m] 4m", "[123m] 4m"),
    ("PFCNWSE", "ESWNCFP"),
    ("hgfedcba 1m", "1m abcdefgh"),
    ("1s1p1m", "1m 1p 1s"),
    ("19m19p19sESWNCFP+P", "19m 19p 19s ESWNCFP + P"),
]


@pytest.mark.parametrize(("text", "canonical"), ACCEPTED)
def test_accepts_and_prints(text: str, canonical: str) -> None:
    hand = parse_hand(text)
    assert format_hand(hand) == canonical
    assert parse_hand(canonical) == hand


# (text, 0-based position, words of the message)
REFUSED = [
    ("", 0, "no tiles"),
    ("   ", 0, "no tiles"),
    ("+", 0, "no winning tile"),
    ("123m +", 5, "no winning tile"),
    ("1z", 1, "z digits"),
    ("123m 55z", 7, "z digits"),
    ("z", 0, "z digits"),
    ("m", 0, "without digits"),
    ("12mm", 3, "without digits"),
    ("123", 0, "digits without a suit"),
    ("123 E", 0, "digits without a suit"),
    ("123x", 3, "'x' is no suit"),
    ("0m", 0, "red five"),
    ("12340s", 4, "red five"),
    ("D", 0, "'D' is no tile"),
    ("1m ; 2m", 3, "no tile"),
    ("1m\t2m", 2, "no tile"),
    ("五万", 0, "'五' is no tile"),
    ("1M", 1, "'M' is no suit"),
    ("一万", 0, "'一' is no tile: m=万 p=饼 s=条"),
    ("1万", 1, "'万' is no suit: the suits are m=万 p=饼 s=条"),
    ("123m 东东", 5, "E S W N = 东南西北"),
    ("123m 白", 5, "C=中 F=发 P=白"),
    ("１23m", 0, "as on an English keyboard"),
    ("【123m】", 0, "brackets as on an English keyboard"),
    ("[123m，1] 1m", 5, "as on an English keyboard"),
    ("1m ＋ 2m", 3, "as on an English keyboard"),
    ("ee 1m", 1, "a second e, of which there is one: winds and dragons are capital letters"),
    ("1m ff", 4, "a to h are flowers"),
    ("pp", 0, "the white dragon is a capital P"),
    ("123m ss", 5, "south is a capital S"),
    ("123m ww", 5, "'w' is no tile: winds and dragons are capital letters"),
    ("nn", 0, "'n' is no tile: winds and dragons are capital letters"),
    ("10m", 1, "ranks are 1 to 9, there is no 10"),
    ("[ESW] 1m", 0, "not a chow"),
    ("[CFP] 1m", 0, "not a chow"),
    ("[891m] 1m", 0, "not a chow"),
    ("[124m] 1m", 0, "not a chow"),
    ("[12m3p] 1m", 0, "not a chow"),
    ("[11m] 1m", 0, "not a chow"),
    ("[] 1m", 0, "nothing is not a chow"),
    ("[aaa] 1m", 2, "a second a"),
    ("[abc] 1m", 0, "not a chow"),
    ("[123m", 0, "without its closing ']'"),
    ("[123m 456m)", 0, "without its closing ']'"),
    ("[123m) 1m]", 5, "')'"),
    ("[123m [456m]", 6, "expected before"),
    ("123m]", 4, "without its opening"),
    ("(5555p", 0, "without its closing ')'"),
    ("(555p) 1m", 0, "only a kong is declared concealed"),
    ("(123m) 1m", 0, "only a kong is declared concealed"),
    ("(5555p,2) 1m", 6, "no source"),
    ("(5555p+) 1m", 6, "no plus"),
    ("[555p+] 1m", 0, "only a kong can be added"),
    ("[123m+] 1m", 0, "only a kong can be added"),
    ("[111m,0] 1p", 6, "source is 1"),
    ("[111m,4] 1p", 6, "source is 1"),
    ("[111m,] 1p", 6, "source is 1"),
    ("[111m,12] 1p", 7, "not expected"),
    ("[111m,1+] 1p", 7, "not expected"),
    ("[123m,2] 1p", 0, "upper seat"),
    ("[123m,3] 1p", 0, "upper seat"),
    ("123 456m", 0, "digits without a suit (m p s): 123"),
    ("EE 12  34p", 3, "digits without a suit (m p s): 12"),
    ("11111m", 4, "a fifth 1m"),
    ("[5555p] 5p", 8, "a fifth 5p"),
    ("1111m + 1m", 8, "a fifth 1m"),
    ("EEEEE", 4, "a fifth E"),
    ("aa", 1, "a second a"),
    ("1m ++ 2m", 4, "second plus"),
    ("1m + 2m + 3m", 8, "second plus"),
    ("1m + 23m", 6, "more than one winning tile"),
    ("1m + EE", 6, "more than one winning tile"),
    ("1m + [123m]", 3, "no winning tile"),
    ("1m [123m]", 3, "melds stand before"),
    ("1m + 2m [123m]", 8, "melds stand before"),
]


@pytest.mark.parametrize(("text", "position", "words"), REFUSED)
def test_refuses_with_the_position(text: str, position: int, words: str) -> None:
    with pytest.raises(NotationError, match=words.replace("(", r"\(").replace(")", r"\)")) as caught:
        parse_hand(text)
    assert (caught.value.position, caught.value.code) == (position, "invalid")
    assert f"at character {position + 1}" in str(caught.value)


def test_very_long_text_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="longer than"):
        parse_hand("1m" * 100_000)


def test_lists_of_tiles() -> None:
    assert format_tiles(parse_tiles("NNN 1234m 5m C")) == "12345m NNNC"
    assert parse_tiles("") == ()
    with pytest.raises(NotationError):
        parse_tiles("[123m]")
    with pytest.raises(NotationError):
        parse_tiles("1m + 2m")


def test_a_hand_holds_no_fifth_copy_however_it_is_made() -> None:
    east = Tile.parse("E")
    with pytest.raises(InvalidHand, match="more than 4 of E"):
        Hand((), (east,) * 4, east)
    with pytest.raises(InvalidHand, match="is not a chow"):
        Meld(MeldKind.CHOW, (east,) * 3)
    with pytest.raises(InvalidHand, match="upper seat"):
        Meld(MeldKind.CHOW, parse_tiles("123m"), 2)


# ---- properties ----


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    kind = draw(st.sampled_from(MeldKind))
    source = draw(st.sampled_from([None, 1, 2, 3]))
    if kind is MeldKind.CHOW:
        first = draw(st.sampled_from([index for index in range(27) if index % 9 <= 6]))
        return Meld(kind, TILES[first : first + 3], draw(st.sampled_from([None, 1])))
    tile = TILES[draw(st.integers(0, 33))]
    size = 3 if kind is MeldKind.PUNG else 4
    return Meld(kind, (tile,) * size, None if kind is MeldKind.CONCEALED_KONG else source)


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Any hand the grammar can say: melds, concealed tiles, perhaps a winning tile, no extra copies."""
    used: Counter[Tile] = Counter()
    chosen = []
    for meld in draw(st.lists(melds(), max_size=4)):
        if all(used[tile] + count <= 4 for tile, count in Counter(meld.tiles).items()):
            chosen.append(meld)
            used.update(meld.tiles)
    concealed = []
    for tile in draw(st.lists(st.sampled_from(TILES), min_size=1, max_size=17)):
        if used[tile] < tile.copies:
            concealed.append(tile)
            used[tile] += 1
    rest = [tile for tile in TILES if used[tile] < tile.copies]
    win_tile = draw(st.none() | st.sampled_from(rest))
    if not chosen and not concealed:
        concealed, win_tile = [TILES[0]], None
    return Hand(tuple(chosen), tuple(concealed), win_tile)


@given(hands())
def test_parse_of_print_is_identity(hand: Hand) -> None:
    text = format_hand(hand)
    assert parse_hand(text) == hand
    assert format_hand(parse_hand(text)) == text


@given(hands(), st.data())
def test_spaces_mean_nothing(hand: Hand, data: st.DataObject) -> None:
    spaced = "".join(char + " " * data.draw(st.integers(1, 2)) for char in format_hand(hand))
    assert parse_hand(spaced) == hand


@given(st.text(alphabet="0123456789mpszESWNCFPabhX[]()+,;\n 五", max_size=24))
def test_any_other_text_is_refused_with_a_position_inside_it(text: str) -> None:
    hand, position = None, 0
    try:
        hand = parse_hand(text)
    except NotationError as error:
        position = error.position
    assert 0 <= position <= len(text)
    if hand is not None:
        assert parse_hand(format_hand(hand)) == hand
        assert not set(text) & set("0zX;\n五")


@given(hands(), st.data())
def test_one_foreign_character_anywhere_is_refused(hand: Hand, data: st.DataObject) -> None:
    text = format_hand(hand)
    place = data.draw(st.integers(0, len(text)))
    char = data.draw(st.sampled_from("zZX;.-|\n0五"))
    with pytest.raises(NotationError):
        parse_hand(text[:place] + char + text[place:])
