"""Figures of pictures with many tiles: real rows on felt, whole photographs, turned rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from . import cuts
from .bench import Bench
from .cuts import Picture
from .matching import Found, Tally, Truth, compare
from .metrics import part
from .photos import FACES, FOREIGN, ORDINARY, Photo, Placed, is_ordinary

BORDERS = (0.0, 0.6, 1.5)
"""Felt round a row, in tile heights."""
SWEEP = (0, 15, 30, 45, 60, 75, 90, 135, 180, 225, 270, 315)
SWEEP_BORDER = 0.6
QUICK_ROWS, QUICK_PHOTOS = 2, 1


def truths(tiles: Iterable[Placed], *, ordinary_only: bool) -> list[Truth]:
    """Return what an answer is held against.

    With `ordinary_only` flowers and foreign tiles do not count, whatever is answered there (the rule of the
    peer, which knows 34 faces). Without it flowers count as every face does, and a foreign tile is no tile to
    read: "?" or silence is right, a face is a wrong answer.
    """
    if ordinary_only:
        return [Truth(tile.face, tile.box, tile.face in ORDINARY) for tile in tiles]
    return [Truth(tile.face, tile.box) for tile in tiles if tile.face in FACES]


def tally_figures(tally: Tally) -> dict[str, Any]:
    """Return the counts and parts of a tally; the parts of nothing are None."""
    return {
        "pictures": tally.pictures,
        "exact": tally.exact,
        "exact_part": part(tally.exact, tally.pictures) if tally.pictures else None,
        "tiles": tally.tiles,
        "answered": tally.answered,
        "right": tally.right,
        "unsure": tally.unsure,
        "recall": round(tally.recall, 5) if tally.tiles else None,
        "precision": round(tally.precision, 5) if tally.tiles else None,
        "localised": part(tally.localised, tally.tiles) if tally.tiles else None,
    }


class Count:
    """Tallies of all pictures and of each set."""

    def __init__(self) -> None:
        self.all = Tally()
        self.sets: dict[str, Tally] = defaultdict(Tally)

    def add(self, set_name: str, tally: Tally) -> None:
        """Count one picture."""
        self.all.add(tally)
        self.sets[set_name].add(tally)

    def figures(self) -> dict[str, Any]:
        """Return pooled figures, the means of the sets, and each set's own."""
        sets = {name: tally_figures(tally) for name, tally in sorted(self.sets.items())}
        told = tally_figures(self.all)
        for key in ("exact_part", "recall", "precision"):
            told_of = {name: row[key] for name, row in sets.items() if row[key] is not None}
            told[f"mean_{key}"] = part(sum(told_of.values()), len(told_of)) if told_of else None
            worst = min(told_of, key=told_of.__getitem__, default="")
            told[f"worst_{key}"] = told_of.get(worst)
            told[f"worst_{key}_set"] = worst
        return told | {"sets": sets}


def real_rows(photos: Iterable[Photo]) -> list[tuple[Photo, tuple[Placed, ...]]]:
    """Return every row that has an ordinary tile."""
    return [
        (photo, row) for photo in photos for row in photo.rows() if any(tile.face in ORDINARY for tile in row)
    ]


def rows(bench: Bench) -> dict[str, Any]:
    """Return the figures of real rows at each felt border: of ordinary rows, and of all rows.

    In the rows with flowers or foreign tiles those do not count (`truths`).
    """
    chosen = bench.sample(real_rows(bench.photos.photos), QUICK_ROWS, "rows")
    told: dict[str, Any] = {}
    for border in BORDERS:
        ours, every, peer = Count(), Count(), Count()
        misread: list[str] = []
        for photo, row in chosen:
            picture = _row_picture(bench, photo, row, border)
            due = truths(picture.tiles, ordinary_only=True)
            found = bench.judges.of(photo.set).look(picture.image).found
            tally = compare(due, found)
            every.add(photo.set, tally)
            if is_ordinary(row):
                ours.add(photo.set, tally)
                if not tally.exact:
                    misread.append(_misread(photo, row, found))
            if bench.peer is not None and is_ordinary(row):
                peer.add(photo.set, compare(due, bench.peer.look(picture.image).found))
        told[str(border)] = ours.figures() | {"every_row": every.figures(), "misread": misread}
        if bench.peer is not None:
            told[str(border)]["peer"] = peer.figures()
        bench.say(f"rows, border {border}: {ours.all.exact} of {ours.all.pictures} exact")
    return told


