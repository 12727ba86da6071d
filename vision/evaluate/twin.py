"""Figures of hands on the twin's table, seen by cameras in many poses and lights.

The frames are rendered by the twin's own command in a process of its own; here only its pictures and labels
are read.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

from vision.calibration import calibrate
from vision.errors import MarksNotFound
from vision.readings import BACK
from vision.sources import decode

from .bench import Bench
from .frames import Figures, NoFrames, evaluate, labelled, read_frame
from .metrics import part
from .peer import Peer

RENDERER = "hardware.twin.renderer.samples"
DRAWN_BY = ("twin/renderer/*.py", "twin/scene.py", "tiles/raster.py", "tiles/faces/*.svg", "table/*.toml")
TILT_DEG = 20
"""Cameras stand up to so far off the vertical, and their pictures are turned by as much."""
PER_LOOK = 4
"""Frames with one camera and light: making one costs more than four frames."""
FIRST_SEED = 8_000_000
"""Training uses seeds below a million."""
QUICK_HANDS = 2
PEER_HANDS = 100
TOLD = 40


def frames(bench: Bench, hands: int) -> Path:
    """Return a folder with so many frames, each with one revealed hand; frames that are there are used again
    while what draws them is the same."""
    first = FIRST_SEED + 10_000 * bench.seed
    folder = bench.keep / f"twin-{first}-{hands}-{TILT_DEG}-{drawn_by()}"
    done = folder / "done"
    if done.is_file():
        return folder
    bench.say(f"twin: renders {hands} frames")
    options = ["--n", str(hands), "--seed", str(first), "--out", str(folder), "--kind", "reveal"]
    options += ["--tilt", str(TILT_DEG), "--per-look", str(PER_LOOK)]
    ended = subprocess.run(
        [sys.executable, "-m", RENDERER, *options], capture_output=True, text=True, check=False
    )
    if ended.returncode:
        last = (ended.stderr.strip() or "no reason given").splitlines()[-1]
        raise NoFrames(f"the twin rendered no frames: {last}")
    done.touch()
    return folder


def drawn_by() -> str:
    """Return a digest of what the frames are drawn by.

    Read as data, as `vision.table` does: the twin is another process, and nobody imports it.
    """
    hardware = Path(str(files("hardware")))
    made_of = sorted(path for pattern in DRAWN_BY for path in hardware.glob(pattern))
    whole = hashlib.sha256()
    for path in made_of:
        whole.update(f"{path.relative_to(hardware).as_posix()}\0".encode() + path.read_bytes())
    return whole.hexdigest()[:12]


def twin(bench: Bench) -> dict[str, Any]:
    """Return how many revealed hands are read exactly, and what was wrong though sure."""
    folder = frames(bench, QUICK_HANDS if bench.quick else bench.hands)
    figures = Figures()
    evaluate(bench.judges.any.eyes, folder, figures)
    counts = figures.counts
    hands = counts["frames"]  # a frame whose marks are not found is a hand that is not read
    told = {
        "hands": hands,
        "hands_exact": counts["hand_exact"],
        "hands_exact_part": part(counts["hand_exact"], hands),
        "hands_wrong_and_confident": counts["hand_wrong_and_confident"],
        "bare_zones_wrong_and_confident": counts["bare_zones_wrong_and_confident"],
        "frames_without_marks": counts["frames_without_marks"],
        "tilt_deg": TILT_DEG,
        "counts": figures.summary(),
        "wrong": figures.wrong[:TOLD],
    }
    if bench.peer is not None:
        told["peer"] = against_peer(bench, bench.peer, folder)
    return told


def against_peer(bench: Bench, peer: Peer, folder: Path) -> dict[str, Any]:
    """Return in how many hands the peer names the faces that lie there, order and layout left out.

    It gets what is kept as evidence: the hand's zone alone, seen from straight above, upright for its player.
    """
    exact = hands = 0
    for row in list(labelled(folder))[:PEER_HANDS]:
        image = read_frame(folder, row)
        try:
            calibration = calibrate(image)
        except MarksNotFound:
            continue
        view = decode(bench.judges.any.eyes.evidence(image, calibration, row["side"]))
        due = Counter(tile["face"] for tile in row["tiles"] if tile["zone"] == row["side"])
        due.pop(BACK, None)
        hands += 1
        exact += Counter(item.face for item in peer.look(view).found) == due
    return {"hands": hands, "hands_exact": exact, "hands_exact_part": part(exact, hands)}
