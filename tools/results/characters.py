"""Characters with default settings, each judged by unseen poses and by a motion of its own."""
import functools
import glob
import os
import statistics
import time

from figures import print_table, spread
from files import read_json, stem
from program import INPUT, fail

ABOUT = "characters with default settings, each judged by its own motion; FOLDER/*.glb"
QUICK = ["--set", "poses.training=12", "--set", "poses.test=4", "--set", "poses.motion_frames=4", "--set", "simulation.tets=600",
         "--set", "training.steps=100", "--set", "timing.seconds=0", "--set", "report.pictures=false", "--set",
         "single_level.compare=false"]


def left(evaluation):
    """What is left of linear blend skinning's error over what is soft, levels from coarse to fine; None if nothing was there."""
    shares = []
    for level in evaluation["levels"]:
        skinned = level["linear blend"]["soft_rms_mm"]
        if skinned <= evaluation["exact_mm"]:
            return None
        shares.append(level["sinew"]["soft_rms_mm"] / skinned)
    return shares


def over_seeds(by_seed):
    """Shares of the levels, mean over the seeds, with the spread of the finest one; builds may differ in their levels."""
    found = [shares for shares in by_seed if shares is not None]
    if not found:
        return "exact"
    levels = min(len(shares) for shares in found)
    aligned = [shares[-levels:] for shares in found]
    means = [sum(column) / len(column) for column in zip(*aligned)]
    text = " ".join(f"{mean:.3f}".lstrip("0") for mean in means)
    finest = [shares[-1] for shares in aligned]
    return text if len(finest) == 1 else f"{text}; finest {spread(finest, 3)}"


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Characters:
    def __init__(self, call, program, work):
        self.program = program
        self.work = work
        self.options = (QUICK if call.quick else []) + call.options
        self.seeds = call.seeds or [1]
        self.folder = os.path.join(call.work, "characters_quick" if call.quick else "characters")
        self.files = {stem(path): path for path in sorted(glob.glob(os.path.join(call.data, "*.glb")))}
        if not self.files:
            fail(INPUT, f"{call.data} has no *.glb: docs/results/data.md says where to get them")
        self.results = {}  # (name, seed) -> evaluation.json
        self.seconds = {}  # of builds that were begun and finished now

    def add_jobs(self):
        for s, seed in enumerate(self.seeds):
            for f, name in enumerate(self.files):
                self.work.add((name, seed), (s, f), functools.partial(self.build, name, seed))

    def build(self, name, seed):
        folder = os.path.join(self.folder, name, f"seed_{seed}")
        before = os.path.exists(folder)
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        start = time.monotonic()
        if self.program.run("build", self.files[name], "-o", folder, "--seed", str(seed), *self.options) is None:
            return False
        if not before:
            self.seconds.setdefault(name, []).append(time.monotonic() - start)
        self.results[name, seed] = read_json(os.path.join(folder, "evaluation.json"))
        return True

    def print_tables(self):
        missing = len(self.files) * len(self.seeds) - len(self.results)
        if missing:
            print(f"Partial: {missing} of {missing + len(self.results)} builds are missing.\n")
        if len(self.seeds) > 1:
            print(f"Seeds {', '.join(map(str, self.seeds))}: mean over the seeds.\n")
        rows, finest = [], {}
        for name in self.files:
            found = [self.results[name, seed] for seed in self.seeds if (name, seed) in self.results]
            if not found:
                rows.append([name, "not built", "", "", "", ""])
                continue
            motions = [one["motion"] for one in found]
            took = clock(sum(self.seconds[name]) / len(self.seconds[name])) if name in self.seconds else "before"
            rows.append([name, over_seeds([left(one["test"]) for one in found]), over_seeds([left(one) for one in motions]),
                         spread([one["failed_frames"] for one in motions], 0),
                         f"{spread([one['faded_frames'] for one in motions], 0)} of {motions[0]['frames']}", took])
            soft = [left(one)[-1] for one in motions if left(one)]
            if soft:
                finest[name] = sum(soft) / len(soft)
        print_table(["character", "poses", "motion", "motion's frames without a true shape", "faded", "took"], rows)
        if finest:
            worst = max(finest, key=finest.get)
            print(f"\nOf the {len(finest)} with soft parts, the median of the finest level in unseen motion is "
                  f"{statistics.median(finest.values()):.2f} and the worst {finest[worst]:.2f} ({worst}).")
        return missing
