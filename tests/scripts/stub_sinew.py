#!/usr/bin/env python3
"""Stands in for the program in tests of scripts/results: answers at once with figures that a test can predict.

STUB names a folder with orders.json: {"errors": {motion: {seed: mm}}, "skinned": {motion: mm}, "frames": {motion: N},
"hang": parts of the call that hangs, "fail": parts of the call that fails}. Calls are written to STUB/calls.
"""
import json
import os
import pathlib
import sys
import time

FOLDER = pathlib.Path(os.environ["STUB"])
ORDERS = json.loads((FOLDER / "orders.json").read_text())


def after(option, default=None):
    return sys.argv[sys.argv.index(option) + 1] if option in sys.argv else default


def meant(order, words):
    return order in ORDERS and all(part in words for part in ORDERS[order])


def evaluation(motion, seed):
    frames = ORDERS.get("frames", {}).get(motion, 48)
    error = ORDERS["errors"].get(motion, {}).get(seed, 1.0)
    skinned = ORDERS["skinned"].get(motion, 10.0)
    worse = int(error > skinned)
    ours = {"rms_mm": error, "soft_rms_mm": error, "worse_frames": worse, "worst_excess_mm": worse * (error - skinned)}
    return {"frames": frames, "failed_frames": 0, "faded_frames": frames // 4 if motion != "beyond" else frames, "exact_mm": 0.01,
            "levels": [{"linear blend": {"rms_mm": 1.0, "soft_rms_mm": 1.0}, "sinew": {**ours, "rms_mm": 99.0}},
                       {"linear blend": {"rms_mm": skinned, "soft_rms_mm": skinned}, "sinew": ours}]}


def build():
    folder, seed = pathlib.Path(after("-o")), after("--seed", "1")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "character.glb").write_text("body")
    (folder / "limits.json").write_text("{}")
    (folder / "character.sinew").write_text(seed)
    whole = {"test": evaluation("test", seed), "motion": evaluation("motion", seed)}
    (folder / "evaluation.json").write_text(json.dumps(whole))
    return {}


def simulate():
    folder = pathlib.Path(after("-o"))
    if folder.exists() and "--resume" not in sys.argv:
        sys.exit("there is something already")
    folder.mkdir(parents=True, exist_ok=True)
    return {"failed": 0}


def evaluate():
    motion = pathlib.Path(after("--dataset")).stem.split("_")[0]
    return evaluation(motion, pathlib.Path(sys.argv[2]).read_text())


def main():
    if "--version" in sys.argv:
        print("sinew 9.9.9")
        return 0
    words = " ".join(sys.argv[1:])
    with open(FOLDER / "calls", "a", encoding="utf-8") as calls:
        calls.write(words + "\n")
    if meant("fail", words):
        print("sinew: cannot do that", file=sys.stderr)
        return 4
    answers = {"build": build, "poses": lambda: {"frames": 100}, "simulate": simulate, "evaluate": evaluate}
    answer = answers[sys.argv[1]]()
    if meant("hang", words):
        (FOLDER / "hangs").write_text(str(os.getpid()))
        time.sleep(600)
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
