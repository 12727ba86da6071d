"""The peer, `mahjong-detector`, as a process of its own: one JSON object a line in, one out.

Run by the Python of the peer's own environment and never imported by ours: the peer's model says of itself
that it is AGPL-3.0. In: {"png": base64}; out: {"tiles": [{"tile", "box", "score"}], "ms"}, or {"error"}.
`ms` is what `see tiles` times too: decoded pixels to answer. Names are ours, boxes in pixels of the picture.
"""

from __future__ import annotations

import base64
import importlib
import io
import json
import os
import sys
import time
from typing import Any

HONORS = {"tou": "E", "nan": "S", "sha": "W", "pe": "N", "chun": "C", "hatsu": "F", "haku": "P"}


def session(threads: int) -> Any:
    """Give the peer a session with as many threads as ours has; returns its module `predict`."""
    runtime = importlib.import_module("onnxruntime")
    predict = importlib.import_module("mahjong_detector.predict")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    predict.threadlocal.session = runtime.InferenceSession(
        predict.model_path, options, providers=["CPUExecutionProvider"]
    )
    return predict


def answer(line: str, predict: Any, preprocess: Any, pillow: Any) -> dict[str, Any]:
    """Return the peer's answer to one line."""
    image = pillow.open(io.BytesIO(base64.b64decode(json.loads(line)["png"])))
    image.load()
    started = time.perf_counter()
    found = predict.predict(*preprocess.preprocess_image(image))
    took = (time.perf_counter() - started) * 1000
    tiles = []
    for one in found:
        name = predict.CLASS_NAMES[one.class_id]
        box = [int(one.x1), int(one.y1), int(one.x2 - one.x1), int(one.y2 - one.y1)]
        tiles.append({"tile": HONORS.get(name, name), "box": box, "score": float(one.confidence)})
    return {"tiles": tiles, "ms": took}


def main() -> None:
    """Answer lines until there are no more; whatever the peer prints itself goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    predict = session(int(sys.argv[1]))
    preprocess = importlib.import_module("mahjong_detector.preprocess")
    pillow = importlib.import_module("PIL.Image")
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            told = answer(line, predict, preprocess, pillow)
        except Exception as error:  # whatever the peer trips over is its answer
            told = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(told), file=answers, flush=True)


if __name__ == "__main__":
    main()
