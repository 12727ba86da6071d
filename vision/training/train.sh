#!/bin/sh
# Train the eyes anew, from the repository and the shared photographs alone. See README.md beside this file.
#   sh vision/training/train.sh [DATA] [fold N | final | calibrate | all]
# DATA = folder of the shared photographs, default ../shared/data. WORK = where everything is kept, .deps/train.
set -eu
data=${1:-../shared/data}
[ $# -gt 0 ] && shift
what=${*:-all}
work=${WORK:-.deps/train}
python=$work/venv/bin/python
render=.venv/bin/python
if [ ! -f "$data/tiles/labels.csv" ]; then
    echo "train: no photographs in $data (tiles/labels.csv is missing); name their folder: make train DATA=..." >&2
    exit 1
fi
sh hardware/pi/system-packages.sh train || echo "train: without those fonts the drawn sets look less different than makers' are" >&2
packages="torch==2.13.0 onnx==1.23.2 numpy==2.4.6 opencv-python-headless==5.0.0.93 onnxruntime==1.32.0 fonttools==4.68.0"
if [ "$(cat "$work/venv/packages" 2>/dev/null)" != "$packages" ]; then
    [ -x "$python" ] || python3 -m venv "$work/venv"
    # shellcheck disable=SC2086
    "$python" -m pip install -q $packages
    echo "$packages" >"$work/venv/packages"
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
[ -f "$work/twin.npz" ] || nice -n 10 "$render" -m vision.training.windows \
    --frames "$work/frames/varied" "$work/frames/calm" --out "$work/twin.npz"
if [ "$what" != all ]; then
    # shellcheck disable=SC2086
    exec nice -n 10 "$python" -m vision.training.run $what --data "$data" --work "$work"
fi
[ -f "$work/set/dice.npz" ] || nice -n 10 "$python" -m vision.training.prepare --out "$work/set" --data "$data" \
    --frames "$work/frames/varied" "$work/frames/calm" "$work/frames/empty"
for net in find dice; do
    nice -n 10 "$python" -m "vision.training.train_$net" --data "$work/set" --out "$work/run"
done
cp "$work/run/find.onnx" "$work/run/dice.onnx" vision/models/
nice -n 10 "$python" -m vision.training.run all --data "$data" --work "$work" --install vision/models
"$render" -m vision.evaluate "$work/frames/held_calm" "$work/frames/held_varied" --wrong
