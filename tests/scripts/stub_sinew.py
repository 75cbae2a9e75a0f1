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
    return {"failed": 0, "frames": 7, "without_contact": 1, "tetrahedra": 9412, "seconds_per_frame": 1.06}


def evaluate():
    motion = pathlib.Path(after("--dataset")).stem.split("_")[0]
    return evaluation(motion, pathlib.Path(sys.argv[2]).read_text())


def bake():
    """The bundle holds the seed, which the name of the deformer ends with."""
    pathlib.Path(after("-o")).write_text(pathlib.Path(sys.argv[2]).stem.rsplit("_", 1)[-1])
    return {"bytes": 5e6}


def make_folder(answer):
    pathlib.Path(after("-o")).mkdir(parents=True, exist_ok=True)
    return answer


def fronts():
    bundles = [{"method": method, "regions": 50, "epsilon": 1e-4, "precision": precision, "rms_mm": rms, "corrective_bytes": size,
                "cold_us": {"median": 1234.0}}
               for method, rms, size in (("multi-resolution", 1.0, 2e6), ("single-level", 2.0, 8e6))
               for precision in ("f32", "f16", "i8")]
    return make_folder({"threads": 2, "rounds": 15, "linear_blend_mm": 11.0, "skinning_cold_us": {"median": 419.0},
                        "bundles": bundles, "ratios": [{"at": "error", "ours": "f32", "single_level": "f32", "memory": 4.0,
                                                        "time": 1.25, "corrective_time": None}]})


def bench():
    times = [{"stage": stage, "threads": threads, "hot_us": {"median": 100.0 / threads}, "cold_us": {"median": 200.0 / threads}}
             for stage in ("frame", "floor", "skinning only") for threads in (1, 2)]
    return {"rounds": 27, "characters": [{"bytes": 5e6, "timings": times} for word in sys.argv if word.endswith(".sinew")]}


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
    answers = {"build": build, "simulate": simulate, "evaluate": evaluate, "fronts": fronts, "bench": bench,
               "poses": lambda: make_folder({"frames": 100}), "train": lambda: make_folder({}), "lod": lambda: make_folder({}),
               "dataset": lambda: make_folder({}), "character": lambda: {}, "bake": bake}
    answer = answers[sys.argv[1]]()
    if meant("hang", words):
        (FOLDER / "hangs").write_text(str(os.getpid()))
        time.sleep(600)
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
