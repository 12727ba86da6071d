"""One evaluation from its order to its figures: which parts, on what, judged by whom."""

from __future__ import annotations

import datetime
import os
import platform
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import onnxruntime as ort

from . import given, places, timing, twin
from .bench import Bench, PartMissing
from .judges import Judges
from .peer import PEER, Peer
from .photos import NoPhotos, Photos
from .targets import missed

PARTS: Mapping[str, Callable[[Bench], dict[str, Any]]] = {
    "crops": given.crops,
    "turned": given.turned,
    "nothing": given.nothing,
    "rows": places.rows,
    "scenes": places.scenes,
    "crop_sweep": given.sweep,
    "row_sweep": places.sweep,
    "time": timing.time,
    "twin": twin.twin,
}
"""Name -> what makes its figures, in the order of the report."""
WITHOUT_PHOTOS = frozenset({"twin"})
WHOLE_PHOTOS = frozenset({"rows", "scenes", "row_sweep", "time"})
DEFAULT_DATA = Path("../shared/data")
DEFAULT_OUT = Path(".deps/evaluation")
PEER_ENVIRONMENT = Path(".deps/peer/venv")


@dataclass(frozen=True, slots=True)
class Order:
    """What to evaluate.

    Args:
        data: folder of the labelled photographs, None = none: only the parts that need none.
        models: folder of models or of folds, None = the packaged models.
        peer: environment of the peer, None = without it. parts: empty = all.
        out: folder for what is made on the way. threads: of each net, but for the part `time`.
        unseen: only the sets that the models which judge them never saw.
    """

    data: Path | None = DEFAULT_DATA
    models: Path | None = None
    peer: Path | None = None
    parts: tuple[str, ...] = ()
    out: Path = DEFAULT_OUT
    quick: bool = False
    seed: int = 1
    hands: int = 500
    threads: int = 2
    unseen: bool = False


def chosen(order: Order) -> tuple[str, ...]:
    """Return the parts that an order asks for, in the order of the report.

    Raises:
        PartMissing: if it names one that does not exist.
    """
    unknown = sorted(set(order.parts) - set(PARTS))
    if unknown:
        raise PartMissing(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    asked = order.parts or (tuple(PARTS) if order.data is not None else tuple(WITHOUT_PHOTOS))
    return tuple(name for name in PARTS if name in asked)


def evaluate(
    order: Order,
    say: Callable[[str], None] = lambda text: None,
    keep: Callable[[dict[str, Any]], None] = lambda figures: None,
) -> dict[str, Any]:
    """Return the figures of an order, ready for JSON.

    Args:
        say: told what is being done. keep: given the figures so far after each part, which takes minutes to
            hours: what a later part trips over costs only that part.
    Raises:
        VisionError: photographs, models, peer or twin are missing, by its kind.
    """
    parts = chosen(order)
    photos = None if order.data is None or not set(parts) - WITHOUT_PHOTOS else Photos(order.data)
    order.out.mkdir(parents=True, exist_ok=True)
    before = cv2.getNumThreads()
    cv2.setNumThreads(order.threads)
    try:
        with Judges(order.models, order.threads) as judges, _peer(order) as peer:
            if order.unseen and photos is not None:
                photos = unseen_only(photos, judges, parts)
            bench = Bench(photos, judges, peer, order.quick, order.seed, order.hands, order.out, say)
            figures: dict[str, Any] = {"about": _about(order, bench, parts)}
            for name in parts:
                started = time.monotonic()
                figures[name] = PARTS[name](bench)
                figures[name]["seconds"] = round(time.monotonic() - started, 1)
                figures["about"]["peer_refused"] = 0 if peer is None else peer.refused
                figures["missed"] = missed(figures)
                keep(figures)
                say(f"{name}: {figures[name]['seconds']} s")
    finally:
        cv2.setNumThreads(before)
    return figures


def unseen_only(photos: Photos, judges: Judges, parts: Collection[str]) -> Photos:
    """Return the crops of the sets that the judging namers never saw, and the photos that finders did not
    either.

    Raises:
        NoPhotos: if the models saw them all, or do not tell.
    """
    crops, whole = judges.unseen(photos.sets, crops=True), judges.unseen(photos.sets)
    if not crops or (WHOLE_PHOTOS & set(parts) and not whole):
        raise NoPhotos("the models saw all sets of these photographs, or do not tell which")
    return Photos(photos.root, crops, whole)


def _peer(order: Order) -> AbstractContextManager[Peer | None]:
    return nullcontext() if order.peer is None else Peer(order.peer, order.threads)


def _about(order: Order, bench: Bench, parts: Collection[str]) -> dict[str, Any]:
    """Return who judged what, and on which machine. Of sets whose photos are not looked at only the given
    crops are judged, and there only the namer matters."""
    sets = () if bench.data is None else bench.data.sets
    whole = set() if bench.data is None or not WHOLE_PHOTOS & set(parts) else bench.data.photographed
    judges = bench.judges
    unseen = [name for name in sets if judges.unseen((name,), crops=name not in whole)]
    return {
        "when": datetime.datetime.now(datetime.UTC).isoformat(timespec="minutes"),
        "models": [
            {
                "name": models.name,
                "namer": models.namer,
                "int8": models.is_int8,
                "namer_saw": None if models.namer_saw is None else sorted(models.namer_saw),
                "finder_saw": None if models.finder_saw is None else sorted(models.finder_saw),
            }
            for models in judges.models
        ],
        "judged_by": {name: judges.models_for(name, crops=name not in whole).name for name in sets},
        "sets": list(sets),
        "unseen": unseen,
        "unseen_crops": list(judges.unseen(sets, crops=True)),
        "peer": PEER if order.peer is not None else None,
        "quick": order.quick,
        "seed": order.seed,
        "threads": order.threads,
        "thresholds": {models.name: judges.reader(models).eyes.tile_threshold for models in judges.models},
        "machine": f"{platform.machine()}, {os.cpu_count()} CPU",
        "load": round(os.getloadavg()[0], 2),
        "onnxruntime": ort.__version__,
        "opencv": cv2.__version__,
    }