def _row_picture(bench: Bench, photo: Photo, row: Sequence[Placed], border: float) -> Picture:
    rng = bench.rng("row", photo.path.name, row[0].row, border)
    return cuts.cut_row(bench.picture(photo.path), row, border, rng)


def _misread(photo: Photo, row: Sequence[Placed], found: Sequence[Found]) -> str:
    told = " ".join(item.face for item in sorted(found, key=lambda item: item.box[0] + item.box[2] / 2))
    return f"{photo.path.name} row {row[0].row}: {' '.join(tile.face for tile in row)} | {told}"


def scenes(bench: Bench) -> dict[str, Any]:
    """Return recall and precision on whole photographs, by photo, with both ways to count flowers."""
    ours, strict, peer = Count(), Count(), Count()
    files: dict[str, Any] = {}
    foreign = on_foreign = 0
    for photo in bench.sample(bench.photos.photos, QUICK_PHOTOS, "scenes"):
        image = bench.picture(photo.path)
        looked = bench.judges.of(photo.set).look(image)
        due = truths(photo.tiles, ordinary_only=True)
        tally = _whole(compare(due, looked.found))
        ours.add(photo.set, tally)
        every = truths(photo.tiles, ordinary_only=False)
        strict.add(photo.set, _whole(compare(every, looked.found)))
        strange = [Truth("?", tile.box) for tile in photo.tiles if tile.face == FOREIGN]
        foreign += len(strange)
        on_foreign += _named(strange, looked.found)
        files[photo.path.name] = tally_figures(tally) | {"ms": round(looked.ms, 1)}
        if bench.peer is not None:
            told = bench.peer.look(image)
            tally = _whole(compare(due, told.found))
            peer.add(photo.set, tally)
            files[photo.path.name]["peer"] = tally_figures(tally) | {"ms": round(told.ms, 1)}
    figures = ours.figures() | {
        "files": files,
        "all42": strict.figures(),
        "x": {"n": foreign, "accepted": on_foreign, "accepted_part": part(on_foreign, foreign)},
    }
    if bench.peer is not None:
        figures["peer"] = peer.figures()
    return figures


def _whole(tally: Tally) -> Tally:
    """Return the tally of a photo: it is exact when each tile is read right and nothing else is told."""
    tally.exact = int(tally.is_complete)
    return tally


def _named(strange: Sequence[Truth], found: Sequence[Found]) -> int:
    """Return on how many foreign tiles a sure answer lies."""
    told = [Found("?", item.box) for item in found if item.face != "?"]
    return compare(strange, told).localised


def sweep(bench: Bench) -> dict[str, Any]:
    """Return recall and precision of turned rows, one row of each photo.

    A turned tile's box is the upright box round it, so neighbours' boxes overlap at slanted angles.
    """
    chosen = []
    for photo in bench.sample(bench.photos.photos, QUICK_PHOTOS, "row sweep"):
        ordinary = [row for row in photo.rows() if is_ordinary(row)]
        if ordinary:
            chosen.append(
                (photo, ordinary[int(bench.rng("row of", photo.path.name).integers(len(ordinary)))])
            )
    curve: dict[str, Any] = {}
    for degrees in SWEEP if not bench.quick else (0, 45):
        total, peer = Tally(), Tally()
        for photo, row in chosen:
            flat = _row_picture(bench, photo, row, SWEEP_BORDER)
            picture = cuts.turned(flat, float(degrees), bench.rng("turned row", photo.path.name, degrees))
            due = truths(picture.tiles, ordinary_only=True)
            total.add(compare(due, bench.judges.of(photo.set).look(picture.image).found))
            if bench.peer is not None:
                peer.add(compare(due, bench.peer.look(picture.image).found))
        curve[str(degrees)] = tally_figures(total)
        if bench.peer is not None:
            curve[str(degrees)]["peer"] = tally_figures(peer)
    return {"rows": len(chosen), "degrees": curve}
