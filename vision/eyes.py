"""The eyes: models loaded once, readings of a calibrated frame (or, for tiles and dice, of any picture)."""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from . import anypicture, looks
from .calibration import Calibration
from .crops import cut, whole_matrix
from .detect import Detector
from .dice import DICE_EXPECTED, DICE_PX_PER_MM, DiceFinder, DieSpot
from .enrol import learnt_again
from .enrolment import Enrolment, load_enrolment
from .errors import EnrolmentRefused
from .finder import FIND_PX_PER_MM, TileFinder
from .hand import Laid, read_layout
from .lamp import read_lamp
from .light import lit
from .namer import FaceVote, TileNamer
from .nets import THREADS, Backend, told_number
from .readings import (
    BACK,
    UNSURE,
    DiceReading,
    DieReading,
    HandReading,
    LampReading,
    TileReading,
    WallReading,
)
from .spots import SIDEWAYS_FROM_DEG, crop_of, die_box, inside, picture_angle, read_from, tile_box
from .table import SIDES, Zone, geometry, to_local, zone
from .tiles import UNKNOWN, Seen, Spot
from .wall import STACK_HEIGHT_MM, count_stacks
from .whole import name_whole

Image = NDArray[np.uint8]
Matrix = NDArray[np.float64]
Part = Literal["places", "pictures", "faces", "dice"]
PARTS: tuple[Part, ...] = ("places", "faces", "dice")

log = logging.getLogger(__name__)

TILE_THRESHOLD = 0.80
"""Least score of an answered tile (chance of its face times chance of its place). On 410 fresh frames all
29,710 faces and 11,534 backs reach it, none wrong."""
DIE_THRESHOLD = 0.80
"""Least score of an answered die. On 410 fresh frames every die reaches it, none wrong; the least: 0.92."""
SURE_HEAT = 0.55
"""Heat of the finder above which a place counts as certain; 99.9 % of the tiles of fresh frames have more."""
SURE_BACK_HEAT = 0.45
"""The same for a tile face down. Lower, because backs beside faces are rare in training (the least of 210
fresh hands: 0.47), and a back that is none cannot make a hand: it only fits at a concealed kong's ends."""
NO_TILE = 0.6
"""Chance of "no known face" from which a place on the open table is left out: dice, lamps and marks look a
little like tiles to the finder. In a hand zone nothing is left out: there it is answered "?"."""
WELL_MM = 85.0
"""Nothing nearer to the table's centre is a tile: there are the dice and the dome."""
ON_TILE_MM = 24.0
"""What looks like a die nearer than this to a tile's centre is printed on the tile: half a tile's diagonal is
25, and a die beside a tile lies 25 and more away."""
TILE_IN_WELL_HEAT = 0.62
"""Heat of the finder from which a tile lies in the dice well: 24 tiles laid there have 0.71 and more."""
CORNER_MM = 370.0
"""Nothing farther out than this in both directions is a tile: there are the marks."""
TILE_TOP_MM = 22.0
DIE_TOP_MM = 20.0
EVIDENCE_QUALITY = 85
EVIDENCE_PX_PER_MM = 1.6
GUESSES = 5
"""Faces kept of each tile: what the rules of a hand may choose among."""
HAND_TILES = 14


