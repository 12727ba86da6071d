"""How long a hand region of 14 to 18 tiles takes, ours and the peer's in turn on the same pictures."""

from __future__ import annotations

import math
import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from . import cuts
from .bench import Bench
from .cuts import Picture
from .judges import Judges
from .peer import Peer
from .photos import Photo, is_ordinary
from .places import real_rows

THREADS = 2
ROUNDS = 3
BORDER = 0.6
HANDS_PER_PHOTO = 2


def regions(bench: Bench) -> list[tuple[str, Photo, Picture]]:
    """Return hand regions: all real rows of 14 to 18 tiles, and hands put together from the rows of each
    photo."""
    made: list[tuple[str, Photo, Picture]] = []
    photos = bench.sample(bench.photos.photos, 3, "time")
    for photo, row in real_rows(photos):
        if len(row) in cuts.HAND and is_ordinary(row):
            rng = bench.rng("timed row", photo.path.name, row[0].row)
            made.append(("row", photo, cuts.cut_row(bench.picture(photo.path), row, BORDER, rng)))
    for photo in photos:
        rows = photo.rows()
        for number in range(1 if bench.quick else HANDS_PER_PHOTO):
            rng = bench.rng("timed hand", photo.path.name, number)
            count, start = int(rng.choice(cuts.HAND)), int(rng.integers(len(rows)))
            if len(photo.tiles) >= count:
                image = bench.picture(photo.path)
                made.append(("hand", photo, cuts.hand_region(image, rows, start, count, BORDER, rng)))
    return made[:: 8 if bench.quick else 1]


def time(bench: Bench) -> dict[str, Any]:
    """Return milliseconds an image with two threads, pixels to answer as `see` times them; with a peer also
    the ratio of the medians and the median of the ratios, on the pictures that both answered."""
    pictures = regions(bench)
    ours: list[float] = []
    peer: list[float] = []
    widths = [picture.image.shape[1] for _, _, picture in pictures]
    with Judges(bench.judges.folder, THREADS) as judges, _two_threads(bench.peer) as other:
        for _ in range(1 if bench.quick else ROUNDS):
            for _, photo, picture in pictures:
                ours.append(judges.of(photo.set).look(picture.image).ms)
                if other is not None:
                    peer.append(other.look(picture.image).ms or math.nan)  # what it refused took no time
    told: dict[str, Any] = {
        "regions": len(pictures),
        "rows": sum(kind == "row" for kind, _, _ in pictures),
        "width_px": [min(widths, default=0), max(widths, default=0)],
        "threads": THREADS,
        "load": round(os.getloadavg()[0], 2),
        **_times(ours),
    }
    answered = [(own, its) for own, its in zip(ours, peer, strict=False) if not math.isnan(its)]
    if answered:
        own, its = (np.array(column) for column in zip(*answered, strict=True))
        told["peer"] = _times(list(its))
        told["ratio"] = round(float(np.median(own) / np.median(its)), 3)
        told["paired_ratio"] = round(float(np.median(own / its)), 3)
    return told


def _two_threads(peer: Peer | None) -> AbstractContextManager[Peer | None]:
    return nullcontext() if peer is None else Peer(peer.environment, THREADS)


def _times(values: list[float]) -> dict[str, float | None]:
    if not values:  # nothing was timed: no target is met by that
        return {"median_ms": None, "p95_ms": None}
    return {
        "median_ms": round(float(np.median(values)), 2),
        "p95_ms": round(float(np.percentile(values, 95)), 2),
    }
