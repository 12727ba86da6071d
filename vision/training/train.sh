#!/bin/sh
# Train the three nets of vision/models anew. See README.md beside this file.
#   sh vision/training/train.sh [DATA]      DATA = folder of the shared photographs (optional)
set -eu
data=${1:-}
work=${WORK:-.deps/train}
python=$work/venv/bin/python
render=.venv/bin/python
sh hardware/pi/system-packages.sh train || echo "train: without those fonts the drawn sets look less different than makers' are" >&2
if [ ! -x "$python" ]; then
    python3 -m venv "$work/venv"
    "$python" -m pip install -q torch==2.13.0 onnx==1.23.2 numpy==2.4.6 opencv-python-headless==5.0.0.93 onnxruntime==1.32.0 fonttools==4.68.0
fi
frames() {  # name seed count options...
    name=$1 seed=$2 count=$3
    shift 3
    [ -f "$work/frames/$name/done" ] || {
        nice -n 10 "$render" -m hardware.twin.renderer.samples --n "$count" --seed "$seed" --out "$work/frames/$name" "$@"
        touch "$work/frames/$name/done"
    }
}
frames varied 100000 260
frames calm 200000 60 --calm
frames empty 300000 400 --kind empty --per-look 6
frames held_calm 900000 40 --calm
frames held_varied 910000 40
nice -n 10 "$python" -m vision.training.prepare --out "$work/set" ${data:+--data "$data"} \
    --frames "$work/frames/varied" "$work/frames/calm" "$work/frames/empty"
nice -n 10 "$python" -m vision.training.prepare --out "$work/held" \
    --frames "$work/frames/held_calm" "$work/frames/held_varied"
for net in find name dice; do
    nice -n 10 "$python" -m "vision.training.train_$net" --data "$work/set" --out "$work/run"
done
nice -n 10 "$python" -m vision.training.check_name --data "$work/held" --net "$work/run/name.pt" --out "$work/run/name.onnx"
cp "$work/run/find.onnx" "$work/run/name.onnx" "$work/run/dice.onnx" vision/models/
"$render" -m vision.evaluate "$work/frames/held_calm" "$work/frames/held_varied" --wrong