class Eyes:
    """Reads tiles, dice, lamps and walls.

    Args:
        threshold: least score for tiles and dice; below it the answer is "?" or None. None = what the models
            were measured for.
        threads: of each net.
        models: folder of the models; None = those of the package.
        backend: what runs them (see `nets.Net`).
        enrolment: what a club's own tiles look like (see `enrol`), or the file of it; one that cannot be
            used is told once and left out.

    A net is loaded when it is first needed, or by `warm_up`.
    """

    def __init__(
        self,
        threshold: float | None = None,
        threads: int = THREADS,
        *,
        models: Path | None = None,
        backend: Backend = "onnxruntime",
        enrolment: Path | Enrolment | None = None,
    ) -> None:
        self._threshold = threshold
        self._threads = threads
        self._models: Path | None = models
        self._backend: Backend = backend
        self._enrolment = enrolment
        self.die_threshold = DIE_THRESHOLD if threshold is None else threshold

    @functools.cached_property
    def _finder(self) -> TileFinder:
        return TileFinder(self._threads, models=self._models, backend=self._backend)

    @functools.cached_property
    def _detector(self) -> Detector:
        return Detector(self._threads, models=self._models, backend=self._backend)

    @functools.cached_property
    def namer(self) -> TileNamer:
        """The net that names faces, with what was enrolled."""
        namer = TileNamer(self._threads, models=self._models, backend=self._backend)
        namer.enrolment = self._own_tiles(namer)
        return namer

    @functools.cached_property
    def _dice(self) -> DiceFinder:
        return DiceFinder(self._threads, models=self._models, backend=self._backend)

    @property
    def tile_threshold(self) -> float:
        """Least score of an answered tile."""
        if self._threshold is not None:
            return self._threshold
        return told_number(self.namer.metadata, "threshold", "name", TILE_THRESHOLD)

    def warm_up(self, parts: Collection[Part] = PARTS) -> None:
        """Load these nets and run each once on what a hand zone or the dice well gives it, so that the first
        reading is as fast as the others: the runtimes plan their memory for each size of picture. `pictures`
        (without table marks) is not among the usual ones: a table's service never needs it."""
        if "places" in parts:
            self._finder.find(_blank(zone("hand"), FIND_PX_PER_MM))
        if "pictures" in parts:
            looks.find_tiles(_blank(zone("hand"), FIND_PX_PER_MM), self._detector)
        if "faces" in parts:
            self.namer.name(np.zeros((HAND_TILES, *self.namer.crop_px[::-1], 3), dtype=np.uint8))
        if "dice" in parts:
            self._dice.find(_blank(zone("dice"), DICE_PX_PER_MM))

    def _own_tiles(self, namer: TileNamer) -> Enrolment | None:
        """Return what the namer can use of the enrolment; without it the eyes see as well as any."""
        try:
            stored = load_enrolment(self._enrolment) if isinstance(self._enrolment, Path) else self._enrolment
        except EnrolmentRefused as error:
            log.warning("%s / %s", error.zh, error)
            return None
        usable = None if stored is None else learnt_again(namer, stored)
        if stored is not None and usable is None:
            log.warning(
                "登记是给另一个模型做的，请重新登记 / the enrolment was made for another model: enrol again"
            )
        return usable

    def read_hand(
        self, image: Image, calibration: Calibration, side: int, *, flowers: bool = False
    ) -> HandReading:
        """Return the hand laid face up in the zone of `side` (1-4); an empty zone gives no tiles.

        Args:
            image: (h, w, 3) uint8 BGR, the frame the calibration was made for.
            flowers: the set has flowers: look for those that the player laid aside.
        """
        image = lit(image)
        aside = self._read_flowers(image, calibration, side) if flowers else None
        area = zone("hand")
        seen = self._look(image, calibration, side, area)
        limit = zone("hand_centres")
        inside = [(x, y, item) for item in seen for x, y in [_local(item.spot, area)] if limit.holds(x, y)]
        readings = self._name(image, [read_from(item, 0.0) for _, _, item in inside])
        laid = [
            Laid(reading, x, y, SIDEWAYS_FROM_DEG < item.spot.axis_deg < 180.0 - SIDEWAYS_FROM_DEG)
            for (x, y, item), reading in zip(inside, readings, strict=True)
        ]
        return read_layout(laid, aside, self.tile_threshold)

    def _read_flowers(self, image: Image, calibration: Calibration, side: int) -> list[TileReading]:
        """Return what lies in the flowers' place of `side`, row by row, left to right."""
        area, limit = zone("flowers"), zone("flower_centres")
        seen = [
            read_from(item, 0.0)
            for item in self._look(image, calibration, side, area)
            if limit.holds(*_local(item.spot, area))
        ]
        rows = sorted(geometry()["flowers"]["rows_y"])
        middle_px = (area.y1 - sum(rows) / len(rows)) * FIND_PX_PER_MM
        seen.sort(key=lambda item: (item.spot.y < middle_px, item.spot.x))
        return self._name(image, seen)

    def find_tiles(self, image: Image, calibration: Calibration | None = None) -> list[TileReading]:
        """Return every tile seen: on the whole table of a calibrated frame, or in any picture without
        calibration. A box ends where the picture does."""
        image = lit(image)
        seen = self.places(image, calibration)
        votes = self._votes(image, seen)
        tiles = [pair for pair in zip(seen, votes, strict=True) if pair[1].chance(UNKNOWN) < NO_TILE]
        readings = [self._reading(item, vote) for item, vote in tiles]
        boxes = [inside(reading.box, image) for reading in readings]
        return [replace(reading, box=box) for reading, box in zip(readings, boxes, strict=True) if box]

    def places(self, image: Image, calibration: Calibration | None = None) -> list[Seen]:
        """Return where tiles lie (or what looks so), unnamed: on the table, or in any picture."""
        image = lit(image)
        if calibration is None:
            return looks.find_tiles(image, self._detector)
        area = zone("table")
        return [
            read_from(item, 90.0 * (_side_of(item.spot, area) - 1))
            for item in self._look(image, calibration, 1, area)
            if _can_hold_tiles(*_local(item.spot, area))
        ]

    def crops(self, image: Image, seen: Sequence[Seen]) -> Image:
        """Return the upright crops (n, h, w, 3) of places, as the namer takes them and where it sees them."""
        return self._settled_crops(image, [crop_of(item) for item in seen])

    def whole_crop(self, image: Image) -> Image:
        """Return the crop (1, h, w, 3) of a picture that one upright tile fills."""
        image = lit(image)
        return self._settled_crops(image, [whole_matrix(image)])

    def _settled_crops(self, image: Image, matrices: Sequence[Matrix]) -> Image:
        return cut(image, self.namer.settled(image, matrices), self.namer.crop_px)

    def name_crop(self, image: Image) -> TileReading:
        """Return what the tile is that fills the whole picture, whichever of its edges is up."""
        vote, up_deg = name_whole(image, self.namer)
        height, width = image.shape[:2]
        size = (height, width) if up_deg % 180.0 else (width, height)
        is_back = vote.best(1)[0][0] == BACK
        spot = Spot(width / 2, height / 2, up_deg % 180.0, is_back, 1.0)
        return self._reading(Seen(spot, np.eye(3), up_deg, size), vote)

    def read_dice(self, image: Image, calibration: Calibration | None = None) -> DiceReading:
        """Return the dice in the middle of the table, or anywhere in a picture without calibration."""
        if calibration is None:
            found = [
                DieReading(spot.pips, _die_score(spot), box)
                for spot, box in anypicture.find_dice(image, self._dice)
            ]
            return self._dice_reading(found)
        area = zone("dice")
        view = calibration.rectify(image, 1, area, DICE_PX_PER_MM, DIE_TOP_MM)
        spots = [
            spot
            for spot in self._dice.find(view)
            if math.hypot(*_local(spot, area, DICE_PX_PER_MM)) <= area.x1
        ]
        tiles = self._tiles_in_the_well(image, calibration, area)

        def near(spot: DieSpot) -> Matrix:
            return calibration.view_at(1, area, DICE_PX_PER_MM, DIE_TOP_MM, (spot.x, spot.y))

        free = [
            spot
            for spot in spots
            if all(math.dist(_local(spot, area, DICE_PX_PER_MM), tile) > ON_TILE_MM for tile in tiles)
        ]
        return self._dice_reading(
            [DieReading(spot.pips, _die_score(spot), die_box(spot, near(spot))) for spot in free]
        )

    def _tiles_in_the_well(
        self, image: Image, calibration: Calibration, area: Zone
    ) -> list[tuple[float, float]]:
        """Return the centres of tiles that lie where dice belong: the balls of 2p to 5p look like pips."""
        view = calibration.rectify(image, 1, area, FIND_PX_PER_MM, TILE_TOP_MM)
        return [_local(spot, area) for spot in self._finder.find(view, TILE_IN_WELL_HEAT)]

    def read_lamp(self, image: Image, calibration: Calibration) -> LampReading:
        """Return which side's dealer lamp is lit."""
        return read_lamp(image, calibration)

    def read_wall(self, image: Image, calibration: Calibration) -> WallReading:
        """Return the wall stacks left on each side."""
        counts: list[int] = []
        scores: list[float] = []
        area = zone("wall")
        for side in SIDES:
            view = calibration.rectify(image, side, area, FIND_PX_PER_MM, STACK_HEIGHT_MM)
            places = [(*_local(spot, area), spot) for spot in self._finder.find(view)]
            count, score = count_stacks(places)
            counts.append(count)
            scores.append(score)
        first, second, third, fourth = counts
        return WallReading((first, second, third, fourth), round(min(scores), 4))

    def evidence(self, image: Image, calibration: Calibration, side: int, *, flowers: bool = False) -> bytes:
        """Return a JPEG of the hand zone of `side` alone, as that player sees it: nobody else's tiles are in
        it. With `flowers` the place of his flowers stands at its left."""
        view = calibration.rectify(image, side, zone("hand"), EVIDENCE_PX_PER_MM, TILE_TOP_MM / 2)
        if flowers:
            aside = calibration.rectify(image, side, zone("flowers"), EVIDENCE_PX_PER_MM, TILE_TOP_MM / 2)
            size = (round(aside.shape[1] * view.shape[0] / aside.shape[0]), view.shape[0])
            view = np.asarray(np.hstack([cv2.resize(aside, size), view]), dtype=np.uint8)
        packed, jpeg = cv2.imencode(".jpg", view, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
        assert packed
        return jpeg.tobytes()

    def _look(self, image: Image, calibration: Calibration, side: int, area: Zone) -> list[Seen]:
        view = calibration.rectify(image, side, area, FIND_PX_PER_MM, TILE_TOP_MM)
        return [
            Seen(
                spot,
                calibration.view_at(side, area, FIND_PX_PER_MM, TILE_TOP_MM, (spot.x, spot.y)),
                spot.axis_deg,
            )
            for spot in self._finder.find(view)
        ]

    def _name(self, image: Image, seen: Sequence[Seen]) -> list[TileReading]:
        return [self._reading(item, vote) for item, vote in zip(seen, self._votes(image, seen), strict=True)]

    def _votes(self, image: Image, seen: Sequence[Seen]) -> list[FaceVote]:
        return self.namer.name(self.crops(image, seen))

    def _reading(self, item: Seen, vote: FaceVote) -> TileReading:
        """Return the answer for one tile: its best face if that is sure enough, "?" with alternatives if
        not."""
        known = [(face, chance) for face, chance in vote.best(GUESSES + 1) if face != UNKNOWN][:GUESSES]
        if item.spot.is_back:  # a back has nothing to read: "something without a face" agrees with the finder
            shown = vote.chance(BACK) + vote.chance(UNKNOWN)
            known = [(BACK, shown), *((face, chance) for face, chance in known if face != BACK)][:GUESSES]
            known.sort(key=lambda item: -item[1])
        face, chance = known[0]
        score = chance * _place_chance(item.spot)
        if (face == BACK) != item.spot.is_back:
            score *= 0.5  # the two nets disagree about which way up it lies
        is_sure = score >= self.tile_threshold
        up_deg = item.up_deg + (180.0 if vote.is_upside_down and face != BACK else 0.0)
        alternatives = tuple((name, round(value, 4)) for name, value in known)
        return TileReading(
            face if is_sure else UNSURE,
            tile_box(item),
            round(picture_angle(item, up_deg), 1) % 360.0,
            round(score, 4),
            alternatives,
        )

    def _dice_reading(self, found: Sequence[DieReading]) -> DiceReading:
        """Return the dice, left to right; a count that is not two leaves the throw unreadable by `pips`."""
        dice = tuple(
            die if die.score >= self.die_threshold else DieReading(None, die.score, die.box)
            for die in sorted(found, key=lambda die: (die.box[0], die.box[1]))
        )
        score = min((die.score for die in dice), default=0.0) if len(dice) == DICE_EXPECTED else 0.0
        return DiceReading(dice, score)


def _blank(area: Zone, px_per_mm: float) -> Image:
    """Return a black picture of the size that an area has for a net."""
    width, height = round((area.x1 - area.x0) * px_per_mm), round((area.y1 - area.y0) * px_per_mm)
    return np.zeros((height, width, 3), dtype=np.uint8)


def _local(spot: Spot | DieSpot, area: Zone, px_per_mm: float = FIND_PX_PER_MM) -> tuple[float, float]:
    """Return the local millimetres of a spot in the rectified picture of an area."""
    return area.x0 + spot.x / px_per_mm, area.y1 - spot.y / px_per_mm


def _side_of(spot: Spot, area: Zone) -> int:
    """Return the side whose player a tile on the table lies in front of."""
    x, y = _local(spot, area)
    return min(SIDES, key=lambda side: to_local(side, x, y)[1])


def _can_hold_tiles(x: float, y: float) -> bool:
    """Return False for the dice well and for the four corners with their marks."""
    return math.hypot(x, y) > WELL_MM and min(abs(x), abs(y)) < CORNER_MM


def _place_chance(spot: Spot) -> float:
    """Return the chance that a place is a tile: the finder's heat saturates well before 1."""
    return min(1.0, spot.score / (SURE_BACK_HEAT if spot.is_back else SURE_HEAT))


def _die_score(spot: DieSpot) -> float:
    return round(spot.chance * min(1.0, spot.heat / SURE_HEAT), 4)
